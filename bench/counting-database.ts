import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbeddedPostgres } from '../server/src/kernel/db/embedded/embedded-postgres.ts'
import { openPool, type Pool } from '../server/src/kernel/db/pool.ts'
import { removeLater } from './removal.ts'

type Options = { durable: boolean; settings?: Record<string, string> }

export type CountingDatabase = AsyncDisposable & { url: string; sql: Pool }

/** A server in a temporary directory that counts statements. It vacuums and gathers statistics only when it is asked to. */
export async function openCountingDatabase({ durable, settings = {} }: Options): Promise<CountingDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hubline-bench-'))
  // When root runs this, the database's own account must be able to enter.
  await chmod(dataDir, 0o755)
  await configure(dataDir, { shared_preload_libraries: 'pg_stat_statements', autovacuum: 'off', ...settings })
  const embedded = await openEmbeddedPostgres({ dataDir, durable })
  const remove = removeLater(async () => {
    await embedded[Symbol.asyncDispose]()
    await rm(dataDir, { recursive: true, force: true })
  })
  const sql = openPool(embedded.url, { max: 2, name: 'bench', statementTimeoutMs: 0 })
  await sql`create extension pg_stat_statements`
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
async function configure(dataDir: string, settings: Record<string, string>): Promise<void> {
  await using embedded = await openEmbeddedPostgres({ dataDir, durable: false })
  const sql = openPool(embedded.url, { max: 1, name: 'bench' })
  for (const [name, value] of Object.entries(settings)) await sql.unsafe(`alter system set ${name} = '${value}'`)
  await sql.end()
}

/** The URL of another database of the same server. */
export function toDatabaseUrl(url: string, name: string): string {
  const other = new URL(url)
  other.pathname = `/${name}`
  return other.href
}
