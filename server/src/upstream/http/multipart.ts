import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'

const BUFFERED_BYTES = 64 * 1024

export type FilePart = { file: AsyncIterable<Uint8Array>; filename: string; mimeType: string }

export type MultipartForm = {
  contentType: string
  body: Readable
  /** True once the closing boundary was sent: without it no server accepts the form. */
  isComplete(): boolean
  /** The error thrown while reading the file, if there was one. */
  fileFailure(): { reason: unknown } | undefined
}

/** A form with one file, streamed at the pace of the connection and never whole in memory. */
export function createMultipartForm(
  fields: Record<string, string>,
  part: FilePart,
  onProgress: () => void,
): MultipartForm {
  const boundary = `hubline-${randomBytes(16).toString('hex')}`
  let isComplete = false
  let failure: { reason: unknown } | undefined

  async function* streamForm(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(formatHead(boundary, fields, part))
    try {
      for await (const chunk of part.file) {
        onProgress()
        yield chunk
      }
    } catch (reason) {
      // A body that the connection destroyed also throws here; that is not an error of the file.
      if (!body.destroyed) failure = { reason }
      throw reason
    }
    isComplete = true
    yield Buffer.from(`\r\n--${boundary}--\r\n`)
  }

  const body = Readable.from(streamForm(), { objectMode: false, highWaterMark: BUFFERED_BYTES })
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body,
    isComplete: () => isComplete,
    fileFailure: () => failure,
  }
}

function formatHead(boundary: string, fields: Record<string, string>, { filename, mimeType }: FilePart): string {
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${toPrintableAscii(value)}\r\n`,
  )
  const disposition = `form-data; name="file"; filename="${escapeFilename(filename)}"`
  return `${parts.join('')}--${boundary}\r\nContent-Disposition: ${disposition}\r\nContent-Type: ${toPrintableAscii(mimeType)}\r\n\r\n`
}

/** Escapes as browsers do, so that a quote or a line break does not end the header. */
function escapeFilename(filename: string): string {
  return filename.replace(/["\r\n]/g, (char) => ({ '"': '%22', '\r': '%0D', '\n': '%0A' })[char] ?? '')
}

function toPrintableAscii(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '')
}
