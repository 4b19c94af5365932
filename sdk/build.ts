import { spawnSync } from 'node:child_process'
import { copyFileSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * `npm run build`: writes the package as it is published to `dist`, or to the folder that is given. Inside the repository
 * the SDK is imported as its sources are.
 */
const here = import.meta.dirname
const dist = process.argv[2] ?? join(here, 'dist')
const tsc = join(here, '../node_modules/.bin/tsc')

/** `require` gets this before Node 20.19, which cannot require modules. Later both ways lead to one copy. */
const COMMON_JS = ['--module', 'commonjs', '--moduleResolution', 'bundler', '--verbatimModuleSyntax', 'false']

rmSync(dist, { recursive: true, force: true })
compile('esm', [])
compile('cjs', COMMON_JS)
writeJson('cjs/package.json', { type: 'commonjs' })

const { name, version, description, license } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'))
writeJson('package.json', {
  name,
  version,
  description,
  license,
  type: 'module',
  engines: { node: '>=20' },
  sideEffects: false,
  exports: {
    '.': {
      import: { types: './esm/sdk.d.ts', default: './esm/sdk.js' },
      'module-sync': { types: './esm/sdk.d.ts', default: './esm/sdk.js' },
      require: { types: './cjs/sdk.d.ts', default: './cjs/sdk.js' },
    },
    './package.json': './package.json',
  },
  main: './cjs/sdk.js',
  types: './cjs/sdk.d.ts',
})
copyFileSync(join(here, 'README.md'), join(dist, 'README.md'))
copyFileSync(join(here, '../LICENSE'), join(dist, 'LICENSE'))

function compile(folder: string, options: string[]): void {
  const args = ['-p', join(here, 'tsconfig.build.json'), '--outDir', join(dist, folder), ...options]
  const { status } = spawnSync(tsc, args, { stdio: 'inherit' })
  if (status !== 0) process.exit(1)
  for (const path of globSync(join(dist, folder, '**/*.d.ts'))) rewriteImports(path)
}

/** The compiler rewrites `./a.ts` to `./a.js` in code, but not in declarations, where older compilers refuse it. */
function rewriteImports(path: string): void {
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.replaceAll(/(from '\.{1,2}\/[^']+)\.ts'/g, "$1.js'"))
}

function writeJson(path: string, value: object): void {
  writeFileSync(join(dist, path), `${JSON.stringify(value, null, 2)}\n`)
}
