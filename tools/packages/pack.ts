import { statSync } from 'node:fs'
import { join } from 'node:path'
import { packAll, root } from './packages.ts'

/** `npm run pack`: writes the packages to `packages/`. Each can be installed without the others. */
const folder = join(root, 'packages')
for (const { file } of packAll(folder)) {
  const kilobytes = Math.round(statSync(join(folder, file)).size / 1000)
  console.log(`packages/${file}  ${kilobytes} KB`)
}
