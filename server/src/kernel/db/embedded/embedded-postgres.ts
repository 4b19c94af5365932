import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type ConnectionOptions, toSocketUrl } from '../connection-url.ts'
import { prepareCluster } from './cluster.ts'
import { keepServerSession } from './server-session.ts'

export type EmbeddedPostgres = AsyncDisposable & {
  /** For `psql`, pools and child processes. */
  url: string
  /** The parts of the URL. */
  options: ConnectionOptions
  /** The directory of the database, with links resolved. */
  directory: string
  /** Makes this process the one hub of the data directory, or throws when there is another. */
  claimHub(): Promise<void>
}

export type EmbeddedPostgresOptions = {
  dataDir: string
  /** False only in tests: a crash of the machine then destroys the database. Set by the process that starts the server. */
  durable?: boolean
  log?: (line: string) => void
  /** The binaries to run instead of those of the installed package. */
  nativeDir?: string
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
  const systemDirs = openOptions.systemDirs ?? ['/var/lib/hubline', join(tmpdir(), 'hubline')]
  const cluster = await prepareCluster({ dataDir, durable, nativeDir: openOptions.nativeDir, systemDirs })
  const serverSession = await keepServerSession(cluster, { durable, log })
  return {
    url: toSocketUrl(serverSession.options),
    options: serverSession.options,
    directory: cluster.clusterDir,
    async claimHub() {
      if (await serverSession.claimHub()) return
      throw new Error(`Another hub is already running on ${dataDir} (stop it first, or choose another DATA_DIR).`)
    },
    [Symbol.asyncDispose]: () => serverSession.close(),
  }
}
