import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { compile, listExternal } from '../tools/packages/compile.ts'

/**
 * `npm run build -w simulator`: writes the package as it is packed to `dist`, or to the folder that is given: the simulator as
 * a module with its types, and its program. Inside the repository both are run from their sources.
 */
const here = import.meta.dirname
const root = join(here, '..')
const dist = process.argv[2] ?? join(here, 'dist')

rmSync(dist, { recursive: true, force: true })
await compile({
  programs: { simulator: 'simulator/src/server.ts', main: 'simulator/src/main.ts' },
  outDir: join(dist, 'lib'),
  target: 'node20',
  files: ['locales/pages/*.css'],
})
writeTypes(join(dist, 'types'))

const manifest = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'))
const { name, version, description, license } = manifest
writeJson('package.json', {
  name,
  version,
  description,
  license,
  type: 'module',
  engines: { node: '>=20' },
  bin: { 'hubline-simulator': './bin/hubline-simulator.js' },
  exports: {
    '.': { types: './types/server.d.ts', default: './lib/simulator.js' },
    './package.json': './package.json',
  },
  dependencies: listExternal(manifest),
})
mkdirSync(join(dist, 'bin'))
const program = "#!/usr/bin/env node\nimport '../lib/main.js'\n"
writeFileSync(join(dist, 'bin/hubline-simulator.js'), program, { mode: 0o755 })
copyFileSync(join(here, 'README.md'), join(dist, 'README.md'))
copyFileSync(join(root, 'LICENSE'), join(dist, 'LICENSE'))

function writeJson(path: string, value: object): void {
  writeFileSync(join(dist, path), `${JSON.stringify(value, null, 2)}\n`)
}

/** Only the declarations to which those of the module lead: the others are of no use to a caller. */
function writeTypes(folder: string): void {
  const all = mkdtempSync(join(dist, 'declarations-'))
  const options = ['--declaration', '--emitDeclarationOnly', '--noEmit', 'false', '--incremental', 'false']
  const tsc = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', here, ...options, '--outDir', all], {
    stdio: 'inherit',
  })
  if (tsc.status !== 0) process.exit(1)
  const sources = join(all, 'simulator/src')
  const waiting = [join(sources, 'server.d.ts')]
  for (const path of waiting) {
    const text = readFileSync(path, 'utf8')
    for (const [, imported = ''] of text.matchAll(/(?:from |import\()'(\.[^']+)\.ts'/g)) {
      const found = join(dirname(path), `${imported}.d.ts`)
      if (!waiting.includes(found)) waiting.push(found)
    }
    const target = join(folder, relative(sources, path))
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, text.replaceAll(/((?:from |import\()'\.[^']+)\.ts'/g, "$1.js'"))
  }
  rmSync(all, { recursive: true })
}
