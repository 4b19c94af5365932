import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type ConnectionOptions, socketUrl } from '../connection-url.ts'
import { prepareCluster } from './cluster.ts'
import { keepPresence } from './presence.ts'

export type EmbeddedPostgres = AsyncDisposable & {
  /** For `psql`, and for child processes by way of the environment, which read it with `socketOptions`. */
  url: string
  /** For the `postgres` driver. */
  options: ConnectionOptions
  /** Where the database lies, links resolved. */
  directory: string
  /** Makes this process the one hub of the data directory, or throws when there is another. */
  claimHub(): Promise<void>
}

export type Opening = {
  dataDir: string
  /** False only for tests: a crash of the machine then destroys the database. The process that starts the server decides. */
  durable?: boolean
  log?: (line: string) => void
  /** The binaries to run, instead of the installed package's. */
  nativeDir?: string
  /** Where root puts what its account cannot reach: databases in the first, binaries in the first that serves. */
  systemDirs?: string[]
}

/**
 * Starts the database in `dataDir`, or joins the one that already runs there.
 * Any number of processes may do so at once; the last to dispose stops the
 * server. One that exits without disposing leaves it running for the next.
 *
 * Should the server die meanwhile, queries fail and pools reconnect by
 * themselves: every process that has it open tries to start it again, waiting
 * longer after each failure, and takes its locks anew.
 */
export async function openEmbeddedPostgres(o: Opening): Promise<EmbeddedPostgres> {
  const dataDir = resolve(o.dataDir)
  const { durable = true, log = () => {} } = o
  const systemDirs = o.systemDirs ?? ['/var/lib/hubline', join(tmpdir(), 'hubline')]
  const cluster = await prepareCluster({ dataDir, durable, nativeDir: o.nativeDir, systemDirs })
  const presence = await keepPresence(cluster, { durable, log })
  return {
    url: socketUrl(presence.options),
    options: presence.options,
    directory: cluster.home,
    async claimHub() {
      if (await presence.claimHub()) return
      throw new Error(`Another hub is already running on ${dataDir} (stop it first, or choose another DATA_DIR).`)
    },
    [Symbol.asyncDispose]: () => presence.leave(),
  }
}
