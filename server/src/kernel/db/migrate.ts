import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection } from './driver/connection.ts'
import {
  forgetProgress,
  lockBriefly,
  type OnlineMigration,
  type PlannedStep,
  parseOnlineMigration,
  planSteps,
  runOnlineMigration,
} from './online-migration.ts'
import { connectBeside, type Pool } from './pool.ts'

const MIGRATIONS = join(import.meta.dirname, '../../../migrations')
const MINIMUM_SERVER = 150_000
const ONLINE = '.online.sql'

/**
 * Arbitrary, but the same in every process of every version. An online migration has its own lock: a newer version, which
 * starts while one is under way, must not wait for it.
 */
const ADVISORY_LOCKS = { transactional: 7_482_519_340_021n, online: 7_482_519_340_022n }
const LOCK_POLL_MS = 200

const DEFINITIONS: PlannedStep = { step: 'applying', table: null, rows: null, bytes: null, takes_long: false }

type Migration = { version: number; name: string; text: string; checksum: string; online: OnlineMigration | undefined }
type Applied = { version: number; name: string; checksum: string }

export class UnsupportedDatabase extends Error {
  override name = 'UnsupportedDatabase'
}

export type MigrateOptions = {
  directory?: string
  /** Called before each step, which it gets as a phrase such as `building index messages_by_recipient`. */
  onStep?: (migration: string, step: string) => void
  /** Ends the work. A statement that runs may still finish in the database; the next run goes on from there. */
  signal?: AbortSignal | undefined
}

/**
 * Applies every pending migration. Each ordinary one is a transaction with its row in `schema_migrations`; online ones
 * follow, and run beside traffic. Of several processes that start at once, one applies them and the others find them
 * applied: locks belong to a session, and a process that waits for one has no transaction open, for which the build of an
 * index would wait in turn. An ordinary migration that finds a table locked is repeated for a minute.
 */
export async function migrate(pool: Pool, options: MigrateOptions = {}): Promise<{ applied: string[] }> {
  return run(pool, options, (pending) => [...listNeeded(pending), ...pending])
}

/**
 * Applies what a process needs before it serves: ordinary migrations, and online ones up to the last that is marked
 * `before serving`. `later` names the others, which `migrate` applies while the hub works.
 */
export async function migrateBeforeServing(
  pool: Pool,
  options: MigrateOptions = {},
): Promise<{ applied: string[]; later: string[] }> {
  return run(pool, options, listNeeded)
}

/** A pending migration, and its steps. An ordinary one changes definitions, which takes no longer on a large table. */
export type PlannedMigration = {
  migration: string
  runs: 'before serving' | 'beside traffic'
  steps: PlannedStep[]
}

/** Reads which migrations would run, in their order, and applies nothing. `applied` counts the earlier ones. */
export async function planMigrations(
  pool: Pool,
  { directory = MIGRATIONS }: MigrateOptions = {},
): Promise<{ applied: number; pending: PlannedMigration[] }> {
  const migrations = await readMigrations(directory)
  const connection = await connectBeside(pool, 'hubline migration plan')
  try {
    refuseOldServer(await findServerVersion(connection))
    const history = await readHistory(connection)
    const pending = listPending(history, migrations)
    const needed = listNeeded(pending)
    const later = pending.filter((migration) => !needed.includes(migration))
    const planned: PlannedMigration[] = []
    for (const one of [...needed, ...later]) {
      const steps = one.online ? await planSteps(connection, one.online) : [DEFINITIONS]
      planned.push({ migration: one.name, runs: needed.includes(one) ? 'before serving' : 'beside traffic', steps })
    }
    return { applied: history.length, pending: planned }
  } finally {
    await connection.end()
  }
}

/** The order is the same for a new database and an upgrade: what is needed to serve comes first. */
function listNeeded(pending: Migration[]): Migration[] {
  const last = pending.findLastIndex(({ online }) => online?.isBeforeServing)
  return pending.filter(({ online }, index) => online === undefined || index <= last)
}

