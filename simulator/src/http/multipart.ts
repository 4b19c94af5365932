import type { Readable, Writable } from 'node:stream'
import { Busboy } from '@fastify/busboy'

const HEADERS_BYTES_MAX = 16 * 1024
const FIELD_BYTES_MAX = 64 * 1024

export interface FilePart {
  name: string
  filename: string
  type: string
}

export interface MultipartForm {
  fields: Map<string, string>
  file: FilePart | undefined
}

/**
 * Reads a form as it arrives. The bytes of the one file go to the stream that
 * `openFile` returns; only the small fields are held in memory. Returns
 * undefined when the body is not a well-formed form.
 */
export async function readMultipart(
  body: Readable,
  contentType: string,
  openFile: () => Writable,
): Promise<MultipartForm | undefined> {
  const form: MultipartForm = { fields: new Map(), file: undefined }
  const parser = createParser(contentType)
  if (!parser) return undefined
  parser.on('field', (name: string, value: string) => form.fields.set(name, value))
  parser.on('file', (name: string, content: Readable, filename: string, _encoding: string, type: string) => {
    form.file = { name, filename, type }
    // A body that ends early still ends its file, and the parser reports the error.
    content.on('error', () => undefined).pipe(openFile())
  })
  const isWellFormed = await new Promise<boolean>((resolve) => {
    parser.on('error', () => resolve(false)).on('finish', () => resolve(true))
    body.once('error', () => parser.end()).pipe(parser)
  })
  if (body.errored) throw body.errored
  return isWellFormed ? form : undefined
}

function createParser(contentType: string): InstanceType<typeof Busboy> | undefined {
  if (!/^multipart\/form-data/i.test(contentType)) return undefined
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: { files: 1, fieldSize: FIELD_BYTES_MAX, headerSize: HEADERS_BYTES_MAX },
      isPartAFile: (_name, _type, filename) => filename !== undefined,
    })
  } catch {
    // The content type names no boundary.
    return undefined
  }
}
