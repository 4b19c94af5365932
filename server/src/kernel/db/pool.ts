import postgres from 'postgres'
import { parseSocketUrl } from './connection-url.ts'
import { addArrayTypes } from './driver/array-types.ts'
import { type ConnectionSlots, createConnectionSlots } from './driver/connection-slots.ts'
import { fixDriverQueries } from './driver/queries.ts'
import { closeSilentConnections } from './driver/silent-connections.ts'
import { connectToServer, isSocketError, padSetting, type ServerAddress } from './driver/socket.ts'
import { parseTimestamp } from './driver/timestamps.ts'

export type Pool = postgres.Sql<Record<string, never>>
/** A pool or a transaction: what a store function needs. */
export type Sql = postgres.ISql<Record<string, never>>
/** The caller's transaction. */
export type Tx = postgres.TransactionSql<Record<string, never>>

/** A part of a statement, or a statement that was not sent yet. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>

/** A JSON value as the driver takes it for a jsonb column. */
export type Json = postgres.JSONValue

const STATEMENT_TIMEOUT_MS = 30_000
const CONNECT_TIMEOUT_SECONDS = 5

export type PoolOptions = {
  max: number
  name: string
  /** 0 for none, as a migration of a large table needs. */
  statementTimeoutMs?: number
  /** Called for every statement that is sent; tests count and explain them. */
  onStatement?: (text: string, values: unknown[]) => void
}

const urls = new WeakMap<Pool, string>()

export function openPool(url: string, options: PoolOptions): Pool {
  const { max, name, statementTimeoutMs = STATEMENT_TIMEOUT_MS, onStatement } = options
  const slots = createConnectionSlots(max, () => silentConnections.watch())
  const silentConnections = closeSilentConnections(slots, statementTimeoutMs)
  const settings = {
    // One more than there are slots, for the time in which the driver replaces a connection at the end of its lifetime.
    max: max + 1,
    socket: (address: ServerAddress) => silentConnections.track(connectToServer(address)),
    connect_timeout: CONNECT_TIMEOUT_SECONDS,
    // Short enough to reconnect at once, long enough not to flood a database that is down.
    backoff: () => 0.2,
    onnotice: () => {},
    fetch_types: false,
    ...(onStatement && { debug: (_connection: number, text: string, values: unknown[]) => onStatement(text, values) }),
    types: { date: ISO_TIMESTAMP },
    connection: {
      application_name: name,
      TimeZone: 'UTC',
      // One plan per connection and statement: planning the statements of a send takes three times as long as running them.
      plan_cache_mode: 'force_generic_plan',
      // A plan may be older than most rows of a table: made for an empty one, it scans 100,000 rows in 89 ms, not 0.2.
      enable_seqscan: 'off',
      // It sorts all rows of one organization, and the planner assumes that each has about as many as another.
      enable_incremental_sort: 'off',
      // Before PostgreSQL 18 a plan that reads a whole table all the same counts as so expensive that each execution compiles it.
      jit: 'off',
      statement_timeout: statementTimeoutMs,
      // The driver takes any value as text.
      idle_in_transaction_session_timeout: padSetting(STATEMENT_TIMEOUT_MS) as unknown as number,
    },
  }
  const sql = postgres(url, { ...settings, ...parseSocketUrl(url) }) as unknown as Pool
  addArrayTypes(sql)
  fixDriverQueries(sql, slots)
  urls.set(sql, url)
  return withTransactions(sql, slots)
}

/** Opens another pool for the same database. */
export function openPoolBeside(sql: Pool, options: PoolOptions): Pool {
  return openPool(urls.get(sql) ?? '', options)
}

/** Timestamps leave the pool in the form that they have in API responses, so that a row can be one. */
const ISO_TIMESTAMP = {
  to: 1184,
  from: [1082, 1114, 1184],
  serialize: (value: Date | string) => (value instanceof Date ? value.toISOString() : value),
  parse: parseTimestamp,
}

const afterCommitCalls = new WeakMap<Tx, (() => void)[]>()
const afterFailureCalls = new WeakMap<Tx, ((err: unknown) => void)[]>()

/** Calls `work` after the transaction commits, and never after a rollback. `work` must not throw and is not awaited. */
export function afterCommit(tx: Tx, work: () => void): void {
  addCall(afterCommitCalls, tx, work)
}

/** Calls `work` with the error if the transaction fails. `work` must not throw and is not awaited. */
export function afterFailure(tx: Tx, work: (err: unknown) => void): void {
  addCall(afterFailureCalls, tx, work)
}

function addCall<Call>(calls: WeakMap<Tx, Call[]>, tx: Tx, call: Call): void {
  const known = calls.get(tx)
  if (known) known.push(call)
  else calls.set(tx, [call])
}

/** Makes the transactions of the pool wait for a slot, and call what was passed to `afterCommit` or `afterFailure`. */
function withTransactions(sql: Pool, slots: ConnectionSlots): Pool {
  const begin = sql.begin.bind(sql) as (work: (tx: Tx) => unknown) => Promise<unknown>
  async function beginInSlot(work: (tx: Tx) => unknown): Promise<unknown> {
    const release = await slots.acquire()
    let transaction: Tx | undefined
    const callsOf = <Call>(calls: WeakMap<Tx, Call[]>): Call[] => (transaction && calls.get(transaction)) ?? []
    const result = await begin((tx) => {
      transaction = tx
      return work(tx)
    })
      .finally(release)
      .catch((err) => {
        for (const call of callsOf(afterFailureCalls)) call(err)
        throw err
      })
    for (const call of callsOf(afterCommitCalls)) call()
    return result
  }
  return Object.assign(sql, { begin: beginInSlot as Pool['begin'] })
}

const UNAVAILABLE_CODES = new Set([
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EPIPE',
  'ETIMEDOUT',
  '28000', // the account may not log in
  '28P01', // the password is wrong
  '3D000', // the database does not exist
  '55000', // the database takes no connections
  '57014', // the statement took too long
  '25006', // read-only, as a replica after a failover
  '53100', // disk full
  '53200', // out of memory, or of room for locks
  '53300', // too many connections
  '57P01', // shut down by an administrator
  '57P02', // crash of another backend
  '57P03', // starting up or shutting down
])

/** Whether a statement failed because the database cannot be reached, cannot write or is too slow, and not because of the statement. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false
  return UNAVAILABLE_CODES.has(error.code) || error.code.startsWith('08')
}

/** The SQLSTATE of an error that the server reported. */
export function readSqlState(error: unknown): string | undefined {
  return error instanceof postgres.PostgresError ? error.code : undefined
}

/**
 * Whether an uncaught error was raised by the driver (3.4.9) for a connection that it lost: it writes to a connection that
 * closed during a transaction. The statements concerned reject as well.
 */
export function isDriverError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return isSocketError(error) || /node_modules\/postgres\/src\//.test(error.stack ?? '')
}
