import { randomBytes } from 'node:crypto'
import { open, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Size of one read or write: each is a round trip through the thread pool. */
const STEP_BYTES = 256 * 1024

/** Bytes on disk until they are disposed of. */
export type Spool = AsyncDisposable & {
  bytes: number
  content(): AsyncIterable<Buffer>
}

/**
 * Stores a stream whose length must be known before it is forwarded. The file is
 * unlinked at once, so no other process can open it and a crash leaves no file.
 */
export async function spool(chunks: AsyncIterable<Buffer>, directory: string = tmpdir()): Promise<Spool> {
  const path = join(directory, `hubline-${randomBytes(16).toString('hex')}`)
  const file = await open(path, 'wx+', 0o600)
  try {
    await unlink(path)
    await file.writeFile(joinChunks(chunks))
    const { size } = await file.stat()
    return {
      bytes: size,
      content: () => file.createReadStream({ start: 0, autoClose: false, highWaterMark: STEP_BYTES }),
      [Symbol.asyncDispose]: () => file.close(),
    }
  } catch (err) {
    await file.close()
    throw err
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
