import { randomInt } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import { withTimeout } from '../net/with-timeout.ts'
import type { Connection } from './driver/connection.ts'
import { connectBeside, type Fragment, type Pool, type Sql } from './pool.ts'

const CHECK_EVERY_MS = 1000
/** After a failed check. A lost connection is replaced within the time that other processes allow. */
const RETRY_MS = 200
const CHECK_TIMEOUT_MS = 2000
/** A lock that was not confirmed within this time counts as lost. */
const CONFIRMED_MS_MAX = 2000
const KEY_END = 2 ** 31

/** The locks with which processes show that they live, among the advisory locks with two keys. */
export const PROCESS_LOCKS = 0x68756277
/** Processes hold these beside, under the same key, if they know log entries that are written with the outcome of a send. */
export const DEFERRING_PROCESS_LOCKS = 0x68756278

export type SessionLock = ReturnType<typeof createSessionLock>

/**
 * An advisory lock on a connection of its own: the database releases it when this process ends, in any way. Other
 * processes see in `pg_locks`, under each of the `spaces`, which keys are held. A lost connection is replaced, and the same key locked
 * again. Behind a connection pooler, which may keep or end the session as it likes, the lock never counts as held.
 */
export function createSessionLock({ sql, spaces }: { sql: Pool; spaces: readonly number[] }) {
  const key = randomInt(1, KEY_END)
  let connection: Connection | undefined
  let connecting: Promise<Connection> | undefined
  let confirmedAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined
  let checking: Promise<void> | undefined
  let isRunning = false

  /** An attempt that takes longer than a check is also that of the next one: a second session would not get the lock. */
  async function connect(): Promise<Connection> {
    connecting ??= connectBeside(sql, 'hubline session').finally(() => {
      connecting = undefined
    })
    connection = await connecting
    return connection
  }

  /** Locks, or finds the lock held: within a session it can be taken any number of times. */
  async function lock(): Promise<boolean> {
    const session = connection?.isOpen() ? connection : await connect()
    const [row] = await session.sql<{ pid: number; is_held: boolean }[]>`
      select pg_backend_pid() as pid, bool_and(pg_try_advisory_lock(space, ${key}::int)) as is_held
      from unnest(${spaces}::int[]) as s (space)`
    // A pooler gives the client a process id of its own.
    return row?.is_held === true && row.pid === session.readProcessId()
  }

  async function check(): Promise<void> {
    const startedAt = performance.now()
    const isHeld = await withTimeout(lock(), CHECK_TIMEOUT_MS).catch(() => false)
    if (isHeld === true) confirmedAt = startedAt
    if (isHeld === 'timeout') closeConnection()
    if (isRunning) timer = setTimeout(checkAgain, isHeld === true ? CHECK_EVERY_MS : RETRY_MS)
  }

  function checkAgain(): void {
    checking = check()
  }

  function closeConnection(): void {
    connection?.destroy()
    connection = undefined
  }

  return {
    /** Resolves when the lock is held, or cannot be had at once. */
    async start(): Promise<void> {
      if (!isRunning) {
        isRunning = true
        checkAgain()
      }
      await checking
    },

    /** The key while the lock is held, and null otherwise. */
    readKey: (): number | null => (performance.now() - confirmedAt < CONFIRMED_MS_MAX ? key : null),

    async stop(): Promise<void> {
      isRunning = false
      clearTimeout(timer)
      await checking
      confirmedAt = Number.NEGATIVE_INFINITY
      connecting?.then(closeConnection, () => {})
      closeConnection()
    },
  }
}

/** A query of the keys under `space` that sessions hold in this database. */
export function buildHeldKeys(sql: Sql, space: number): Fragment {
  return sql`
    select l.objid::bigint as key
    from pg_locks l
    join pg_database d on d.oid = l.database
    where l.locktype = 'advisory'
      and l.classid::bigint = ${space}
      and l.objsubid = 2
      and l.granted
      and d.datname = current_database()`
}
