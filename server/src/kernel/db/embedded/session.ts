import { setTimeout as sleep } from 'node:timers/promises'
import { type ConnectionOptions, parseDatabaseUrl, toSocketUrl } from '../connection-url.ts'
import { type Connection, ConnectionLost, openConnection } from '../driver/connection.ts'
import { readSqlState, type Sql } from '../pool.ts'
import { type Cluster, SUPERUSER } from './cluster.ts'
import { findSocket } from './postmaster.ts'

export const DATABASE = 'hubline'

// Keys of advisory locks in the maintenance database, where they cannot collide with locks in the hub's database.
const IN_USE = 1
const HUB = 2
const SET_UP = 3

// A killed hub's backend notices within milliseconds that its client is gone.
const HUB_LOCK_TIMEOUT_MS = 2_000
const POLL_MS = 50

// The server is starting or stopping.
const NOT_REACHED = ['57P01', '57P02', '57P03']

/**
 * One connection that holds this process's locks. Every process holds `IN_USE`
 * shared. A process that closes its session releases it and tries to take it exclusively:
 * only the last one succeeds, and no other process can connect while it stops the server.
 * A process that dies loses its connection and so its locks.
 */
export type Session = Awaited<ReturnType<typeof createSession>>

/** Undefined when the server is absent, starting or being stopped: try again. */
export async function openSession(cluster: Cluster) {
  const socket = await findSocket(cluster)
  if (!socket) return undefined
  const options = { ...socket, user: SUPERUSER, password: cluster.password, database: DATABASE }
  let connection: Connection | undefined
  try {
    const target = parseDatabaseUrl(toSocketUrl({ ...options, database: 'postgres' }))
    connection = await openConnection(target, { name: 'hubline presence', statementTimeoutMs: 0 })
    const { sql } = connection
    const [row] = await sql<{ is_shared: boolean }[]>`select pg_try_advisory_lock_shared(${IN_USE}) as is_shared`
    if (row?.is_shared) {
      await ensureDatabase(sql)
      return createSession(connection, options)
    }
  } catch (err) {
    connection?.destroy()
    if (err instanceof ConnectionLost || NOT_REACHED.includes(readSqlState(err) ?? '')) return undefined
    if (readSqlState(err) === '28P01')
      throw new Error(`The database in ${cluster.clusterDir} does not accept the stored password (postgres.password).`)
    throw err
  }
  await connection.end()
  return undefined
}

function createSession({ sql, closed, end }: Connection, options: ConnectionOptions) {
  return {
    options,
    /** Resolves when the connection, and with it the locks, are lost. */
    lost: closed,

    async claimHub(): Promise<boolean> {
      const deadline = Date.now() + HUB_LOCK_TIMEOUT_MS
      for (;;) {
        const [row] = await sql<{ claimed: boolean }[]>`select pg_try_advisory_lock(${HUB}) as claimed`
        if (row?.claimed || Date.now() > deadline) return row?.claimed ?? false
        await sleep(POLL_MS)
      }
    },

    /** Resolves to true for the last process, which must stop the server before it ends the session. */
    async releaseUse(): Promise<boolean> {
      await sql`select pg_advisory_unlock_shared(${IN_USE})`
      const [row] = await sql<{ last: boolean }[]>`select pg_try_advisory_lock(${IN_USE}) as last`
      return row?.last ?? false
    },

    end,
  }
}

async function ensureDatabase(sql: Sql): Promise<void> {
  if (await databaseExists(sql)) return
  await sql`select pg_advisory_lock(${SET_UP})`
  if (!(await databaseExists(sql))) await sql`create database ${sql(DATABASE)}`
  await sql`select pg_advisory_unlock(${SET_UP})`
}

async function databaseExists(sql: Sql): Promise<boolean> {
  return (await sql`select from pg_database where datname = ${DATABASE}`).length > 0
}
