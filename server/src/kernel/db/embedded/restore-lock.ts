import { randomBytes } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createDirectory } from '../../directories.ts'

const LOCK = 'postgres.restoring'

/**
 * Runs a restore as the only user of the data directory. Until it ends, no other process opens the database: it would remove the
 * unfinished copy, or use the database that is about to be moved away. The lock of a process that was killed does not count.
 */
export async function withRestoreLock<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  createDirectory(dataDir)
  const path = join(dataDir, LOCK)
  const complete = `${path}-${randomBytes(6).toString('hex')}`
  await writeFile(complete, await describeProcess(process.pid), { mode: 0o600, flag: 'wx' })
  try {
    // Only what was found stale goes: another restore may begin meanwhile.
    if ((await refuseDuringRestore(dataDir)) === 'stale') await rm(path, { force: true })
    // A hard link appears complete, and for only one of several processes.
    await link(complete, path).catch((cause: unknown) => {
      throw new Error(describeRestore(dataDir), { cause })
    })
  } finally {
    await rm(complete, { force: true })
  }
  try {
    return await work()
  } finally {
    await rm(path, { force: true })
  }
}

/** Throws while another process restores into the data directory. A restore that was killed leaves a stale lock. */
export async function refuseDuringRestore(dataDir: string): Promise<'none' | 'own' | 'stale'> {
  const holder = await readFile(join(dataDir, LOCK), 'utf8').catch(() => undefined)
  if (holder === undefined) return 'none'
  const pid = Number.parseInt(holder, 10)
  if (!(pid > 0) || holder !== (await describeProcess(pid))) return 'stale'
  if (pid === process.pid) return 'own'
  throw new Error(describeRestore(dataDir))
}

function describeRestore(dataDir: string): string {
  return `A restore into ${dataDir} is under way: wait for its end.`
}

/** The id and, where the system tells it, the start: after a crash of the machine the id may belong to another program. */
async function describeProcess(pid: number): Promise<string> {
  if (!isAlive(pid)) return ''
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const start = status.slice(status.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  return `${pid} ${start}\n`
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (err) {
    return err instanceof Error && 'code' in err && err.code === 'EPERM'
  }
}
