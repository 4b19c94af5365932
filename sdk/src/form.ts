/** A file of unknown length, as it comes. Node's readable streams are async iterables too. */
export type FileStream = {
  stream: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>
  /** The name of the file. */
  name?: string | undefined
  /** Its media type, such as `image/jpeg`. */
  type?: string | undefined
}

export type FileInput = Blob | FileStream

/** The body of a request, and the content type where `fetch` cannot know it. */
export type EncodedForm = {
  body: FormData | ReadableStream<Uint8Array>
  contentType?: string
  /** Closes the stream of the file: after a failure, Node's `fetch` goes on reading from it. */
  close?: () => void
}

/** Encodes a form. With a stream in it, the form is a stream too, and can be sent once only. */
export function encodeForm(form: Record<string, unknown>): EncodedForm {
  const given = Object.entries(form).filter(([, value]) => value !== undefined)
  const streamed = given.find(([, value]) => isFileStream(value)) as [string, FileStream] | undefined
  const others = given.filter(([name]) => name !== streamed?.[0])
  if (streamed) return encodeStream(others, streamed)

  const body = new FormData()
  for (const [name, value] of others) {
    if (value instanceof Blob) body.append(name, value, readName(value))
    else body.append(name, toText(name, value))
  }
  return { body }
}

function isFileStream(value: unknown): value is FileStream {
  return typeof value === 'object' && value !== null && 'stream' in value && !(value instanceof Blob)
}

function readName(blob: Blob): string {
  return 'name' in blob && typeof blob.name === 'string' ? blob.name : 'file'
}

function toText(name: string, value: unknown): string {
  if (typeof value === 'string') return value
  throw new TypeError(`The form field ${name} must be a text, a Blob, or {stream, name, type}.`)
}

/** RFC 7578. `FormData` has no streams, so the form is written here. */
function encodeStream(fields: [string, unknown][], [name, file]: [string, FileStream]): EncodedForm {
  const boundary = `hubline-${crypto.getRandomValues(new Uint32Array(4)).join('')}`
  const texts = fields.map(
    ([field, value]) => `--${boundary}\r\n${toDisposition(field)}\r\n\r\n${toText(field, value)}\r\n`,
  )
  const type = (file.type ?? 'application/octet-stream').replaceAll(/[\r\n]/g, '')
  const opening = `--${boundary}\r\n${toDisposition(name)}; filename="${escapeQuoted(file.name ?? 'file')}"\r\nContent-Type: ${type}\r\n\r\n`
  const parts = joinParts(texts.join('') + opening, file.stream, `\r\n--${boundary}--\r\n`)
  return {
    body: toStream(parts),
    contentType: `multipart/form-data; boundary=${boundary}`,
    close: () => void parts.return(undefined).catch(() => {}),
  }
}

function toDisposition(name: string): string {
  return `Content-Disposition: form-data; name="${escapeQuoted(name)}"`
}

/** Escapes a name as browsers do, by the HTML standard. */
function escapeQuoted(text: string): string {
  return text.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22')
}

async function* joinParts(opening: string, stream: FileStream['stream'], closing: string): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  yield encoder.encode(opening)
  yield* iterate(stream)
  yield encoder.encode(closing)
}

/** Not every browser has iterators of a ReadableStream. */
async function* iterate(stream: FileStream['stream']): AsyncGenerator<Uint8Array> {
  if (!('getReader' in stream)) return yield* stream
  const reader = stream.getReader()
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value
  } finally {
    await reader.cancel()
  }
}

function toStream(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await chunks.return(undefined)
    },
  })
}
