import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Benchmark } from '../server/bench/benchmark.ts'
import { deliver } from '../server/bench/deliver/deliver.ts'
import { formatResult } from '../server/bench/format-result.ts'
import { gate } from '../server/bench/gate.ts'
import { inbound } from '../server/bench/inbound.ts'
import { send } from '../server/bench/send.ts'
import type { KeyRing } from '../server/src/kernel/crypto/key-ring.ts'
import { openEmbeddedPostgres } from '../server/src/kernel/db/embedded/embedded-postgres.ts'
import { migrate } from '../server/src/kernel/db/migrate.ts'
import { openPool } from '../server/src/kernel/db/pool.ts'

/**
 * `npm run bench [-- name …]`: each figure is a ratio to a baseline of the same
 * run, since absolute numbers say more about the machine than about the hub.
 */
const BENCHMARKS: Benchmark[] = [gate, send, inbound, deliver]

const names = process.argv.slice(2)
const unknown = names.filter((name) => !BENCHMARKS.some((benchmark) => benchmark.name === name))
if (unknown.length > 0) {
  console.error(`No benchmark ${unknown.join(', ')}. There are: ${BENCHMARKS.map(({ name }) => name).join(', ')}.`)
  process.exit(2)
}

const directory = await mkdtemp(join(tmpdir(), 'hubline-bench-'))
// When root runs this, the database's own account must be able to enter, or the database lands elsewhere.
await chmod(directory, 0o755)
const embedded = await openEmbeddedPostgres({ dataDir: directory })
const sql = openPool(embedded.url, { max: 20, name: 'bench' })
const ring: KeyRing = [{ id: 'bench', bytes: randomBytes(32) }]
try {
  await migrate(sql)
  for (const benchmark of BENCHMARKS.filter(({ name }) => names.length === 0 || names.includes(name))) {
    console.log(`${benchmark.name} (${benchmark.goal})`)
    const results = await benchmark.run({ sql, databaseUrl: embedded.url, keyRing: () => ring })
    for (const result of results) console.log(formatResult(result))
  }
} finally {
  await sql.end()
  await embedded[Symbol.asyncDispose]()
  await rm(directory, { recursive: true, force: true })
}
