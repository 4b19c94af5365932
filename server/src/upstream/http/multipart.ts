import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'

const BUFFERED_BYTES = 64 * 1024

export type FilePart = { file: AsyncIterable<Uint8Array>; filename: string; mimeType: string }

export type MultipartForm = {
  contentType: string
  body: Readable
  /** Whether the closing boundary was handed over: before that, no server has a form. */
  isWhole(): boolean
  /** What broke the file off, when it was the file itself. */
  fileFailure(): { reason: unknown } | undefined
}

/** A form with one file, produced as fast as the connection takes it and never held whole. */
export function createForm(fields: Record<string, string>, part: FilePart, onProgress: () => void): MultipartForm {
  const boundary = `hubline-${randomBytes(16).toString('hex')}`
  let isWhole = false
  let failure: { reason: unknown } | undefined

  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(opening(boundary, fields, part))
    try {
      for await (const chunk of part.file) {
        onProgress()
        yield chunk
      }
    } catch (reason) {
      // A body that the connection destroyed throws in here too; that is not the file's failure.
      if (!body.destroyed) failure = { reason }
      throw reason
    }
    isWhole = true
    yield Buffer.from(`\r\n--${boundary}--\r\n`)
  }

  const body = Readable.from(bytes(), { objectMode: false, highWaterMark: BUFFERED_BYTES })
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body,
    isWhole: () => isWhole,
    fileFailure: () => failure,
  }
}

function opening(boundary: string, fields: Record<string, string>, { filename, mimeType }: FilePart): string {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${oneLine(value)}\r\n`,
  )
  const disposition = `form-data; name="file"; filename="${escaped(filename)}"`
  return `${parts.join('')}--${boundary}\r\nContent-Disposition: ${disposition}\r\nContent-Type: ${oneLine(mimeType)}\r\n\r\n`
}

/** As browsers write a file name: a quote or a line break in it must not end the header. */
function escaped(filename: string): string {
  return filename.replace(/["\r\n]/g, (char) => ({ '"': '%22', '\r': '%0D', '\n': '%0A' })[char] ?? '')
}

function oneLine(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '')
}
