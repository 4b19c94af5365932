import type { Connection } from './driver/connection.ts'
import { LOCKS, retryLocked } from './locks.ts'
import { runTransaction, type Tx } from './pool.ts'

/** The first line of the file: whether processes wait for it before they serve. */
const STARTS = { '-- before serving': true, '-- beside traffic': false } as const
const STEP = /^-- (index|backfill)$/m
const INDEX =
  /^create (?<unique>unique )?index concurrently (?<name>[a-z]\w*) on (?<table>[a-z]\w*)\s+(?<rest>[\s\S]+)$/
const COMMENT_LINE = /^--.*$/gm
/** The index of a partition has a longer name, and PostgreSQL cuts names at 63 bytes. */
const INDEX_NAME_LENGTH_MAX = 50

type IndexStep = { kind: 'index'; name: string; table: string; create: string; rest: string }
type Step = IndexStep | { kind: 'backfill'; statement: string }
export type OnlineMigration = { isBeforeServing: boolean; steps: Step[] }

/**
 * Reads the file of an online migration. Its first line says when it runs, and each step begins with a line of its own:
 *
 *     -- beside traffic
 *     -- index
 *     create index concurrently messages_by_recipient on messages (organization_id, recipient);
 *     -- backfill
 *     with batch as (… where id > coalesce($1, '')::int order by id limit 1000), changed as (update …)
 *     select max(id)::text as next from batch;
 *
 * A backfill is one statement for one batch. It gets the place at which the batch begins, null at first, and returns one row
 * with the place at which the next begins, null after the last.
 */
export function parseOnlineMigration(file: string, text: string): OnlineMigration {
  const [first = ''] = text.split('\n', 1)
  if (!Object.hasOwn(STARTS, first)) {
    throw new Error(`${file} must begin with one of these lines: ${Object.keys(STARTS).join(', ')}`)
  }
  // The pattern has one group, so that kinds and texts alternate.
  const [head = '', ...parts] = text.split(STEP)
  if (removeComments(head) !== '') throw new Error(`${file} has a statement before its first step`)
  const steps = Array.from({ length: parts.length / 2 }, (_, n) =>
    parseStep(file, parts[2 * n] as Step['kind'], removeComments(parts[2 * n + 1] ?? '')),
  )
  return { isBeforeServing: STARTS[first as keyof typeof STARTS], steps }
}

function removeComments(text: string): string {
  return text.replaceAll(COMMENT_LINE, '').trim().replace(/;$/, '')
}

function parseStep(file: string, kind: Step['kind'], statement: string): Step {
  if (kind === 'backfill') return { kind, statement }
  const { unique = '', name = '', table = '', rest = '' } = INDEX.exec(statement)?.groups ?? {}
  if (name === '') throw new Error(`${file} has a step that is not "create index concurrently NAME on TABLE …"`)
  if (name.length > INDEX_NAME_LENGTH_MAX) throw new Error(`${file} has an index name of more than 50 characters`)
  return { kind, name, table, create: `create ${unique}index`, rest }
}

/**
 * Runs the steps of a migration beside traffic, outside of a transaction, and from where an earlier run was interrupted. The
 * progress of an index is in the catalog: what is missing is built, and an invalid index is dropped first. The progress of a
 * backfill is committed with each of its batches.
 */
export async function runOnlineMigration(
  connection: Connection,
  { version, steps }: { version: number } & Pick<OnlineMigration, 'steps'>,
  onStep: (step: string) => void,
): Promise<void> {
  await connection.sql`
    create table if not exists online_migration_progress (
      version integer primary key,
      step integer not null,
      place text
    )`
  const [reached] = await connection.sql<{ step: number }[]>`
    select step
    from online_migration_progress
    where version = ${version}`
  for (const [number, step] of steps.entries()) {
    if (step.kind === 'index') await buildIndex(connection, step, onStep)
    else if (number >= (reached?.step ?? 0)) await backfill(connection, { version, number, ...step }, onStep)
  }
}

/** A step takes long if it reads so many bytes of a table, or changes so many rows. */
const LONG = { indexedBytes: 2 ** 30, filledRows: 1_000_000 }
const FILLED_TABLE = /\b(?:update|delete\s+from|from)\s+([a-z]\w*)/

/** A step with the size of its table: the rows as the database estimates them, null where it does not know them yet, and the bytes. */
export type PlannedStep = {
  step: string
  table: string | null
  rows: number | null
  bytes: number | null
  takes_long: boolean
}

export async function planSteps(connection: Connection, { steps }: OnlineMigration): Promise<PlannedStep[]> {
  const planned: PlannedStep[] = []
  for (const [number, step] of steps.entries()) {
    const table = step.kind === 'index' ? step.table : (FILLED_TABLE.exec(step.statement)?.[1] ?? null)
    const { rows, bytes } = table === null ? { rows: null, bytes: null } : await measureTable(connection, table)
    const isLargeIndex = step.kind === 'index' && (bytes ?? 0) >= LONG.indexedBytes
    const isLargeFill = step.kind === 'backfill' && (rows ?? 0) >= LONG.filledRows
    planned.push({ step: describeStep(step, number), table, rows, bytes, takes_long: isLargeIndex || isLargeFill })
  }
  return planned
}

