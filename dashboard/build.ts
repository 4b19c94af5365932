import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { LANGUAGES } from '@hubline/locales/languages.ts'
import { build } from 'vite'
import { DOCS_SOURCES } from './docs/plugin.ts'

/**
 * Builds the dashboard into `dist`. With `--if-stale` only where its sources are others than those of the last build,
 * which a file in `dist` remembers.
 */
const root = import.meta.dirname
/** A page on a phone shows something within two seconds. */
const FIRST_LOAD_KB_MAX = 250
const STAMP = join(root, 'dist/.sources')
const SOURCES = [
  'dashboard/{src,docs}/**/*',
  'dashboard/*.{html,ts,json}',
  'locales/**/*.ts',
  'sdk/src/**/*.ts',
  'package-lock.json',
  ...DOCS_SOURCES,
]

const isQuiet = process.argv.includes('--if-stale')
const sources = hashSources()
if (!isQuiet || !existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== sources) {
  if (isQuiet) process.stdout.write('Building the dashboard, once after each change of its sources …\n')
  process.env.NODE_ENV = 'production'
  await build({ configFile: join(root, 'vite.config.ts'), logLevel: isQuiet ? 'warn' : 'info' })
  writeFileSync(STAMP, sources)
  const firstLoad = measureFirstLoad()
  if (!isQuiet) process.stdout.write(`First load: ${firstLoad} KB gzipped, without fonts.\n`)
  if (firstLoad > FIRST_LOAD_KB_MAX)
    throw new Error(`The first load has ${firstLoad} KB, more than ${FIRST_LOAD_KB_MAX}.`)
}

/** The files that a browser loads before it knows which page to show: the script and its imports, the styles, and the texts that every page has in one language. */
function measureFirstLoad(): number {
  const page = readFileSync(join(root, 'dist/index.html'), 'utf8')
  const files = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)].map(([, file = '']) => file)
  const languages = LANGUAGES.map((language) => {
    const [file = ''] = globSync(`assets/texts-${language}-*.js`, { cwd: join(root, 'dist') })
    return measureFile(file)
  })
  const bytes = files.reduce((sum, file) => sum + measureFile(file), Math.max(...languages))
  return Math.round(bytes / 1000)
}

function measureFile(file: string): number {
  return gzipSync(readFileSync(join(root, 'dist', file))).length
}

function hashSources(): string {
  const hash = createHash('sha256')
  const files = globSync(SOURCES, { cwd: join(root, '..'), withFileTypes: true })
  for (const path of files
    .filter((file) => file.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()) {
    hash.update(path).update(readFileSync(path))
  }
  return hash.digest('hex')
}
