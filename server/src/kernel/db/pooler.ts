import { parseDatabaseUrl } from './connection-url.ts'
import { type Connection, openConnection, SESSION_SETTINGS } from './driver/connection.ts'
import { type Pool, readSqlState, STATEMENT_TIMEOUT_MS } from './pool.ts'

/** A pooler that takes its server connections in turn shows itself after some of them. */
const ATTEMPTS = 5
/** The SQLSTATE of a prepared statement that the session does not have. */
const NOT_PREPARED = '26000'

/** What stands between the hub and its database. */
export type Pooler = 'none' | 'session' | 'transaction' | 'transaction without prepared statements'

/**
 * Finds out how connections to a database are pooled. A pooler gives each client a process id of its own. One in transaction
 * mode gives a session away between two transactions: the server process of an idle client works for the next one.
 */
export async function detectPooler(url: string, name: string): Promise<Pooler> {
  const target = parseDatabaseUrl(url)
  await using connections = new AsyncDisposableStack()
  async function open(): Promise<Connection> {
    const connection = await openConnection(target, { name, statementTimeoutMs: 0 })
    connections.defer(() => connection.end())
    return connection
  }
  const first = await open()
  if ((await readServerProcess(first)) === first.readProcessId()) return 'none'
  const second = await open()
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const before = await readServerProcess(first)
      await second.sql.unsafe('begin')
      const taken = await readServerProcess(second)
      // While the second client has the process of the first, the first one needs another.
      if (taken === before) {
        await readServerProcess(first)
        return 'transaction'
      }
      await second.sql.unsafe('commit')
    }
    return 'session'
  } catch (err) {
    if (readSqlState(err) === NOT_PREPARED) return 'transaction without prepared statements'
    throw err
  }
}

async function readServerProcess({ sql }: Connection): Promise<number | undefined> {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  return row?.pid
}

/** Makes the settings of the hub's sessions those of its account in this database. */
export async function storeSessionSettings(sql: Pool): Promise<void> {
  const settings = { ...SESSION_SETTINGS, statement_timeout: STATEMENT_TIMEOUT_MS }
  const [row] = await sql<{ account: string }[]>`
    select format('%I in database %I', current_user, current_database()) as account`
  for (const [name, value] of Object.entries(settings)) {
    await sql.unsafe(`alter role ${row?.account} set ${name} = '${value}'`)
  }
}