function describeStep(step: Step, number: number): string {
  return step.kind === 'index' ? `building index ${step.name}` : `filling rows (step ${number + 1})`
}

/** A table that does not exist yet has no rows. */
async function measureTable({ sql }: Connection, table: string): Promise<{ rows: number | null; bytes: number }> {
  const [row] = await sql<{ rows: number | null; bytes: number }[]>`
    with parts as (
      select c.oid, c.reltuples
      from pg_class c
      where (c.oid = to_regclass(${table}) or c.oid in (select relid from pg_partition_tree(to_regclass(${table}))))
        and c.relkind = 'r'
    )
    select
      case when min(reltuples) >= 0 then sum(reltuples)::float8 end as rows,
      coalesce(sum(pg_table_size(oid)), 0)::float8 as bytes
    from parts`
  return row ?? { rows: 0, bytes: 0 }
}

/** For the transaction that records the migration as applied. */
export async function forgetProgress(tx: Tx, version: number): Promise<void> {
  await tx`delete from online_migration_progress where version = ${version}`
}

async function buildIndex(connection: Connection, step: IndexStep, onStep: (step: string) => void): Promise<void> {
  const { table, name } = step
  const [row] = await connection.sql<{ is_partitioned: boolean }[]>`
    select relkind = 'p' as is_partitioned
    from pg_class
    where oid = ${table}::regclass`
  if (!row?.is_partitioned) return buildConcurrently(connection, step, onStep)

  await lockBriefly(connection, (tx) =>
    tx.unsafe(step.create.replace('index', `index if not exists ${name} on only ${table} ${step.rest}`)),
  )
  for (const partition of await listPartitionsWithout(connection, step)) {
    const own = `${name}_${partition.startsWith(`${table}_`) ? partition.slice(table.length + 1) : partition}`
    await buildConcurrently(connection, { ...step, table: partition, name: own }, onStep)
    await lockBriefly(connection, async (tx) => {
      // The partition may have expired meanwhile.
      const [found] = await tx`select to_regclass(${own}) is not null as exists`
      if (found?.exists) await tx.unsafe(`alter index ${name} attach partition ${own}`)
    })
  }
}

/** Oldest first: a partition that expires during the work has its index by then. */
async function listPartitionsWithout({ sql }: Connection, { table, name }: IndexStep): Promise<string[]> {
  const rows = await sql<{ partition: string }[]>`
    select c.relname as partition
    from pg_inherits i
    join pg_class c on c.oid = i.inhrelid
    where i.inhparent = ${table}::regclass
      and not exists (
        select
        from pg_index x
        join pg_inherits part on part.inhrelid = x.indexrelid
        where x.indrelid = c.oid
          and part.inhparent = ${name}::regclass
      )
    order by c.relname`
  return rows.map(({ partition }) => partition)
}

/** Waits for older transactions without a timeout: no statement of the hub queues behind this lock. */
async function buildConcurrently(
  connection: Connection,
  { table, name, create, rest }: IndexStep,
  onStep: (step: string) => void,
): Promise<void> {
  const { sql } = connection
  await retryLocked(LOCKS.migration, async () => {
    const [found] = await sql<{ has_table: boolean; is_valid: boolean | null }[]>`
      select
        to_regclass(${table}) is not null as has_table,
        (select indisvalid from pg_index where indexrelid = to_regclass(${name})) as is_valid`
    if (!found?.has_table || found.is_valid) return
    if (found.is_valid === false) await sql.unsafe(`drop index concurrently ${name}`)
    onStep(`building index ${name}`)
    await sql.unsafe(`${create} concurrently ${name} on ${table} ${rest}`)
  })
}

async function backfill(
  connection: Connection,
  { version, number, statement }: { version: number; number: number; statement: string },
  onStep: (step: string) => void,
): Promise<void> {
  onStep(`filling rows (step ${number + 1})`)
  let hasMore = true
  while (hasMore) {
    hasMore = await lockBriefly(connection, async (tx) => {
      const [reached] = await tx<{ place: string | null }[]>`
        select place
        from online_migration_progress
        where version = ${version}
          and step = ${number}`
      const [row] = await tx.unsafe(statement, [reached?.place ?? null])
      const next: string | null = row?.next ?? null
      const step = next === null ? number + 1 : number
      await tx`
        insert into online_migration_progress (version, step, place)
        values (${version}, ${step}, ${next})
        on conflict (version) do update set step = excluded.step, place = excluded.place`
      return next !== null
    })
  }
}

/** Runs a transaction that must not hold up the traffic: it waits for a lock only shortly, and is repeated. */
export function lockBriefly<T>(connection: Connection, work: (tx: Tx) => T | PromiseLike<T>): Promise<T> {
  return retryLocked(LOCKS.migration, () =>
    runTransaction(connection, async (tx) => {
      await tx.unsafe(`set local lock_timeout = ${LOCKS.migration.timeoutMs}`)
      return work(tx)
    }),
  )
}
