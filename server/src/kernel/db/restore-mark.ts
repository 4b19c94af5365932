import { existsSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseDatabaseUrl } from './connection-url.ts'
import { openConnection } from './driver/connection.ts'
import type { Sql } from './pool.ts'

/**
 * It stands in a database from before a restore until its hold is set, so that a restore that is interrupted in between leaves no
 * hub that sends. Beside a database of the hub's own it is a file, and in another one an empty table.
 */
export const RESTORE_MARK = 'hubline_restored'

/** `directory` is that of the database, or undefined for one of the operator's. */
type Marked = { sql: Sql; directory: string | undefined }

export async function markDirectory(directory: string): Promise<void> {
  await writeFile(join(directory, RESTORE_MARK), '', { mode: 0o600 })
}

/** Work that fails leaves no mark. */
export async function withMarkedDatabase(url: string, work: () => Promise<void>): Promise<void> {
  await runAt(url, (sql) => sql`create table if not exists hubline_restored ()`)
  try {
    await work()
  } catch (err) {
    await runAt(url, (sql) => sql`drop table if exists hubline_restored`)
    throw err
  }
}

export async function isMarked({ sql, directory }: Marked): Promise<boolean> {
  if (directory !== undefined) return existsSync(join(directory, RESTORE_MARK))
  const [found] = await sql<{ exists: boolean }[]>`select to_regclass('hubline_restored') is not null as exists`
  return found?.exists ?? false
}

export async function removeMark({ sql, directory }: Marked): Promise<void> {
  if (directory !== undefined) await rm(join(directory, RESTORE_MARK), { force: true })
  else await sql`drop table if exists hubline_restored`
}

async function runAt(url: string, statement: (sql: Sql) => PromiseLike<unknown>): Promise<void> {
  const connection = await openConnection(parseDatabaseUrl(url), { name: 'hubline restore', statementTimeoutMs: 0 })
  try {
    await statement(connection.sql)
  } finally {
    await connection.end()
  }
}
