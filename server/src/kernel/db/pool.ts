import pg from 'pg'
import { parseDatabaseUrl } from './connection-url.ts'
import { type Connection, ConnectionLost, openConnection } from './driver/connection.ts'
import { createConnections, type Urgency } from './driver/connections.ts'
import { createListening, type Listen } from './driver/listening.ts'
import { compile, createSql, type Fragment, type Rows, type Sql, type Tx } from './driver/sql.ts'

export type { Fragment, Json, Sql, Tx } from './driver/sql.ts'

export const STATEMENT_TIMEOUT_MS = 30_000

export type PoolOptions = {
  max: number
  name: string
  /** 0 for none, as a migration of a large table needs. */
  statementTimeoutMs?: number
  /** For a connection and for a response on it, where the caller waits for less time than a statement may take. */
  responseTimeoutMs?: number
  /** Called for every statement that is sent; tests count and explain them. */
  onStatement?: (text: string, values: unknown[]) => void
  /** Reaches the same database past a connection pooler that gives each transaction another session. */
  directUrl?: string | undefined
  /** Called once, when the server allows fewer connections than `max`. */
  onLimit?: (connections: number) => void
}

/** A database, as many connections as it takes, and statements that each take one. */
export type Pool = Sql & {
  begin: <T, R = T>(work: (tx: Tx) => T | PromiseLike<T>, last?: LastStatements<T, R>) => Promise<R>
  /** For statements that must not wait for others: they go first, and keep a connection of a server that allows few. */
  urgent: Sql
  listen: Listen
  notify: (channel: string, payload: string) => Promise<void>
  /** Waits for the work that is under way, for this many seconds at most. */
  end: (options?: { timeout: number }) => Promise<void>
}

/**
 * Sends the last statements of a transaction, all before it waits for one of them, and the commit is sent behind them: a
 * statement that fails undoes the transaction, because the server then rolls back.
 */
type LastStatements<T, R> = (prepared: T) => Promise<R>

const urls = new WeakMap<Pool, { url: string; directUrl: string }>()

export function openPool(url: string, options: PoolOptions): Pool {
  const { max, name, statementTimeoutMs = STATEMENT_TIMEOUT_MS, onStatement, onLimit = () => {} } = options
  const target = parseDatabaseUrl(url)
  const settings = { name, statementTimeoutMs, onStatement, connectTimeoutMs: options.responseTimeoutMs }
  const connections = createConnections({
    max,
    open: () => openConnection(target, settings),
    responseTimeoutMs: options.responseTimeoutMs ?? statementTimeoutMs,
    onLimit,
  })
  const directUrl = options.directUrl ?? url
  const listening = createListening(() => openConnection(parseDatabaseUrl(directUrl), settings))

  async function run(fragment: Fragment, urgency: Urgency): Promise<Rows> {
    const compiled = compile(fragment)
    return withConnection(urgency, (connection) => connection.run(compiled))
  }

  async function withConnection<T>(urgency: Urgency, work: (connection: Connection) => Promise<T>): Promise<T> {
    const member = await connections.acquire(urgency)
    let failure: unknown
    try {
      return await work(member.connection)
    } catch (err) {
      failure = err
      throw err
    } finally {
      connections.release(member, failure)
    }
  }

  const sql = createSql((fragment) => run(fragment, 'normal'))
  const pool = Object.assign(sql, {
    begin: <T, R = T>(work: (tx: Tx) => T | PromiseLike<T>, last?: LastStatements<T, R>) =>
      withConnection('normal', (connection) => runTransaction(connection, work, last)),
    urgent: createSql((fragment) => run(fragment, 'urgent')),
    listen: listening.listen,
    notify: async (channel: string, payload: string) => void (await sql`select pg_notify(${channel}, ${payload})`),
    async end({ timeout }: { timeout?: number } = {}): Promise<void> {
      await Promise.all([listening.end(), connections.end(timeout === undefined ? undefined : timeout * 1000)])
    },
  })
  urls.set(pool, { url, directUrl })
  return pool
}

/** Opens another pool that takes the same way to the database. */
export function openPoolBeside(sql: Pool, options: PoolOptions): Pool {
  return openPool(readUrls(sql).url, options)
}

/** Opens another pool for the same database, for work that needs a session of its own. */
export function openDirectPool(sql: Pool, options: PoolOptions): Pool {
  return openPool(readUrls(sql).directUrl, options)
}

/** Opens a connection to the same database that no pool has. */
export function connectBeside(sql: Pool, name: string, statementTimeoutMs = STATEMENT_TIMEOUT_MS): Promise<Connection> {
  return openConnection(parseDatabaseUrl(readUrls(sql).directUrl), { name, statementTimeoutMs })
}

