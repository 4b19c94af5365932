import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbeddedPostgres } from '../../src/kernel/db/embedded/embedded-postgres.ts'
import { migrate } from '../../src/kernel/db/migrate.ts'
import { createPartitions } from '../../src/kernel/db/partitions.ts'
import { openPool, type Pool } from '../../src/kernel/db/pool.ts'
import { removeLater } from '../removal.ts'

const DAY_MS = 86_400_000
export const LOG_DAYS = 35
export const PARTITIONED = ['messages', 'events', 'callbacks', 'deliveries', 'delivery_attempts']

/** Plans change only when the benchmark gathers statistics, and filling writes little besides the rows. */
const SETTINGS = {
  shared_preload_libraries: 'pg_stat_statements',
  autovacuum: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '4GB',
  maintenance_work_mem: '256MB',
}

export type GrowthDatabase = AsyncDisposable & { url: string; sql: Pool }

/** A database in a temporary directory that counts the blocks of each statement, with partitions for 35 days. */
export async function openGrowthDatabase(): Promise<GrowthDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hubline-growth-'))
  // When root runs this, the database's own account must be able to enter.
  await chmod(dataDir, 0o755)
  await configure(dataDir)
  const embedded = await openEmbeddedPostgres({ dataDir, durable: false })
  const remove = removeLater(async () => {
    await embedded[Symbol.asyncDispose]()
    await rm(dataDir, { recursive: true, force: true })
  })
  const sql = openPool(embedded.url, { max: 2, name: 'growth', statementTimeoutMs: 0 })
  await migrate(sql)
  await sql`create extension pg_stat_statements`
  const first = new Date(Date.now() - LOG_DAYS * DAY_MS)
  for (const table of PARTITIONED) await createPartitions(sql, table, first, LOG_DAYS + 2)
  return {
    url: embedded.url,
    sql,
    async [Symbol.asyncDispose]() {
      await sql.end()
      await remove()
    },
  }
}

/** The settings need a restart: the server stops when the last process closes it. */
async function configure(dataDir: string): Promise<void> {
  await using embedded = await openEmbeddedPostgres({ dataDir, durable: false })
  const sql = openPool(embedded.url, { max: 1, name: 'growth' })
  for (const [name, value] of Object.entries(SETTINGS)) await sql.unsafe(`alter system set ${name} = '${value}'`)
  await sql.end()
}
