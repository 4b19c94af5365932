import postgres from 'postgres'
import { withAfterCommit } from './after-commit.ts'
import { socketOptions } from './connection-url.ts'
import { databaseSocket } from './socket.ts'

export type Pool = postgres.Sql<Record<string, never>>
/** A pool or a transaction: what a store function needs. */
export type Sql = postgres.ISql<Record<string, never>>
/** The caller's transaction. */
export type Tx = postgres.TransactionSql<Record<string, never>>

/** A JSON value as the driver takes it for a jsonb column. */
export type Json = postgres.JSONValue

const STATEMENT_TIMEOUT_MS = 30_000
const CONNECT_TIMEOUT_SECONDS = 5

export type PoolOptions = {
  max: number
  name: string
  /** Called for every statement that is sent; tests count them. */
  onStatement?: () => void
}

export function openPool(url: string, { max, name, onStatement }: PoolOptions): Pool {
  const settings = {
    max,
    socket: databaseSocket,
    connect_timeout: CONNECT_TIMEOUT_SECONDS,
    // Short enough to reconnect at once, long enough not to flood a database that is down.
    backoff: () => 0.2,
    onnotice: () => {},
    ...(onStatement && { debug: () => onStatement() }),
    types: { date: isoTimestamp },
    connection: {
      application_name: name,
      TimeZone: 'UTC',
      // A statement is planned once for a connection: planning the larger ones anew costs more than carrying them out.
      plan_cache_mode: 'force_generic_plan',
      // So a plan may be older than most of a table's rows: it must not read them all, however few they were.
      enable_seqscan: 'off',
      statement_timeout: STATEMENT_TIMEOUT_MS,
      idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
    },
  }
  return withAfterCommit(postgres(url, { ...settings, ...socketOptions(url) }) as unknown as Pool)
}

/** Timestamps leave the pool in the form they have on the wire, so that a row can be an answer. */
const isoTimestamp = {
  to: 1184,
  from: [1082, 1114, 1184],
  serialize: (value: Date | string) => (value instanceof Date ? value.toISOString() : value),
  parse: (text: string) => new Date(text).toISOString(),
}

const AWAY_CODES = new Set([
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
  '53300', // too many connections
  '57P01', // shut down by an administrator
  '57P02', // crash of another backend
  '57P03', // starting up or shutting down
])

/** Whether a failed statement says that the database is away, as opposed to a mistake of ours. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false
  return AWAY_CODES.has(error.code) || error.code.startsWith('08')
}

/** The name of the unique or check constraint that refused a statement, if one did. */
export function violatedConstraint(error: unknown): string | undefined {
  return error instanceof postgres.PostgresError ? error.constraint_name : undefined
}

/** The SQLSTATE with which a statement was refused, if the server refused it. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof postgres.PostgresError ? error.code : undefined
}

/**
 * Whether an uncaught error is the driver's (3.4.9) way of losing a connection:
 * it loads a new connection's array types in an unawaited promise, and writes to a
 * connection that closed during a transaction. The statements concerned reject.
 */
export function isLostConnection(error: unknown): boolean {
  if (isDatabaseAway(error)) return true
  return error instanceof TypeError && /node_modules\/postgres\/src\/connection\.js/.test(error.stack ?? '')
}
