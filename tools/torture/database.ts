import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, readFile } from 'node:fs/promises'
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
  /** Undefined while it is down, and where it is not one process of this machine. */
  readPid: () => Promise<number | undefined>
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
    endServer(pidFile)
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
    async readPid() {
      const text = await readFile(pidFile, 'utf8').catch(() => '')
      return text === '' ? undefined : Number(text.split('\n')[0])
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

/** At once, without waiting: this process ends. */
export function endServer(pidFile: string): void {
  if (existsSync(pidFile)) process.kill(Number(readFileSync(pidFile, 'utf8').split('\n')[0]), 'SIGQUIT')
}
