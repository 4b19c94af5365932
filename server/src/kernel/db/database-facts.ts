import { parseDatabaseUrl } from './connection-url.ts'
import { openConnection } from './driver/connection.ts'
import type { Sql } from './pool.ts'
import { RESTORE_MARK } from './restore-mark.ts'

/** The major version of a server, and if the schema has tables beside the mark of a restore: as far as it can be told without a pool. */
export async function readDatabaseFacts(url: string): Promise<{ major: number; hasTables: boolean }> {
  const connection = await openConnection(parseDatabaseUrl(url), { name: 'hubline backup', statementTimeoutMs: 0 })
  try {
    const [row] = await connection.sql<{ major: number; has_tables: boolean }[]>`
      select
        current_setting('server_version_num')::int / 10000 as major,
        exists (
          select
          from pg_class
          where relnamespace = current_schema()::regnamespace
            and relkind in ('r', 'p')
            and relname <> ${RESTORE_MARK}
        ) as has_tables`
    return { major: row?.major ?? 0, hasTables: row?.has_tables ?? false }
  } finally {
    await connection.end()
  }
}

/** As long as it is the same, nothing was written: every transaction that writes has a number of its own. */
export async function readNextTransaction(sql: Sql): Promise<string> {
  const [row] = await sql<{ next: string }[]>`select pg_snapshot_xmax(pg_current_snapshot())::text as next`
  return row?.next ?? ''
}
