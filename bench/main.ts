import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { KeyRing } from '../server/src/kernel/crypto/key-ring.ts'
import { openEmbeddedPostgres } from '../server/src/kernel/db/embedded/embedded-postgres.ts'
import { migrate } from '../server/src/kernel/db/migrate.ts'
import { openPool } from '../server/src/kernel/db/pool.ts'
import type { Benchmark } from './benchmark.ts'
import { createCompare } from './compare/compare.ts'
import { readCompareOptions } from './compare/options.ts'
import { isCommit } from './compare/version.ts'
import { deliver } from './deliver/deliver.ts'
import { disk } from './disk.ts'
import { formatResult } from './format-result.ts'
import { gate } from './gate.ts'
import { createGateways } from './gateways/gateways.ts'
import { readGatewayPaths } from './gateways/options.ts'
import { createGrowth, GROWTH_ROWS } from './growth/growth.ts'
import { inbound } from './inbound.ts'
import { lists } from './lists.ts'
import { createPipeline } from './pipeline/pipeline.ts'
import { processes } from './processes/processes.ts'
import { removeAll, removeLater } from './removal.ts'
import { describeMachine, type MeasuredBenchmark, writeReport } from './report/report.ts'
import { scrolling } from './scrolling.ts'
import { send } from './send.ts'

const USAGE = `npm run bench -- [name …] [--quick] [--report] [--rows N] [--minutes N]
npm run bench -- compare --with REF [--rounds N] [--json] [send] [inbound] [deliver]
npm run bench -- gateways [--outpost PATH] [--svix PATH]

Without a name: gate, send, inbound, deliver, lists and pipeline. By their names only: disk, gateways, growth, peers, processes and scrolling.
compare measures the working tree and the commit REF in turn.

  --quick      a few minutes in all: fewer and shorter rounds, and little but what has a goal
  --report     writes the figures and charts of docs/benchmark-figures.md; takes no names
  --rows N     of growth: the larger of its two sizes
  --minutes N  of pipeline: the memory of two processes under a steady load, instead of its other figures
  --with REF   of compare: a commit, a branch or a tag
  --rounds N   of compare: the rounds of each side, 9 without it
  --json       of compare: the figures also as one line of JSON, the last one
  --outpost PATH, --svix PATH  of gateways: programs that you have built (docs/benchmark-gateways.md)
  --help       prints this`

