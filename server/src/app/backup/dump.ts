import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { parseDatabaseUrl } from '../../kernel/db/connection-url.ts'
import { readDatabaseFacts } from '../../kernel/db/database-facts.ts'
import { RESTORE_MARK, withMarkedDatabase } from '../../kernel/db/restore-mark.ts'
import { CannotRun } from '../cannot-run.ts'

const DUMP = 'database.dump'
const PASSWORD = /^(postgres(?:ql)?:\/\/[^:@/]*):([^/]*)@/
const OUTPUT_BYTES_MAX = 16 * 2 ** 20

const execute = promisify(execFile)

type Database = { url: string; env: NodeJS.ProcessEnv }

/** Writes a dump of the database into the directory. It may run while hubs work. */
export async function dumpDatabase(database: Database, directory: string): Promise<void> {
  await requireProgram('pg_dump', database)
  const options = ['--format=custom', '--no-owner', '--no-privileges', `--exclude-table=${RESTORE_MARK}`]
  await runProgram('pg_dump', [...options, `--file=${join(directory, DUMP)}`], database)
}

/** Restores a dump into a database without tables, whole or not at all. It then has the mark of a restore. */
export async function restoreDump(database: Database, directory: string): Promise<void> {
  await requireProgram('pg_restore', database)
  await requireEmpty(database.url)
  const options = ['--no-owner', '--no-privileges', '--exit-on-error', '--single-transaction']
  const restoring = () => runProgram('pg_restore', [...options, join(directory, DUMP)], database)
  await withMarkedDatabase(database.url, restoring)
}

/** An older program cannot read a newer server. */
async function requireProgram(program: 'pg_dump' | 'pg_restore', { url, env }: Database): Promise<void> {
  const { major: server } = await readDatabaseFacts(url)
  const major = await readMajor(program, env)
  const advice = `Install the Debian package postgresql-client-${server} (or postgresql-client, if that is as new), which has it`
  if (major === undefined) throw new CannotRun(`${program} is not in PATH. ${advice}.`)
  if (major < server) {
    throw new CannotRun(`${program} in PATH is version ${major}, and the server is PostgreSQL ${server}. ${advice}.`)
  }
}

async function readMajor(program: string, env: NodeJS.ProcessEnv): Promise<number | undefined> {
  const printed = await execute(program, ['--version'], { env }).catch(() => undefined)
  const major = /\d+/.exec(printed?.stdout ?? '')?.[0]
  return major === undefined ? undefined : Number(major)
}

async function requireEmpty(url: string): Promise<void> {
  if (!(await readDatabaseFacts(url)).hasTables) return
  throw new CannotRun(
    'The database in DATABASE_URL has tables. Create an empty one, set DATABASE_URL to it, and restore there: the present one stays as it is.',
  )
}

/**
 * The password goes in the environment: any user of the machine can read the arguments of a program. What the URL leaves out goes
 * there too, as the hub completes it: a program would take the system's user and a socket.
 */
async function runProgram(program: string, args: string[], { url, env }: Database): Promise<void> {
  const [, start, password] = PASSWORD.exec(url) ?? []
  const { user, database } = parseDatabaseUrl(url)
  const completed = { PGUSER: user, PGDATABASE: database, PGHOST: 'localhost', PGPORT: '5432' }
  const own = password === undefined ? completed : { ...completed, PGPASSWORD: decodeURIComponent(password) }
  const dbname = start === undefined ? url : url.replace(PASSWORD, '$1@')
  try {
    await execute(program, [...args, `--dbname=${dbname}`], {
      env: { ...env, ...own },
      maxBuffer: OUTPUT_BYTES_MAX,
    })
  } catch (err) {
    const said = err instanceof Error && 'stderr' in err ? String(err.stderr).trim().split('\n').at(0) : undefined
    throw new CannotRun(`${program} failed: ${said || 'it printed no reason'}`, { cause: err })
  }
}
