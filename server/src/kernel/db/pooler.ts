import { parseDatabaseUrl } from './connection-url.ts'
import { type Connection, openConnection, SESSION_SETTINGS } from './driver/connection.ts'
import { type Pool, readSqlState, type Sql, STATEMENT_TIMEOUT_MS } from './pool.ts'

/** Other clients of a pooler may hide how it works, but not each time. */
const ATTEMPTS = 5
/** The SQLSTATE of a prepared statement that the session does not have. */
const NOT_PREPARED = '26000'
/** The SQLSTATE of a missing privilege. */
const NOT_ALLOWED = '42501'

/** The kind of program between the hub and its database. */
export type Pooler = 'none' | 'session' | 'transaction' | 'transaction without prepared statements'

type Session = { pid: number; keeps_names: boolean }

/**
 * Finds out how connections to a database are pooled. A pooler gives each client a process id of its own. One in transaction
 * mode gives a session away between two transactions: a client has several sessions, or two clients have the same.
 */
export async function detectPooler(url: string, name: string): Promise<Pooler> {
  const target = parseDatabaseUrl(url)
  await using connections = new AsyncDisposableStack()
  async function open(): Promise<Connection> {
    // A pooler may hand the session with its settings to another client.
    const connection = await openConnection(target, { name, statementTimeoutMs: STATEMENT_TIMEOUT_MS })
    connections.defer(() => connection.end())
    return connection
  }
  const first = await open()
  if ((await readSession(first)).pid === first.readProcessId()) return 'none'
  const second = await open()
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const [before, after] = [await readSession(first), await readSession(first)]
      const other = await readSession(second)
      if (before.pid === after.pid && after.pid !== other.pid) continue
      // In statement mode this is refused.
      await first.sql.unsafe('begin')
      await first.sql.unsafe('commit')
      return other.keeps_names ? 'transaction without prepared statements' : 'transaction'
    }
    return 'session'
  } catch (err) {
    if (readSqlState(err) === NOT_PREPARED) return 'transaction without prepared statements'
    throw err
  }
}

/** A pooler that keeps track of the prepared statements of its clients gives them names of its own. */
async function readSession({ sql }: Connection): Promise<Session> {
  const [row] = await sql<Session[]>`
    select
      pg_backend_pid() as pid,
      exists (select from pg_prepared_statements where starts_with(name, 'hub_')) as keeps_names`
  if (!row) throw new Error('The session is not known.')
  return row
}

/**
 * Makes the settings of the hub's sessions those of its account in this database, for each session that begins from now on.
 * Returns the statements that an administrator has to run, where the account may not.
 */
export async function storeSessionSettings(sql: Pool): Promise<string[]> {
  const settings = Object.entries({ ...SESSION_SETTINGS, statement_timeout: STATEMENT_TIMEOUT_MS })
  let statements: string[] = []
  try {
    await sql.begin(async (tx) => {
      // If several processes did this at the same time, all but one would fail.
      await tx`select pg_advisory_xact_lock(hashtextextended('session-settings', 0))`
      const { account, stored } = await readAccount(tx)
      statements = settings
        .filter(([name, value]) => !stored.includes(`${name}=${value}`))
        .map(([name, value]) => `alter role ${account} set ${name} = '${value}'`)
      for (const statement of statements) await tx.unsafe(statement)
    })
    return []
  } catch (err) {
    if (readSqlState(err) === NOT_ALLOWED) return statements
    throw err
  }
}

/** The account that sessions begin with, and the settings that it has in this database. */
async function readAccount(sql: Sql): Promise<{ account: string; stored: string[] }> {
  const [row] = await sql<{ account: string; stored: string[] }[]>`
    select
      format('%I in database %I', session_user, current_database()) as account,
      array(
        select unnest(s.setconfig)
        from pg_db_role_setting s
        where s.setrole = quote_ident(session_user)::regrole
          and s.setdatabase = (select oid from pg_database where datname = current_database())
      ) as stored`
  if (!row) throw new Error('The account is not known.')
  return row
}
