import { randomBytes } from 'node:crypto'
import { open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AppError } from './errors.ts'

/** Size of one read or write: each is a round trip through the thread pool. */
const STEP_BYTES = 256 * 1024
const RETRY_SECONDS = 5

/** Bytes on disk until they are disposed of. */
export type Spool = AsyncDisposable & {
  bytes: number
  content(): AsyncIterable<Buffer>
}

/**
 * Stores streams whose length must be known before they are forwarded: together at most `bytesMax`, because the disk may
 * be that of the database, and of one owner at most `ownerBytesMax`, so that it leaves room to others. A stream that
 * would exceed the first fails with OVERLOADED, and with RATE_LIMITED for the second. A file is unlinked at once, so no
 * other process can open it and a crash leaves no file.
 */
export function createSpooler(
  { bytesMax, ownerBytesMax }: { bytesMax: number; ownerBytesMax: number },
  directory: string = tmpdir(),
) {
  const heldByOwner = new Map<string, number>()
  let held = 0

  function add(owner: string, bytes: number): void {
    const total = (heldByOwner.get(owner) ?? 0) + bytes
    if (total > 0) heldByOwner.set(owner, total)
    else heldByOwner.delete(owner)
    held += bytes
  }

  function refuseAbove(owner: string, bytes: number): void {
    if ((heldByOwner.get(owner) ?? 0) + bytes > ownerBytesMax) {
      throw new AppError('RATE_LIMITED', 'files_in_progress', {
        parameters: { limit: ownerBytesMax },
        retryAfterSeconds: RETRY_SECONDS,
      })
    }
    if (held + bytes > bytesMax) {
      throw new AppError('OVERLOADED', 'files_queue_full')
    }
  }

  return async function spool(owner: string, chunks: AsyncIterable<Buffer>): Promise<Spool> {
    let bytes = 0
    async function* countBytes(): AsyncGenerator<Buffer> {
      for await (const chunk of chunks) {
        refuseAbove(owner, chunk.length)
        add(owner, chunk.length)
        bytes += chunk.length
        yield chunk
      }
    }
    const path = join(directory, `hubline-${randomBytes(16).toString('hex')}`)
    const file = await open(path, 'wx+', 0o600)
    async function close(): Promise<void> {
      await file.close()
      add(owner, -bytes)
    }
    try {
      await unlink(path)
      await file.writeFile(joinChunks(countBytes()))
      return {
        bytes,
        content: () => file.createReadStream({ start: 0, autoClose: false, highWaterMark: STEP_BYTES }),
        [Symbol.asyncDispose]: close,
      }
    } catch (err) {
      await close()
      throw err
    }
  }
}

async function* joinChunks(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let step: Buffer[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    step.push(chunk)
    bytes += chunk.length
    if (bytes < STEP_BYTES) continue
    yield Buffer.concat(step)
    step = []
    bytes = 0
  }
  yield Buffer.concat(step)
}
