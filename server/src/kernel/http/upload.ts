import type { IncomingMessage } from 'node:http'
import { PassThrough, type Readable } from 'node:stream'
import { Busboy } from '@fastify/busboy'
import type { FastifyInstance } from 'fastify'
import { AppError, invalidRequest } from '../errors.ts'

/** A file that is being uploaded. A reader that stops before its end returns the generator. */
export type Upload = {
  filename: string
  content: AsyncGenerator<Buffer>
  /** Resolves at the end of a form that contains nothing else, and rejects otherwise. */
  finished: Promise<void>
}

const FIELD_BYTES_MAX = 1024
const IGNORED_FIELDS_MAX = 20
/** Shorter than the upstream's idle timeout, so the stalled client gets the 408: contract.md#media.stalled-upload-is-408. */
const STALL_MS = 8000
/** The number of checks in that time. */
const CHECKS = 4
const FORM = /^multipart\/form-data\s*(;|$)/i

/** Leaves bodies unread: the route streams them and refuses other content types. */
export function installUploads(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
}

/** The text fields that a form may contain besides its file, each with its allowed values; null allows any. */
type FormFields = Record<string, readonly string[] | null>

/** `ignoresFields`: text fields that are not listed are ignored, up to a number. */
type UploadOptions = { stallMs?: number; ignoresFields?: boolean }

/**
 * Resolves to the one file of a form as soon as it starts. Nothing is buffered:
 * reading the content reads from the client. Any error in the form, even after
 * the file, and an early end fail the content and both promises with one error.
 */
export async function receiveUpload(
  request: IncomingMessage,
  field: string,
  fields: FormFields = {},
  { stallMs = STALL_MS, ignoresFields = false }: UploadOptions = {},
): Promise<Upload> {
  const form = openForm(request, ignoresFields ? IGNORED_FIELDS_MAX : Object.keys(fields).length)
  const started = Promise.withResolvers<Upload>()
  const finished = Promise.withResolvers<void>()
  // The form may fail before its end is awaited.
  finished.promise.catch(() => {})
  let failure: AppError | undefined
  let file: Readable | undefined

  function fail(error: AppError): void {
    failure ??= error
    stopStallTimer()
    request.unpipe(form)
    started.reject(failure)
    finished.reject(failure)
    file?.destroy(failure)
  }

  const stopStallTimer = onStall(request, stallMs, () => {
    fail(new AppError('REQUEST_TIMEOUT', 'file_too_slow'))
  })

  async function* readContent(stream: Readable): AsyncGenerator<Buffer> {
    try {
      yield* stream
    } catch (err) {
      throw failure ?? err
    }
  }

  const path = `/${field}`
  const other = Object.keys(fields).join(', ')
  const failForm = () =>
    fail(
      other === ''
        ? invalidRequest('form_one_file', { parameters: { field }, path })
        : invalidRequest('form_one_file_beside', { parameters: { field, other }, path }),
    )
  const endEarly = () => fail(invalidRequest('body_ended_early', { path }))
  form.on('field', (name: string, value: string, isNameCut: boolean, isCut: boolean) => {
    if (ignoresFields && (isNameCut || !Object.hasOwn(fields, name))) return
    const values = isNameCut || isCut || !Object.hasOwn(fields, name) ? undefined : fields[name]
    if (values === undefined) failForm()
    else if (values !== null && !values.includes(value)) {
      const parameters = { field: name, values: values.join(', ') }
      fail(invalidRequest('form_field_not_one_of', { parameters, path }))
    }
  })
  form.on('file', (name: string, stream: Readable, filename: string | undefined) => {
    file = stream
    stream.on('error', endEarly)
    // The request of an abandoned file stays unread, and such a request never closes.
    stream.on('close', () => stream.readableEnded || stopStallTimer())
    if (name !== field) return failForm()
    started.resolve({ filename: filename || field, content: readContent(stream), finished: finished.promise })
  })
  form.on('fieldsLimit', failForm)
  form.on('filesLimit', failForm)
  form.on('partsLimit', failForm)
  form.on('error', () => fail(invalidRequest('form_unreadable', { path })))
  form.on('finish', () => {
    stopStallTimer()
    finished.resolve()
    started.reject(invalidRequest('file_missing', { parameters: { field } }))
  })
  request.once('close', () => {
    if (!request.complete) endEarly()
  })
  if (request.destroyed) endEarly()
  else request.pipe(form)
  return started.promise
}

/** Calls `report` if no bytes arrive for `ms` while the content is being read. A paused reader is not a stall. */
function onStall(request: IncomingMessage, ms: number, report: () => void): () => void {
  const { socket } = request
  let bytes = socket.bytesRead
  let idle = 0
  const timer = setInterval(() => {
    const isAwaited = !request.complete && !request.isPaused()
    idle = isAwaited && socket.bytesRead === bytes ? idle + 1 : 0
    bytes = socket.bytesRead
    if (idle >= CHECKS) report()
  }, ms / CHECKS)
  return () => clearInterval(timer)
}

function openForm(request: IncomingMessage, fields: number): InstanceType<typeof Busboy> {
  const contentType = request.headers['content-type'] ?? ''
  if (!FORM.test(contentType)) {
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'form_required')
  }
  try {
    const headers = { ...request.headers, 'content-type': contentType }
    const limits = { files: 1, fields, parts: fields + 2, headerPairs: 20, fieldSize: FIELD_BYTES_MAX }
    return new Busboy({ headers, limits })
  } catch {
    // Busboy throws here only for a missing boundary.
    throw invalidRequest('form_without_boundary')
  }
}

/**
 * Reads a body as the bytes of one file, while they arrive. A client that stops sending fails the content, and so does one
 * that leaves before the end.
 */
export async function* readRawFile(request: IncomingMessage, stallMs: number = STALL_MS): AsyncGenerator<Buffer> {
  const content = new PassThrough()

  function fail(error: AppError): void {
    request.unpipe(content)
    content.destroy(error)
  }

  const endEarly = () => fail(invalidRequest('body_ended_early'))
  const leave = () => request.complete || endEarly()
  const stopStallTimer = onStall(request, stallMs, () => {
    fail(new AppError('REQUEST_TIMEOUT', 'file_too_slow'))
  })
  request.once('close', leave)
  try {
    if (request.destroyed) endEarly()
    else request.pipe(content)
    yield* content
  } finally {
    stopStallTimer()
    request.off('close', leave)
    request.unpipe(content)
  }
}
