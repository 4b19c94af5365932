import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PUBLISHED } from '@hubline/locales/published.ts'
import { packAll, root } from './packages.ts'
import { writeParts } from './parts.ts'

/** `npm run release -- --dry-run`: packs, and shows what a person would publish and how. It publishes nothing itself. */
if (!process.argv.includes('--dry-run')) {
  console.error('Only `npm run release -- --dry-run` exists: a person publishes, with the commands that it prints.')
  process.exit(2)
}

const folder = join(root, 'packages')
const packages = packAll(folder)
const [{ version = '' } = {}] = packages
console.log(`Version ${version} of package.json\n`)
for (const { file } of packages) {
  const [size, files] = describe(join(folder, file))
  console.log(`  ${file}  ${size} KB, ${files} files`)
}
const { files, parts } = writeParts(folder)
console.log(`  ${files.join(', ')}: ${parts.length} parts of others, for the page of the release`)
console.log(`\nWhat the changelog says about it:\n\n${readChanges(version)}\n`)
console.log('A person who may publish would run:\n')
for (const { file } of packages) console.log(`  npm publish packages/${file} --access public --dry-run`)
console.log(`\nand again without --dry-run${PUBLISHED ? '.' : ', and then set PUBLISHED in locales/published.ts.'}`)

function describe(path: string): [number, number] {
  const list = execFileSync('tar', ['-tzf', path], { encoding: 'utf8', maxBuffer: 2 ** 24 })
  return [Math.round(readFileSync(path).length / 1000), list.trim().split('\n').length]
}

/** The first lines of the version's section, or of "Unreleased", which becomes the next version's. */
function readChanges(version: string): string {
  const sections = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split(/^## /m).slice(1)
  const unreleased = sections.find((section) => section.startsWith('Unreleased') && section.includes('\n- '))
  const section = unreleased ?? sections.find((one) => one.startsWith(version))
  if (!section) throw new Error(`CHANGELOG.md has no section for ${version}.`)
  const [title, ...lines] = section.trim().split('\n')
  const changes = lines.filter((line) => line.startsWith('- '))
  const next = unreleased ? ': give it a version and a date, and package.json and the workspaces the same version' : ''
  return [
    `  ${title} (${changes.length} entries${next})`,
    ...changes.slice(0, 3).map((line) => `  ${line.slice(0, 100)} …`),
  ].join('\n')
}
