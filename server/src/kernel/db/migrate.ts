import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LOCKS, retryLocked } from './locks.ts'
import type { Pool, Tx } from './pool.ts'

const MIGRATIONS = join(import.meta.dirname, '../../../migrations')
const MINIMUM_SERVER = 150_000

/** Arbitrary, but the same in every process of every version. */
const ADVISORY_LOCK = 7_482_519_340_021

type Migration = { version: number; name: string; text: string; checksum: string }

export class UnsupportedDatabase extends Error {
  override name = 'UnsupportedDatabase'
}

/**
 * Applies the pending migrations in one transaction under an advisory lock. Of
 * several processes that start at once, one applies them and the others find
 * them applied. A migration that fails rolls all of them back; one that finds a
 * table locked is repeated for a minute.
 */
export async function migrate(pool: Pool, directory = MIGRATIONS): Promise<{ applied: string[] }> {
  const migrations = await readMigrations(directory)
  return retryLocked(LOCKS.migration, () => pool.begin((tx) => applyPending(tx, migrations)))
}

async function applyPending(tx: Tx, migrations: Migration[]): Promise<{ applied: string[] }> {
  refuseOldServer(await findServerVersion(tx))
  await tx`select pg_advisory_xact_lock(${ADVISORY_LOCK}::bigint)`
  // Statements of running processes would queue behind a lock that waits for a backup.
  await tx.unsafe(`set local lock_timeout = ${LOCKS.migration.timeoutMs}`)
  await tx`
    create table if not exists schema_migrations (
      version integer primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`
  const done = await tx<{ version: number; name: string; checksum: string }[]>`
    select version, name, checksum
    from schema_migrations
    order by version`
  requireKnownHistory(done, migrations)

  const pending = migrations.slice(done.length)
  for (const { version, name, text, checksum } of pending) {
    await tx.unsafe(text)
    await tx`insert into schema_migrations (version, name, checksum) values (${version}, ${name}, ${checksum})`
  }
  return { applied: pending.map((migration) => migration.name) }
}

type ServerVersion = { number: number; version: string }

async function findServerVersion(tx: Tx): Promise<ServerVersion> {
  const [row] = await tx<ServerVersion[]>`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as version`
  if (!row) throw new Error('A select without a table returned no row')
  return row
}

export function refuseOldServer({ number, version }: ServerVersion): void {
  if (number >= MINIMUM_SERVER) return
  throw new UnsupportedDatabase(`The database is PostgreSQL ${version}, but Hubline needs PostgreSQL 15 or newer`)
}

/** Migrations only go forward: the applied ones must be a prefix of this version's, with equal checksums. */
function requireKnownHistory(done: { version: number; name: string; checksum: string }[], known: Migration[]): void {
  for (const [index, applied] of done.entries()) {
    const migration = known[index]
    if (!migration) {
      throw new UnsupportedDatabase(
        `The database was migrated by a newer Hubline (${applied.name}); start that version`,
      )
    }
    if (migration.version !== applied.version || migration.checksum !== applied.checksum) {
      throw new UnsupportedDatabase(
        `The migration ${applied.name} differs from the one that was applied to this database`,
      )
    }
  }
}

async function readMigrations(directory: string): Promise<Migration[]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql')).sort()
  return Promise.all(
    files.map(async (file, index) => {
      const text = await readFile(join(directory, file), 'utf8')
      const version = Number.parseInt(file, 10)
      if (version !== index + 1)
        throw new Error(`Migrations are numbered without gaps, but ${file} is not number ${index + 1}`)
      return { version, name: file, text, checksum: createHash('sha256').update(text).digest('hex') }
    }),
  )
}
