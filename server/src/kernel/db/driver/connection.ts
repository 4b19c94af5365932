import pg from 'pg'
import type { Target, Tls } from '../connection-url.ts'
import { type PreparedColumns, Query } from './query.ts'
import { type Compiled, compile, createSql, Fragment, type Rows } from './sql.ts'

const CONNECT_TIMEOUT_MS = 5000
const END_TIMEOUT_MS = 1000
/** The code of a connection that has logged in, and whose first statement was not answered. */
export const NO_SESSION = 'NO_SESSION'
const NO_TLS = 'The server does not support SSL connections'

export type ConnectionSettings = {
  name: string
  /** 0 for none. */
  statementTimeoutMs: number
  connectTimeoutMs?: number | undefined
  /** Called for every statement that is sent. */
  onStatement?: ((text: string, values: unknown[]) => void) | undefined
}

/** A statement was sent, or would have been, on a connection that is lost: whether the server ran it is not known. */
export class ConnectionLost extends Error {
  override name = 'ConnectionLost'
  readonly code: string

  constructor(code: string, message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

export type Connection = Awaited<ReturnType<typeof openConnection>>

/** Connects to the first server of the target that takes the connection, and writes if the target asks for it. */
export async function openConnection(target: Target, settings: ConnectionSettings) {
  let failure: unknown
  for (const server of target.servers) {
    try {
      return await connect(target, server, settings)
    } catch (err) {
      // A server that is reachable and refuses says more than one that is not.
      if (!(failure instanceof pg.DatabaseError)) failure = err
    }
  }
  throw failure
}

async function connect(target: Target, server: Target['servers'][number], settings: ConnectionSettings) {
  try {
    return await connectWith(target.tls, target, server, settings)
  } catch (err) {
    const isPlain = target.tls?.isRequired === false && err instanceof Error && err.message.includes(NO_TLS)
    if (!isPlain) throw err
    return connectWith(undefined, target, server, settings)
  }
}

async function connectWith(
  tls: Tls | undefined,
  { user, password, database, options, isReadWrite }: Target,
  { host, port }: Target['servers'][number],
  settings: ConnectionSettings,
) {
  const client = new pg.Client({
    host,
    port,
    user,
    // This is a function, so that an empty password is not looked up in the environment.
    password: () => password,
    database,
    ...(options && { options }),
    ssl: tls ? { rejectUnauthorized: tls.rejectUnauthorized, ...(tls.ca && { ca: tls.ca }) } : false,
    application_name: settings.name,
    keepAlive: true,
    pipeline: true,
  })
  const connection = createConnection(client, settings)
  let problem = new ConnectionLost('CONNECT_TIMEOUT', 'The database did not answer in time')
  const timer = setTimeout(() => connection.destroy(problem), settings.connectTimeoutMs ?? CONNECT_TIMEOUT_MS)
  try {
    await connection.logIn()
    // A connection pooler answers by itself, and lets the first statement wait while all of its sessions are taken.
    problem = new ConnectionLost(NO_SESSION, 'no session of its connection pooler became free (default_pool_size)')
    const { isReadOnly } = await connection.start(toStatements(settings))
    if (isReadWrite && isReadOnly) {
      throw new ConnectionLost('READ_ONLY', `The database at ${host}:${port} is read-only`)
    }
    return connection
  } catch (err) {
    connection.destroy()
    throw err
  } finally {
    clearTimeout(timer)
  }
}

/** Set by statements, because a connection pooler does not pass them on when a session begins. */
function toStatements({ statementTimeoutMs }: ConnectionSettings): string {
  const values = { ...SESSION_SETTINGS, statement_timeout: statementTimeoutMs }
  const statements = Object.entries(values).map(([name, value]) => `set ${name} = '${value}'`)
  return [...statements, 'show transaction_read_only'].join('; ')
}

const IDLE_TRANSACTION_MS = 30_000

/** Every session of the hub needs these settings. */
export const SESSION_SETTINGS = {
  TimeZone: 'UTC',
  // One plan per connection and statement: planning the statements of a send takes three times as long as running them.
  plan_cache_mode: 'force_generic_plan',
  // A plan may be older than most rows of a table: made for an empty one, it scans 100,000 rows in 89 ms, not 0.2.
  enable_seqscan: 'off',
  // It sorts all rows of one organization, and the planner assumes that each has about as many as another.
  enable_incremental_sort: 'off',
  // Before PostgreSQL 18 a plan that reads a whole table all the same counts as so expensive that each execution compiles it.
  jit: 'off',
  idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
} as const

/** `pg` has these without a type. */
type ClientParts = pg.Client & {
  processID: number | null
  connection: { stream: { bytesRead: number; destroy: (err?: Error) => void } }
}

function createConnection(base: pg.Client, { onStatement }: ConnectionSettings) {
  const client = base as ClientParts
  const prepared: PreparedColumns = new Map()
  const { promise: closed, resolve: close } = Promise.withResolvers<void>()
  let isOpen = true
  let reason: Error | undefined

  // A failed connection also fails its statements, so that nothing is lost here.
  client.on('error', () => destroy())
  client.on('end', end)

  function end(): void {
    isOpen = false
    close()
  }

  /** Also ends what is running, which rejects. */
  function destroy(err?: Error): void {
    reason ??= err
    end()
    client.connection.stream.destroy()
  }

  function toError(err: unknown): unknown {
    if (!(err instanceof pg.DatabaseError)) return reason ?? toConnectionLost(err)
    // The server ends the session after it, and answers nothing else. Its end of the connection may not arrive.
    if (err.severity === 'FATAL' || err.severity === 'PANIC') destroy()
    return err
  }

  /** `begins`: begins a transaction with the statement, in one round trip. */
  function run(compiled: Compiled, { begins = false }: { begins?: boolean } = {}): Promise<Rows> {
    if (begins) onStatement?.('begin', [])
    onStatement?.(compiled.prepared.text, compiled.values)
    return send(compiled, begins)
  }

  function send(compiled: Compiled, begins = false): Promise<Rows> {
    return new Promise((onRows, onUnreadable) => {
      const onError = (err: unknown) => onUnreadable(toError(err))
      client.query(new Query(compiled, prepared, { begins, onRows, onUnreadable, onError }))
    })
  }

  return {
    run,
    sql: createSql((fragment) => run(compile(fragment))),
    /** Resolves when the connection is lost or closed. */
    closed,
    destroy,
    isOpen: () => isOpen,
    isInTransaction: () => client.getTransactionStatus() !== 'I',
    readBytes: () => client.connection.stream.bytesRead,
    /** The server's process. A connection pooler names one of its own. */
    readProcessId: () => client.processID,
    onNotification: (listener: (channel: string, payload: string) => void) =>
      void client.on('notification', ({ channel, payload }) => listener(channel, payload ?? '')),

    async logIn(): Promise<void> {
      await client.connect().catch((err) => {
        throw toError(err)
      })
    },

    async start(statements: string): Promise<{ isReadOnly: boolean }> {
      const [row] = await send(compile(new Fragment(statements)))
      return { isReadOnly: row?.transaction_read_only === 'on' }
    },

    /** Ends the session, in which nothing may be running. Resolves when the server has closed it, or does not answer. */
    async end(): Promise<void> {
      isOpen = false
      const timer = setTimeout(destroy, END_TIMEOUT_MS)
      await client.end()
      clearTimeout(timer)
    },
  }
}

/** Errors of the socket have codes of their own; those of `pg` have none. */
function toConnectionLost(err: unknown): unknown {
  const code = err instanceof Error && 'code' in err && typeof err.code === 'string' ? err.code : 'CONNECTION_CLOSED'
  return new ConnectionLost(code, err instanceof Error ? err.message : String(err), err)
}
