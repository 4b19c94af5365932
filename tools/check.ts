import { execFile, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkArchitecture, checkStyle } from './architecture.ts'
import { checkContract } from './contract.ts'
import { checkDocs } from './docs.ts'
import { generateFiles } from './generated-files.ts'
import { checkPublishedNames } from './packages/names.ts'
import { checkTables } from './tables.ts'
import { checkPatches } from './torture/patches.ts'

/** `npm run check`: types, lint and format, architecture, tables, names, the API's description, the contract, the docs, planted bugs, spelling. */
const root = join(import.meta.dirname, '..')
const bin = join(root, 'node_modules/.bin')
/** The sources of the dashboard have the types of a browser only; its tests also those of Node. */
const TYPE_PROJECTS = ['tsconfig.json', 'dashboard/tsconfig.json', 'dashboard/tsconfig.test.json']

const CHECKS: Record<string, () => string[] | Promise<string[]>> = {
  types: () => TYPE_PROJECTS.flatMap((project) => command('tsc', ['-p', join(root, project)])),
  'lint and format': () => command('biome', ['check', '--error-on-warnings', root]),
  architecture: () => checkArchitecture(root),
  'owners and readers of tables': () => checkTables(root),
  'names and cycles of imports': () => checkStyle(root),
  'generated files': checkGenerated,
  contract: reportContract,
  'paths and links of the docs': () => checkDocs(root),
  'names of packages': () => checkPublishedNames(root),
  'planted bugs': () => checkPatches(root),
  spelling: () => spelling,
}

/** It takes as long as all other checks together, so it runs beside them. What did not change since the last run is not read again. */
const spelling = checkSpelling()

for (const [name, check] of Object.entries(CHECKS)) {
  const problems = await check()
  console.log(`${problems.length === 0 ? 'ok    ' : 'FAILED'} ${name}`)
  for (const problem of problems) console.log(problem)
  if (problems.length > 0) process.exitCode = 1
}

function command(name: string, args: string[]): string[] {
  const { status, stdout, stderr } = spawnSync(join(bin, name), args, { cwd: root, encoding: 'utf8' })
  return status === 0 ? [] : [`${stdout}${stderr}`.trim()]
}

/** Words of American English, of Portuguese in the sources, and of `tools/spelling.txt`. */
function checkSpelling(): Promise<string[]> {
  const program = join(root, 'node_modules/cspell/bin.mjs')
  if (!existsSync(program)) return Promise.resolve(['cspell is not installed. Run: npm ci'])
  const args = [program, 'lint', '--no-progress', '--no-summary', '--show-suggestions']
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: root, maxBuffer: 2 ** 24 }, (err, stdout, stderr) => {
      resolve(err ? [`${stdout}${stderr}`.trim()] : [])
    })
  })
}

async function checkGenerated(): Promise<string[]> {
  const generated = Object.entries(await generateFiles(root))
  return generated
    .filter(([path, text]) => !existsSync(join(root, path)) || readFileSync(join(root, path), 'utf8') !== text)
    .map(([path]) => `${path} is out of date. Run: npm run generate`)
}

function reportContract(): string[] {
  const { errors, total, proven, open } = checkContract(root)
  console.log(
    `       ${total} rules of the contract: ${proven} proven by tests, ${open.length} still open${open.length > 0 ? ` (${open.join(', ')})` : ''}`,
  )
  return errors
}