function readUrls(sql: Pool): { url: string; directUrl: string } {
  const known = urls.get(sql)
  if (!known) throw new Error('This is not a pool.')
  return known
}

/** The SQLSTATEs of a statement in a transaction in which another one has failed, and of the same one sent again at once. */
const FOLLOWING_STATES = ['25P02', '26000']

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

/** Commits what `work` did, or nothing of it. A statement that failed undoes the others, even if its error was caught. */
export async function runTransaction<T, R = T>(
  connection: Connection,
  work: (tx: Tx) => T | PromiseLike<T>,
  last?: LastStatements<T, R>,
): Promise<R> {
  let failure: { err: unknown } | undefined
  let isOver = false
  let first: Promise<Rows> | undefined
  let hasBegun = false

  function requireOpen(): void {
    if (isOver) throw new Error('A statement was sent in a transaction that is over.')
  }

  async function send(fragment: Fragment, { waits }: { waits: boolean }): Promise<Rows> {
    requireOpen()
    try {
      const compiled = compile(fragment)
      if (first) {
        if (waits && !hasBegun) {
          await first
          // Work that failed meanwhile has rolled back, and the connection may be another transaction's.
          requireOpen()
        }
        return await connection.run(compiled)
      }
      first = connection.run(compiled, { begins: true })
      const rows = await first
      hasBegun = true
      return rows
    } catch (err) {
      if (!failure || !isOfServer(err)) failure = { err }
      throw err
    }
  }

  const sql = createSql((fragment) => send(fragment, { waits: true }))
  const reading = createSql((fragment) => send(fragment, { waits: false }))
  const tx: Tx = Object.assign(sql, { isTransaction: true as const, reading })

  function commit(): Promise<Rows> | undefined {
    isOver = true
    // The server knows nothing of a value that could not be sent or read, nor of a transaction that could not begin.
    if (failure && !(hasBegun && isOfServer(failure.err))) throw failure.err
    return first && connection.sql.unsafe('commit').execute()
  }

  /** The last statements are sent in promises that are settled already, so that no other one is left before the next tick. */
  async function commitBehind(sent: Promise<R>): Promise<R> {
    sent.catch(() => {})
    if (!hasBegun) await sent
    await new Promise(process.nextTick)
    const [result] = await Promise.all([sent, requireCommit(commit())])
    return result
  }

  async function requireCommit(committed: Promise<Rows> | undefined): Promise<void> {
    // After a failed statement the server rolls back, even if it is asked to commit.
    if (committed && (await committed).command !== 'COMMIT')
      throw failure?.err ?? new Error('The transaction was rolled back.')
  }

  let result: R
  try {
    const prepared = await work(tx)
    if (last) result = await commitBehind(last(prepared))
    else {
      await requireCommit(commit())
      result = prepared as unknown as R
    }
  } catch (caught) {
    isOver = true
    // If statements were sent at once, one after the failed one may reject first.
    const err = failure && FOLLOWING_STATES.includes(readSqlState(caught) ?? '') ? failure.err : caught
    // If the first statement failed, the transaction may have begun.
    if (connection.isOpen() && first && (!hasBegun || connection.isInTransaction()))
      await connection.sql.unsafe('rollback').catch(() => {})
    for (const call of afterFailureCalls.get(tx) ?? []) call(err)
    throw err
  }
  for (const call of afterCommitCalls.get(tx) ?? []) call()
  return result
}

const UNAVAILABLE_STATES = new Set([
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

/**
 * A file of the server that cannot grow may be an internal error, with the text of the operating system. A server with
 * another `lc_messages` translates the text, and never the name of the source file that reads and writes its files.
 */
const INTERNAL_ERROR = 'XX000'
const NO_SPACE = /No space left on device|Disk quota exceeded/
const STORAGE_SOURCES = new Set(['fd.c', 'md.c', 'buffile.c', 'logtape.c', 'slru.c', 'xlog.c', 'dsm_impl.c'])

/** Returns true if a statement failed because the database cannot be reached, cannot write or is too slow, and not because of the statement. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (error instanceof ConnectionLost) return true
  if (!isOfServer(error)) return false
  const { code: state, message, file } = error
  if (state === INTERNAL_ERROR) return NO_SPACE.test(message) || STORAGE_SOURCES.has(file ?? '')
  return state !== undefined && (UNAVAILABLE_STATES.has(state) || state.startsWith('08'))
}

/** The SQLSTATE of an error that the server reported. */
export function readSqlState(error: unknown): string | undefined {
  return isOfServer(error) ? error.code : undefined
}

function isOfServer(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError
}
