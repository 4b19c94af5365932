import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * `npm run build`: writes the package as it is published to `dist`, or to the folder that is given. Inside the repository
 * the program is run from its sources.
 */
const here = import.meta.dirname
const dist = process.argv[2] ?? join(here, 'dist')
const tsc = join(here, '../node_modules/.bin/tsc')

rmSync(dist, { recursive: true, force: true })
const args = ['-p', join(here, 'tsconfig.build.json'), '--outDir', join(dist, 'lib')]
const { status } = spawnSync(tsc, args, { stdio: 'inherit' })
if (status !== 0) process.exit(1)

const { name, version, description, license, engines, dependencies } = JSON.parse(
  readFileSync(join(here, 'package.json'), 'utf8'),
)
const bin = { hubline: './bin/hubline.js' }
const manifest = { name, version, description, license, type: 'module', engines, bin, dependencies }
writeFileSync(join(dist, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
mkdirSync(join(dist, 'bin'))
writeFileSync(join(dist, 'bin/hubline.js'), "#!/usr/bin/env node\nimport '../lib/bin/hubline.js'\n")
chmodSync(join(dist, 'bin/hubline.js'), 0o755)
copyFileSync(join(here, 'README.md'), join(dist, 'README.md'))
copyFileSync(join(here, '../LICENSE'), join(dist, 'LICENSE'))
