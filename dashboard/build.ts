import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'

/**
 * Builds the dashboard into `dist`. With `--if-stale` only where its sources are others than those of the last build,
 * which a file in `dist` remembers.
 */
const root = import.meta.dirname
const STAMP = join(root, 'dist/.sources')
const SOURCES = [
  'dashboard/src/**/*',
  'dashboard/*.{html,ts,json}',
  'locales/**/*.ts',
  'sdk/src/**/*.ts',
  'package-lock.json',
]

const isQuiet = process.argv.includes('--if-stale')
const sources = hashSources()
if (!isQuiet || !existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== sources) {
  if (isQuiet) process.stdout.write('Building the dashboard, once after each change of its sources …\n')
  process.env.NODE_ENV = 'production'
  await build({ configFile: join(root, 'vite.config.ts'), logLevel: isQuiet ? 'warn' : 'info' })
  writeFileSync(STAMP, sources)
  if (!isQuiet) process.stdout.write(`First load: ${measureFirstLoad()} KB gzipped, without fonts.\n`)
}

/** What a browser loads before it knows which page to show: the script, what it imports, and the styles. */
function measureFirstLoad(): number {
  const page = readFileSync(join(root, 'dist/index.html'), 'utf8')
  const files = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)].map(([, file = '']) => file)
  const bytes = files.reduce((sum, file) => sum + gzipSync(readFileSync(join(root, 'dist', file))).length, 0)
  return Math.round(bytes / 1000)
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
