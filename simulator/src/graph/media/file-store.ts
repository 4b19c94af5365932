import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, mkdtempSync, rmSync, unlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, type Readable, Transform } from 'node:stream'

/** The longest magic bytes of any type. */
const HEAD_BYTES = 16

export interface StoredFile {
  path: string
  size: number
  sha256: Buffer
  head: Buffer
}

export interface FileIntake {
  stream: PassThrough
  /** Settles when the stream has ended and every byte is on disk. */
  stored: Promise<StoredFile>
}

export type FileStore = ReturnType<typeof createFileStore>

/**
 * Stores media in a temporary directory. The sandbox runs in the hub's process,
 * where a 100 MB upload must not take memory.
 */
export function createFileStore() {
  let directory: string | undefined
  let count = 0

  function nextPath(): string {
    directory ??= mkdtempSync(join(tmpdir(), 'hubline-simulator-'))
    return join(directory, String(++count))
  }

  return {
    open(): FileIntake {
      const path = nextPath()
      const stream = new PassThrough()
      const stored = store(stream, path)
      // When a form is malformed, `stored` is not awaited, and its rejection must not end the process.
      stored.catch(() => undefined)
      return { stream, stored }
    },
    read: (path: string): Readable => createReadStream(path),
    discard(path: string): void {
      unlinkSync(path)
    },
    close(): void {
      if (directory) rmSync(directory, { recursive: true, force: true })
      directory = undefined
    },
  }
}

function store(source: Readable, path: string): Promise<StoredFile> {
  const hash = createHash('sha256')
  let size = 0
  let head: Buffer = Buffer.alloc(0)
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      size += chunk.length
      if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk.subarray(0, HEAD_BYTES - head.length)])
      done(null, chunk)
    },
  })
  return new Promise((resolve, reject) => {
    source
      .pipe(measure)
      .pipe(createWriteStream(path))
      .on('error', reject)
      .on('finish', () => resolve({ path, size, sha256: hash.digest(), head }))
  })
}
