import { execFileSync } from 'node:child_process'
import { cpSync, existsSync } from 'node:fs'
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Debian's packages golang-gopkg-validator.v2-dev and php-guzzlehttp-guzzle put the libraries of generated clients here. */
const GO_MODULE = {
  path: 'gopkg.in/validator.v2',
  version: 'v2.0.1',
  source: '/usr/share/gocode/src/gopkg.in/validator.v2',
}
const GUZZLE = '/usr/share/php/GuzzleHttp/autoload.php'

/** `composer install` with the libraries of Debian: only what loads the generated classes is written. */
const COMPOSER = `#!/bin/sh
mkdir -p hub/vendor
cat > hub/vendor/autoload.php <<'PHP'
<?php
require '${GUZZLE}';
spl_autoload_register(function (string $class): void {
    $file = __DIR__ . '/../lib/' . str_replace('\\\\', '/', substr($class, strlen('OpenAPI\\\\Client\\\\'))) . '.php';
    if (str_starts_with($class, 'OpenAPI\\\\Client\\\\') && is_file($file)) require $file;
});
PHP
`

/** Go refuses an archive with entries of folders. */
const ZIP = `import pathlib, sys, zipfile
with zipfile.ZipFile(sys.argv[1], 'w') as archive:
    for file in pathlib.Path('.').rglob('*'):
        if file.is_file(): archive.write(file)
`

/**
 * A machine without the registries of Go and PHP uses the libraries that Debian has, if they are installed. Returns the
 * variables with which Go finds them.
 */
export async function provideDebianLibraries(folder: string, bin: string): Promise<Record<string, string>> {
  if (existsSync(GUZZLE)) {
    await writeFile(join(bin, 'composer'), COMPOSER)
    await chmod(join(bin, 'composer'), 0o755)
  }
  return existsSync(GO_MODULE.source) ? provideGoModule(join(folder, 'go-proxy')) : {}
}

/** A folder in the form of a module proxy, with the one module that generated clients need. */
async function provideGoModule(proxy: string): Promise<Record<string, string>> {
  const { path, version, source } = GO_MODULE
  const files = join(proxy, path, '@v')
  const root = `${path}@${version}`
  const content = join(proxy, 'content')
  const definition = `module ${path}\n\ngo 1.18\n`
  await mkdir(files, { recursive: true })
  cpSync(source, join(content, root), {
    recursive: true,
    dereference: true,
    filter: (file) => !file.endsWith('_test.go'),
  })
  await writeFile(join(content, root, 'go.mod'), definition)
  await writeFile(join(files, `${version}.mod`), definition)
  await writeFile(join(files, `${version}.info`), JSON.stringify({ Version: version }))
  execFileSync('python3', ['-c', ZIP, join(files, `${version}.zip`)], { cwd: content })
  await rm(content, { recursive: true })
  const cache = join(proxy, 'modules')
  return { GOPROXY: `file://${proxy}`, GONOSUMDB: '*', GOSUMDB: 'off', GOFLAGS: '-modcacherw', GOMODCACHE: cache }
}
