import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compile, listExternal } from '../tools/packages/compile.ts'

/**
 * `npm run build -w server`: compiles the hub and its commands to JavaScript in `dist`, or in the folder that is given, as the
 * package that `npm run pack` packs. Inside the repository the hub is run from its sources.
 */
const root = join(import.meta.dirname, '..')
const FILES = ['server/migrations/*.sql', 'server/src/**/*.{css,html,js}', 'locales/**/*.css', 'dashboard/dist']
const PROGRAM = `#!/usr/bin/env node
await import(process.argv.length > 2 && process.argv[2] !== '--sample-data' ? '../admin.js' : '../main.js')
`

if (process.argv[1] === import.meta.filename) await buildPackage(process.argv[2] ?? join(import.meta.dirname, 'dist'))

/**
 * Writes `main.js` and `admin.js`, with their source maps, and the files that they read. Packages of others stay where they
 * are, unless `withPackages`: then they are compiled in too, which halves the time of a start again, and is for tests.
 */
export async function buildServer(outDir: string, { withPackages = false } = {}): Promise<void> {
  rmSync(outDir, { recursive: true, force: true })
  const programs = { main: 'server/src/bin/main.ts', admin: 'server/src/bin/admin.ts' }
  await compile({ programs, outDir, target: 'node22', files: FILES, withPackages })
}

/** The compiled hub with what a package needs: its program, which takes the commands too, and its dependencies. */
async function buildPackage(outDir: string): Promise<void> {
  await buildServer(outDir)
  const { name, version, description, license, ...server } = readManifest('server')
  const manifest = {
    name,
    version,
    description,
    license,
    type: 'module',
    engines: { node: '>=22.19' },
    bin: { 'hubline-server': './bin/hubline-server.js' },
    exports: { './package.json': './package.json' },
    dependencies: listExternal(server, readManifest('simulator')),
    optionalDependencies: server.optionalDependencies,
  }
  writeFileSync(join(outDir, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  mkdirSync(join(outDir, 'bin'))
  writeFileSync(join(outDir, 'bin/hubline-server.js'), PROGRAM, { mode: 0o755 })
  copyFileSync(join(import.meta.dirname, 'README.md'), join(outDir, 'README.md'))
  for (const file of ['LICENSE', 'CHANGELOG.md']) copyFileSync(join(root, file), join(outDir, file))
}

function readManifest(workspace: string) {
  return JSON.parse(readFileSync(join(root, workspace, 'package.json'), 'utf8'))
}
