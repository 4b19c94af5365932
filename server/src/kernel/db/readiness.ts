import { AppError, type Reason } from '../errors.ts'
import { isLimit } from './driver/connections.ts'
import { openPoolBeside, type Pool, readSqlState, type Sql } from './pool.ts'

const TIMEOUT_MS = 2000
/** For a connection, and for a response on it: half of the time is left for a connection of the pool. */
const RESPONSE_TIMEOUT_MS = 1000
/** The probe needs no credential, so calls within this time share a result: it must not be a way to load the database. */
const SHARED_MS = 500
/** More than fits into 64 kB, so that the database has to write to its disk. */
const SPILLED_ROWS = 5000
const DISK_FULL = '53100'

type Problem = Extract<Reason<'NOT_READY'>, `database_${string}`>

export type Readiness = ReturnType<typeof createReadiness>

/**
 * Checks whether the database can do the hub's work: it responds, takes writes and has disk space. The check has a
 * connection of its own, because the pool's connections may all be busy in a hub that works. Where the server has none left
 * for it, it takes one of the pool. `tryWork` runs what every request needs: a table may be unreadable while all else works.
 */
export function createReadiness(pool: Pool, tryWork: (sql: Sql) => Promise<unknown> = async () => undefined) {
  const own = openPoolBeside(pool, { max: 1, name: 'hubline readiness', responseTimeoutMs: RESPONSE_TIMEOUT_MS })
  async function check(sql: Sql): Promise<Problem | undefined> {
    const problem = await checkDatabase(sql)
    if (problem === undefined) await tryWork(sql)
    return problem
  }
  let last: { at: number; problem: Promise<AppError | undefined> } | undefined

  return {
    /** The reason why the hub is not ready, or undefined. */
    findProblem(): Promise<AppError | undefined> {
      const now = performance.now()
      if (!last || now - last.at > SHARED_MS) last = { at: now, problem: findProblem(own, pool, check) }
      return last.problem
    },
    [Symbol.asyncDispose]: () => own.end({ timeout: 0 }),
  }
}

async function findProblem(
  own: Pool,
  pool: Pool,
  check: (sql: Sql) => Promise<Problem | undefined>,
): Promise<AppError | undefined> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const timedOut = new Promise<Problem>((resolve) =>
    timeout.addEventListener('abort', () => resolve('database_silent')),
  )
  const checked = check(own)
    .catch((err) => {
      if (isLimit(err)) return check(pool.urgent)
      throw err
    })
    .catch((err): Problem => (readSqlState(err) === DISK_FULL ? 'database_disk_full' : 'database_unreachable'))
  const problem = await Promise.race([checked, timedOut])
  return problem && new AppError('NOT_READY', problem)
}

/** Statements of one text are a transaction, so that the settings end with it: the session may be another client's next. */
async function checkDatabase(sql: Sql): Promise<Problem | undefined> {
  const [row] = await sql.unsafe(`
    set local work_mem = '64kB';
    set local statement_timeout = ${RESPONSE_TIMEOUT_MS};
    select current_setting('transaction_read_only')::boolean as is_read_only, count(*)
    from generate_series(1, ${SPILLED_ROWS})`)
  return row?.is_read_only ? 'database_read_only' : undefined
}
