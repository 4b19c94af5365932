import { readFileSync } from 'node:fs'
import { chmod, mkdir } from 'node:fs/promises'
import type { NetConnectOpts } from 'node:net'
import { join } from 'node:path'
import { openEmbeddedPostgres } from '../../server/src/kernel/db/embedded/embedded-postgres.ts'
import { type Disk, mountDisk } from './disk.ts'

/** A database that hubs reach by way of a link to `target`, with the name and the password of `url`. */
export type Database = AsyncDisposable & {
  url: string
  target: NetConnectOpts
  /** The file system that it has for itself, where there is one. */
  disk?: Disk
  /** Kills the server, unless it is down, or is not one of this run. */
  kill: () => void
}

/** The embedded database, on a small file system if this account may mount one. */
export async function openDatabase(directory: string): Promise<Database> {
  await using opened = new AsyncDisposableStack()
  const dataDir = join(directory, 'database')
  await mkdir(dataDir)
  const disk = await mountDisk(dataDir)
  if (disk) opened.use(disk)
  else await chmod(dataDir, 0o755)
  const embedded = opened.use(await openEmbeddedPostgres({ dataDir }))
  const pidFile = join(embedded.directory, 'data', 'postmaster.pid')
  // A run that is interrupted disposes of nothing: the database would go on, and its file system would keep its memory.
  const end = () => {
    signalServer(pidFile, 'SIGQUIT')
    disk?.[Symbol.dispose]()
  }
  process.once('exit', end)
  opened.defer(() => void process.off('exit', end))
  const { host, port } = embedded.options
  const kept = opened.move()
  return {
    url: embedded.url,
    target: { path: `${host}/.s.PGSQL.${port}` },
    ...(disk && { disk }),
    kill: () => signalServer(pidFile, 'SIGKILL'),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

/** Signals the server whose file this is, at once. The file of one that was killed stays, and that of one that starts is empty. */
export function signalServer(pidFile: string, signal: NodeJS.Signals): void {
  try {
    const pid = Number(readFileSync(pidFile, 'utf8').split('\n')[0])
    // To 0, the signal would go to this process and all of its group.
    if (pid > 0) process.kill(pid, signal)
  } catch (err) {
    if (!['ENOENT', 'ESRCH'].includes((err as NodeJS.ErrnoException).code ?? '')) throw err
  }
}