const OPTIONS = {
  quick: { type: 'boolean', default: false },
  report: { type: 'boolean', default: false },
  rows: { type: 'string', default: String(GROWTH_ROWS) },
  minutes: { type: 'string' },
  with: { type: 'string' },
  rounds: { type: 'string' },
  json: { type: 'boolean' },
  outpost: { type: 'string' },
  svix: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const

/** Has packages of its own, which `npm ci` does not install for everyone: it runs only when it is named. */
const PEERS = 'peers'
const PEERS_FOLDER = join(import.meta.dirname, 'peers')

/** Fills a large database: it runs only when it is named. */
const GROWTH = 'growth'

/** Prints what a plan of a disk needs: it runs only when it is named. */
const DISK = 'disk'

/** Needs Chromium and the built dashboard: it runs only when it is named. */
const SCROLLING = 'scrolling'

/** Runs programs that a person has built: it runs only when it is named. */
const GATEWAYS = 'gateways'

/** Takes the names of what it compares. */
const COMPARE = 'compare'

const { names, values } = readArguments()
if (values.help) {
  console.log(USAGE)
  process.exit(0)
}
/** Each prints ratios of figures from the same run on the same machine. */
const benchmarks: Benchmark[] = [gate, send, inbound, deliver, lists, createPipeline(readNumber('minutes'))]
const isComparing = names[0] === COMPARE
const known = [...benchmarks.map(({ name }) => name), DISK, GATEWAYS, GROWTH, PEERS, processes.name, SCROLLING]
const unknown = isComparing ? [] : names.filter((name) => !known.includes(name))
if (unknown.length > 0) fail(`No benchmark ${unknown.join(', ')}. There are: ${[...known, COMPARE].join(', ')}.`)
if (values.report && names.length > 0) fail('--report writes the figures of all benchmarks, and takes no names.')
const chosen = isComparing
  ? [readCompare()]
  : benchmarks.filter(({ name }) => names.length === 0 || names.includes(name))
const rows = readRows()
if (names.includes(DISK)) chosen.push(disk)
if (names.includes(SCROLLING)) chosen.push(scrolling)
if (names.includes(GATEWAYS)) chosen.push(readGateways())
if (names.includes(GROWTH)) chosen.push(createGrowth(rows, console.log))
if (names.includes(processes.name)) chosen.push(processes)
if (names.includes(PEERS)) chosen.push(await installPeers())

const directory = await mkdtemp(join(tmpdir(), 'hubline-bench-'))
// When root runs this, the database's own account must be able to enter, or the database lands elsewhere.
await chmod(directory, 0o755)
const embedded = await openEmbeddedPostgres({ dataDir: directory })
const remove = removeLater(async () => {
  await embedded[Symbol.asyncDispose]()
  await rm(directory, { recursive: true, force: true })
})
let isStopped = false
for (const [signal, number] of [
  ['SIGINT', 2],
  ['SIGTERM', 15],
] as const) {
  process.once(signal, async () => {
    // Work that still runs fails as soon as its database is gone.
    isStopped = true
    process.on('uncaughtException', () => {})
    await removeAll()
    process.exit(128 + number)
  })
}
const sql = openPool(embedded.url, { max: 20, name: 'bench' })
const ring: KeyRing = [{ id: 'bench', bytes: randomBytes(32) }]
const progress = createProgress()
try {
  await migrate(sql)
  const machine = await describeMachine(sql)
  console.log(machine)
  const measured: MeasuredBenchmark[] = []
  for (const { name, summary, run } of chosen) {
    console.log(`\n${name}: ${summary}`)
    const setup = {
      sql,
      databaseUrl: embedded.url,
      keyRing: () => ring,
      isQuick: values.quick,
      progress: progress.show,
    }
    const results = await run(setup)
    progress.clear()
    for (const result of results) console.log(formatResult(result))
    measured.push({ name, results })
  }
  if (values.report) await writeReport(measured, machine)
} catch (err) {
  if (!isStopped) throw err
} finally {
  await sql.end()
  await remove()
}
if (names.length === 0) {
  console.log(`\n\`npm run bench -- ${GROWTH}\` measures what statements read of large tables, and takes long.`)
  console.log(`\`npm run bench -- ${PEERS}\` installs other job queues and compares deliveries with them.`)
}

function readArguments() {
  try {
    const { positionals: names, values } = parseArgs({ allowPositionals: true, options: OPTIONS })
    return { names, values }
  } catch (err) {
    return fail(`${err instanceof Error ? err.message : err}\n\n${USAGE}`)
  }
}

function readCompare(): Benchmark {
  const options = readCompareOptions(names.slice(1), values)
  if (typeof options === 'string') fail(options)
  return isCommit(options.ref) ? createCompare(options) : fail(`There is no commit ${options.ref}.`)
}

function readGateways(): Benchmark {
  const paths = readGatewayPaths(values)
  return typeof paths === 'string' ? fail(paths) : createGateways(paths)
}

/** The shares of the smaller tables are whole numbers. */
function readRows(): number {
  const rows = readNumber('rows')
  return rows !== undefined && rows % 10_000 === 0 ? rows : fail('--rows is a multiple of 10,000.')
}

function readNumber(name: 'rows' | 'minutes'): number | undefined {
  const text = values[name]
  if (text === undefined) return undefined
  return /^[1-9]\d*$/.test(text) ? Number(text) : fail(`--${name} is a whole number above 0.`)
}

function fail(message: string): never {
  console.error(message)
  process.exit(2)
}

async function installPeers(): Promise<Benchmark> {
  const { status } = spawnSync('npm', ['install', '--no-save'], { cwd: PEERS_FOLDER, stdio: 'inherit' })
  if (status !== 0) {
    console.error(`Cannot install the packages of ${PEERS_FOLDER}.`)
    process.exit(1)
  }
  const { peers }: { peers: Benchmark } = await import(join(PEERS_FOLDER, 'peers.ts'))
  return peers
}

/** Rewrites one line of the terminal. Elsewhere, as in a file, nothing is shown. */
function createProgress() {
  const write = (text: string) => void (process.stderr.isTTY && process.stderr.write(`\r\x1b[2K${text}`))
  return { show: (text: string) => write(`  ${text}`), clear: () => write('') }
}
