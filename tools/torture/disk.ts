import { execFile, spawnSync } from 'node:child_process'
import { open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)
const SIZE_MB = 768
const PART = Buffer.alloc(4 * 1024 ** 2)

export type Disk = Disposable & { fill: (forMs: number) => Promise<void> }

/** A small file system for the database that can be full; undefined where this account may not mount one. */
export async function mountDisk(directory: string): Promise<Disk | undefined> {
  const options = ['-t', 'tmpfs', '-o', `size=${SIZE_MB}m,mode=755`, 'hubline-torture', directory]
  const isMounted = await run('mount', options).then(
    () => true,
    () => false,
  )
  if (!isMounted) return undefined
  const ballast = join(directory, 'ballast')

  async function fill(forMs: number): Promise<void> {
    const { bavail, bsize } = await statfs(directory)
    const file = await open(ballast, 'w')
    try {
      // Until there is no room for another part, and at most until the file is as large as the disk.
      for (let left = bavail * bsize; left > 0; left -= PART.length) await file.write(PART)
    } catch (err) {
      if ((err as NodeJS.ErrnoException).code !== 'ENOSPC') throw err
    } finally {
      await file.close()
    }
    await delay(forMs)
    await rm(ballast, { force: true })
  }

  return {
    fill,
    [Symbol.dispose]: () => void spawnSync('umount', ['--lazy', directory]),
  }
}
