import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compile, listExternal } from '../tools/packages/compile.ts'

/**
 * `npm run build -w cli`: writes the package as it is published to `dist`, or to the folder that is given, with the SDK compiled
 * in. Inside the repository the program is run from its sources.
 */
const here = import.meta.dirname
const dist = process.argv[2] ?? join(here, 'dist')

rmSync(dist, { recursive: true, force: true })
await compile({ programs: { hubline: 'cli/src/bin/hubline.ts' }, outDir: join(dist, 'lib'), target: 'node20' })

const { name, version, description, license, engines, ...cli } = JSON.parse(
  readFileSync(join(here, 'package.json'), 'utf8'),
)
const manifest = {
  name,
  version,
  description,
  license,
  type: 'module',
  engines,
  bin: { hubline: './bin/hubline.js' },
  exports: { './package.json': './package.json' },
  dependencies: listExternal(cli),
}
writeFileSync(join(dist, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
mkdirSync(join(dist, 'bin'))
writeFileSync(join(dist, 'bin/hubline.js'), "#!/usr/bin/env node\nimport '../lib/hubline.js'\n", { mode: 0o755 })
copyFileSync(join(here, 'README.md'), join(dist, 'README.md'))
copyFileSync(join(here, '../LICENSE'), join(dist, 'LICENSE'))