async function run(
  pool: Pool,
  { directory = MIGRATIONS, onStep = () => {}, signal }: MigrateOptions,
  choose: (pending: Migration[]) => Migration[],
): Promise<{ applied: string[]; later: string[] }> {
  const migrations = await readMigrations(directory)
  signal?.throwIfAborted()
  const connection = await connectBeside(pool, 'hubline migrations', 0)
  const abort = () => connection.destroy()
  signal?.addEventListener('abort', abort)
  const held = new Set<bigint>()
  const applied: string[] = []
  try {
    refuseOldServer(await findServerVersion(connection))
    for (;;) {
      const pending = listPending(await readHistory(connection), migrations)
      const [next] = choose(pending)
      if (!next) return { applied, later: pending.map(({ name }) => name) }
      const lock = next.online ? ADVISORY_LOCKS.online : ADVISORY_LOCKS.transactional
      if (held.has(lock)) {
        await apply(connection, next, (step) => onStep(next.name, step))
        applied.push(next.name)
      } else {
        // Another process may have applied it by then.
        await takeLock(connection, lock)
        held.add(lock)
      }
    }
  } finally {
    signal?.removeEventListener('abort', abort)
    // A connection pooler may keep the session.
    if (connection.isOpen()) await connection.sql`select pg_advisory_unlock_all()`.catch(() => {})
    await connection.end()
  }
}

/** Without a transaction, and so without a snapshot, for which an index that is built concurrently would wait. */
async function takeLock({ sql }: Connection, key: bigint): Promise<void> {
  for (;;) {
    const [row] = await sql<{ is_held: boolean }[]>`select pg_try_advisory_lock(${key}::bigint) as is_held`
    if (row?.is_held) return
    await sleep(LOCK_POLL_MS)
  }
}

async function apply(connection: Connection, migration: Migration, onStep: (step: string) => void): Promise<void> {
  const { version, name, text, checksum, online } = migration
  if (online) await runOnlineMigration(connection, { version, ...online }, onStep)
  else onStep('applying')
  // Statements of running processes would queue behind a lock that waits for a backup.
  await lockBriefly(connection, async (tx) => {
    await tx`
      create table if not exists schema_migrations (
        version integer primary key,
        name text not null,
        checksum text not null,
        applied_at timestamptz not null default now()
      )`
    if (online) await forgetProgress(tx, version)
    else await tx.unsafe(text)
    await tx`insert into schema_migrations (version, name, checksum) values (${version}, ${name}, ${checksum})`
  })
}

async function readHistory({ sql }: Connection): Promise<Applied[]> {
  const [found] = await sql`select to_regclass('schema_migrations') is not null as exists`
  if (!found?.exists) return []
  return sql<Applied[]>`
    select version, name, checksum
    from schema_migrations
    order by version`
}

type ServerVersion = { number: number; version: string }

async function findServerVersion({ sql }: Connection): Promise<ServerVersion> {
  const [row] = await sql<ServerVersion[]>`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as version`
  if (!row) throw new Error('A select without a table returned no row')
  return row
}

export function refuseOldServer({ number, version }: ServerVersion): void {
  if (number >= MINIMUM_SERVER) return
  throw new UnsupportedDatabase(`The database is PostgreSQL ${version}, but Hubline needs PostgreSQL 15 or newer`)
}

/** Migrations only go forward: the applied ones must be known to this version, with equal checksums. */
function listPending(history: Applied[], known: Migration[]): Migration[] {
  for (const applied of history) {
    const migration = known[applied.version - 1]
    if (!migration) {
      throw new UnsupportedDatabase(
        `The database was migrated by a newer Hubline (${applied.name}); start that version`,
      )
    }
    if (migration.checksum !== applied.checksum) {
      throw new UnsupportedDatabase(
        `The migration ${applied.name} differs from the one that was applied to this database`,
      )
    }
  }
  const done = new Set(history.map(({ version }) => version))
  return known.filter(({ version }) => !done.has(version))
}

async function readMigrations(directory: string): Promise<Migration[]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql')).sort()
  return Promise.all(
    files.map(async (file, index) => {
      const text = await readFile(join(directory, file), 'utf8')
      const version = Number.parseInt(file, 10)
      if (version !== index + 1)
        throw new Error(`Migrations are numbered without gaps, but ${file} is not number ${index + 1}`)
      const checksum = createHash('sha256').update(text).digest('hex')
      const online = file.endsWith(ONLINE) ? parseOnlineMigration(file, text) : undefined
      return { version, name: file, text, checksum, online }
    }),
  )
}
