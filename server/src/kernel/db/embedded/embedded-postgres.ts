import { realpath, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type ConnectionOptions, toSocketUrl } from '../connection-url.ts'
import {
  type CopiedDatabase,
  type Directories,
  finishReplacement,
  hasDatabase,
  prepareCluster,
  readPassword,
  replaceCluster,
} from './cluster.ts'
import { copyRunningDatabase } from './copies.ts'
import { isServerRunning } from './postmaster.ts'
import { withRestoreLock } from './restore-lock.ts'
import { keepServerSession } from './server-session.ts'

/** Root keeps there what PostgreSQL's account cannot read elsewhere. */
const SYSTEM_DIRS = ['/var/lib/hubline', join(tmpdir(), 'hubline')]
const PASSWORD_FILE = 'postgres.password'

export type EmbeddedPostgres = AsyncDisposable & {
  /** For `psql`, pools and child processes. */
  url: string
  /** The parts of the URL. */
  options: ConnectionOptions
  /** The directory of the database, with links resolved. */
  directory: string
  /** Makes this process the one hub of the data directory, or throws when there is another. */
  claimHub(): Promise<void>
  /** Copies the files and the password to a directory that exists. The database goes on meanwhile. */
  copyTo(directory: string): Promise<void>
}

export type EmbeddedPostgresOptions = {
  dataDir: string
  /** False only in tests: a crash of the machine then destroys the database. Set by the process that starts the server. */
  durable?: boolean
  log?: (line: string) => void
  /** The binaries to run instead of those of the installed package. */
  nativeDir?: string | undefined
  /** Root puts here what the account cannot read elsewhere: databases in the first, binaries in the first that works. */
  systemDirs?: string[]
}

/**
 * Starts the database in `dataDir`, or connects to the one that already runs there.
 * Any number of processes may do so at once; the last to dispose stops the
 * server. A process that exits without disposing leaves the server running.
 *
 * If the server dies, queries fail and pools reconnect by themselves. Every
 * process that has the database open tries to start it again, with a longer wait
 * after each failure, and takes its locks again.
 */
export async function openEmbeddedPostgres(openOptions: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(openOptions.dataDir)
  const { durable = true, log = () => {} } = openOptions
  const systemDirs = openOptions.systemDirs ?? SYSTEM_DIRS
  const cluster = await prepareCluster({ dataDir, durable, nativeDir: openOptions.nativeDir, systemDirs })
  const serverSession = await keepServerSession(cluster, { durable, log })
  const url = toSocketUrl(serverSession.options)
  return {
    url,
    options: serverSession.options,
    directory: cluster.clusterDir,
    async claimHub() {
      if (await serverSession.claimHub()) return
      throw new Error(`Another hub is already running on ${dataDir} (stop it first, or choose another DATA_DIR).`)
    },
    async copyTo(directory) {
      await copyRunningDatabase({ url, directory: cluster.clusterDir }, join(directory, 'data'))
      await writeFile(join(directory, PASSWORD_FILE), `${cluster.password}\n`, { mode: 0o600 })
    },
    [Symbol.asyncDispose]: () => serverSession.close(),
  }
}

/**
 * Puts a copy that `copyTo` made in the place of the database, and moves that to `aside`. Throws while any process uses it, and
 * lets none open it meanwhile. A database that does not start any more is replaced too.
 */
export async function replaceEmbeddedDatabase(
  { dataDir, systemDirs = SYSTEM_DIRS, nativeDir, ...options }: EmbeddedPostgresOptions,
  copy: string,
  aside: string,
): Promise<void> {
  const directories = { dataDir: resolve(dataDir), systemDirs, nativeDir }
  await withRestoreLock(directories.dataDir, async () => {
    await finishReplacement(directories.dataDir)
    if (await hasDatabase(directories.dataDir)) await requireUnused({ ...directories, ...options })
    const password = await readPassword(join(copy, PASSWORD_FILE))
    if (!password) throw new Error(`${copy} is not a whole backup: it has no ${PASSWORD_FILE}.`)
    const database: CopiedDatabase = { directory: copy, password }
    await replaceCluster(directories, database, { aside, requireStopped: () => requireStopped(directories.dataDir) })
  })
}

async function requireUnused(options: EmbeddedPostgresOptions & Directories): Promise<void> {
  const opened = await openEmbeddedPostgres(options).catch(() => undefined)
  if (!opened) return
  try {
    await opened.claimHub()
  } finally {
    await opened[Symbol.asyncDispose]()
  }
  await requireStopped(options.dataDir)
}

async function requireStopped(dataDir: string): Promise<void> {
  const clusterDir = await realpath(join(dataDir, 'postgres')).catch(() => undefined)
  if (clusterDir === undefined || !(await isServerRunning({ clusterDir }))) return
  throw new Error(`Another process uses the database in ${dataDir}: end it first.`)
}
