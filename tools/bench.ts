import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Benchmark } from '../server/bench/benchmark.ts'
import { deliver } from '../server/bench/deliver/deliver.ts'
import { formatResult } from '../server/bench/format-result.ts'
import { gate } from '../server/bench/gate.ts'
import { createGrowth, GROWTH_ROWS } from '../server/bench/growth/growth.ts'
import { inbound } from '../server/bench/inbound.ts'
import { pipeline } from '../server/bench/pipeline/pipeline.ts'
import { send } from '../server/bench/send.ts'
import type { KeyRing } from '../server/src/kernel/crypto/key-ring.ts'
import { openEmbeddedPostgres } from '../server/src/kernel/db/embedded/embedded-postgres.ts'
import { migrate } from '../server/src/kernel/db/migrate.ts'
import { openPool } from '../server/src/kernel/db/pool.ts'

/**
 * `npm run bench [-- name …]`: each figure is a ratio to a baseline of the same
 * run, since absolute numbers say more about the machine than about the hub.
 */
const BENCHMARKS: Benchmark[] = [gate, send, inbound, deliver, pipeline]

/** Has packages of its own, which `npm ci` does not install for everyone: it runs only when it is named. */
const PEERS = 'peers'
const PEERS_FOLDER = join(import.meta.dirname, '../server/bench/peers')

/** Fills a large database: it runs only when it is named. `--rows` chooses the larger of its two sizes. */
const GROWTH = 'growth'

const { positionals: names, values } = parseArgs({ allowPositionals: true, options: { rows: { type: 'string' } } })
const known = [...BENCHMARKS.map(({ name }) => name), GROWTH, PEERS]
const unknown = names.filter((name) => !known.includes(name))
if (unknown.length > 0) {
  console.error(`No benchmark ${unknown.join(', ')}. There are: ${known.join(', ')}.`)
  process.exit(2)
}
const chosen = BENCHMARKS.filter(({ name }) => names.length === 0 || names.includes(name))
if (names.includes(GROWTH)) chosen.push(createGrowth(readRows(), console.log))
if (names.includes(PEERS)) chosen.push(await installPeers())

const directory = await mkdtemp(join(tmpdir(), 'hubline-bench-'))
// When root runs this, the database's own account must be able to enter, or the database lands elsewhere.
await chmod(directory, 0o755)
const embedded = await openEmbeddedPostgres({ dataDir: directory })
const sql = openPool(embedded.url, { max: 20, name: 'bench' })
const ring: KeyRing = [{ id: 'bench', bytes: randomBytes(32) }]
try {
  await migrate(sql)
  for (const benchmark of chosen) {
    console.log(`${benchmark.name} (${benchmark.goal})`)
    const results = await benchmark.run({ sql, databaseUrl: embedded.url, keyRing: () => ring })
    for (const result of results) console.log(formatResult(result))
  }
} finally {
  await sql.end()
  await embedded[Symbol.asyncDispose]()
  await rm(directory, { recursive: true, force: true })
}
if (names.length === 0) {
  console.log(`\n\`npm run bench -- ${GROWTH}\` measures what statements read of large tables, and takes long.`)
  console.log(`\`npm run bench -- ${PEERS}\` installs other job queues and compares deliveries with them.`)
}

/** The shares of the smaller tables are whole numbers. */
function readRows(): number {
  const rows = Number(values.rows ?? GROWTH_ROWS)
  if (rows > 0 && rows % 10_000 === 0) return rows
  console.error('--rows is a multiple of 10,000.')
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
