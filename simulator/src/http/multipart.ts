import type { Writable } from 'node:stream'

const HEADERS_BYTES_MAX = 16 * 1024
const FIELD_BYTES_MAX = 64 * 1024
const LINE_BREAK = Buffer.from('\r\n')

export interface FilePart {
  name: string
  filename: string
  type: string
}

export interface MultipartForm {
  fields: Map<string, string>
  file: FilePart | undefined
}

/** Where the bytes of one part go. */
interface Part {
  write(bytes: Buffer): Promise<void>
  end(): Promise<void>
}

type OpenFile = () => Writable

/**
 * Reads a form as it arrives. The bytes of the one file go straight to the
 * stream that `openFile` returns; only the small fields are held in memory.
 * Returns undefined when the body is not a well-formed form.
 */
export async function readMultipart(
  body: AsyncIterable<Buffer>,
  contentType: string,
  openFile: OpenFile,
): Promise<MultipartForm | undefined> {
  const boundary = /boundary=(?:"([^"]+)"|([^;\s]+))/i.exec(contentType)
  const form: MultipartForm = { fields: new Map(), file: undefined }
  const parser = createParser(Buffer.from(`\r\n--${boundary?.[1] ?? boundary?.[2] ?? ''}`), form, openFile)
  try {
    for await (const chunk of body) if (boundary) await parser.feed(chunk)
  } finally {
    await parser.finish()
  }
  return parser.isClosed() ? form : undefined
}

function createParser(mark: Buffer, form: MultipartForm, openFile: OpenFile) {
  // The first boundary has no line break before it; lending it one makes all boundaries alike.
  let held: Buffer = LINE_BREAK
  let part: Part | undefined
  let closed = false

  /** Moves past one boundary, and says whether there was a whole one. */
  async function passBoundary(): Promise<boolean> {
    const at = held.indexOf(mark)
    if (at < 0) return false
    const rest = held.subarray(at + mark.length)
    const isLast = rest.subarray(0, 2).toString() === '--'
    const headersEnd = rest.indexOf('\r\n\r\n')
    if (!isLast && headersEnd < 0 && rest.length <= HEADERS_BYTES_MAX) return false
    await part?.write(held.subarray(0, at))
    await part?.end()
    closed = isLast || headersEnd < 0
    part = closed ? undefined : beginPart(rest.subarray(0, headersEnd).toString(), form, openFile)
    held = closed ? Buffer.alloc(0) : rest.subarray(headersEnd + 4)
    return !closed
  }

  /** Most chunks of a large file lie inside it. Joining only their seams saves a copy of the whole upload. */
  function isAllContent(chunk: Buffer): boolean {
    if (!part || chunk.length <= mark.length || held.length > mark.length) return false
    return !chunk.includes(mark) && !Buffer.concat([held, chunk.subarray(0, mark.length)]).includes(mark)
  }

  /** Passes on what cannot be part of a boundary that the end of the chunk cut in two. */
  async function passContent(): Promise<void> {
    const safe = held.includes(mark) ? 0 : Math.max(0, held.length - mark.length)
    if (!part || safe === 0) return
    await part.write(held.subarray(0, safe))
    held = held.subarray(safe)
  }

  return {
    async feed(chunk: Buffer): Promise<void> {
      if (closed) return
      if (isAllContent(chunk)) {
        const safe = chunk.length - mark.length
        await part?.write(held)
        await part?.write(chunk.subarray(0, safe))
        held = Buffer.from(chunk.subarray(safe))
        return
      }
      held = Buffer.concat([held, chunk])
      while (await passBoundary());
      await passContent()
    },
    /** A body that breaks off still ends its part, or whoever waits for the file would wait for ever. */
    finish: async () => part?.end(),
    isClosed: () => closed,
  }
}

function beginPart(head: string, form: MultipartForm, openFile: OpenFile): Part {
  const name = /[; ]name="([^"]*)"/i.exec(head)?.[1] ?? ''
  const filename = /filename="([^"]*)"/i.exec(head)?.[1]
  if (filename === undefined || form.file) return fieldPart(name, form)
  form.file = { name, filename, type: /content-type:\s*([^\r\n]+)/i.exec(head)?.[1]?.trim() ?? '' }
  return filePart(openFile())
}

function fieldPart(name: string, form: MultipartForm): Part {
  const chunks: Buffer[] = []
  let size = 0
  return {
    async write(bytes) {
      size += bytes.length
      if (size <= FIELD_BYTES_MAX) chunks.push(bytes)
    },
    async end() {
      form.fields.set(name, Buffer.concat(chunks).toString())
    },
  }
}

function filePart(target: Writable): Part {
  return {
    async write(bytes) {
      if (!target.write(bytes)) await new Promise((resolve) => target.once('drain', resolve))
    },
    end: () => new Promise((resolve) => target.end(resolve)),
  }
}
