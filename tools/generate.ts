import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { generateFiles } from './generated-files.ts'

/** `npm run generate`: writes what is derived from the sources. */
const root = join(import.meta.dirname, '..')

for (const [path, text] of Object.entries(await generateFiles(root))) {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), text)
  console.log(path)
}
