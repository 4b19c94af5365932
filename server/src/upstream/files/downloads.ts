import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { parseLossless } from '../../kernel/json/lossless.ts'
import type { UpstreamClient } from '../http/client.ts'
import type { Deadline } from '../http/deadline.ts'
import { buildNoResponseFailure, parseGraphFailure, type Result, type UpstreamFailure } from '../http/errors.ts'
import type { StreamedResponse } from '../http/transport.ts'
import { type ByteRange, type ContentRange, formatRange, parseContentRange, resolveRange } from './byte-range.ts'

/** Clients may read slowly; this limit is for the largest file. */
const DOWNLOAD_MS_MAX = 10 * 60_000
const ERROR_BODY_BYTES_MAX = 64 * 1024
const MIME_TYPE = /^[\w.+-]{1,100}\/[\w.+-]{1,100}(; ?[\w.+-]+=[\w.+-]+){0,3}$/

export type Download =
  /** `contentRange` is null for the whole file, `bytes` if the upstream sends no length. */
  | { kind: 'file'; mimeType: string; bytes: number | null; contentRange: ContentRange | null; content: Readable }
  | { kind: 'missing' }
  | { kind: 'unsatisfiable-range'; total: number | null }

type DownloadOptions = {
  range: ByteRange | undefined
  /** Aborted when the client disconnects. */
  signal: AbortSignal
}

export function createDownloadCalls(client: UpstreamClient) {
  return {
    /**
     * Opens a file at a URL from the upstream. The bytes are fetched at the pace of the
     * reader, and the deadline runs only while a read waits for the upstream. If the
     * upstream ignores the range, the hub cuts it out.
     */
    async open(token: string, address: string, { range, signal }: DownloadOptions): Promise<Result<Download>> {
      const to = URL.parse(address)
      if (!to) return { ok: false, failure: buildDownloadFailure(null, 'The address of the file is not a valid URL') }
      using cleanup = new DisposableStack()
      const deadline = cleanup.use(client.newDeadline(DOWNLOAD_MS_MAX))
      const rangeHeader = range && { range: formatRange(range) }
      const call = { name: 'downloads.open', method: 'GET' as const, to, token, ...rangeHeader }
      const opened = await client.openStream(call, AbortSignal.any([deadline.signal, signal]))
      if (!opened.ok) return toUpstreamFault(opened.failure)
      cleanup.defer(() => opened.value.body.destroy())
      const result = await toDownload(opened.value, range, deadline)
      // The content now owns the deadline and the body, and disposes of both at its end.
      if (result.ok && result.value.kind === 'file') cleanup.move()
      return result
    },
  }
}

/** The URL came from the upstream, so an invalid one is not the caller's fault. */
function toUpstreamFault(failure: UpstreamFailure): Result<never> {
  const kind = failure.kind === 'refused' && !failure.isCredentialRefused ? 'unavailable' : failure.kind
  return { ok: false, failure: { ...failure, kind, cause: failure.cause ?? new Error(failure.title ?? 'no response') } }
}

async function toDownload(
  opened: StreamedResponse,
  range: ByteRange | undefined,
  deadline: Deadline,
): Promise<Result<Download>> {
  const { status, headers, body } = opened
  const bytes = readLength(headers)
  const mimeType = readMimeType(headers)
  if (status === 206) {
    const contentRange = parseContentRange(headers['content-range'])
    if (!contentRange || !range)
      return { ok: false, failure: buildDownloadFailure(status, 'The response is a part that was not requested') }
    const content = readPart(body, { skip: 0, take: contentRange.end - contentRange.start + 1 }, deadline)
    return {
      ok: true,
      value: { kind: 'file', mimeType, bytes: contentRange.end - contentRange.start + 1, contentRange, content },
    }
  }
  if (status === 416) return { ok: true, value: { kind: 'unsatisfiable-range', total: readTotal(headers) } }
  if (status === 404 || status === 410) return { ok: true, value: { kind: 'missing' } }
  if (status !== 200) return { ok: false, failure: await readFailure(opened) }
  if (!range || bytes === null) {
    const content = readPart(body, { skip: 0, take: null }, deadline)
    return { ok: true, value: { kind: 'file', mimeType, bytes, contentRange: null, content } }
  }
  const contentRange = resolveRange(range, bytes)
  if (!contentRange) return { ok: true, value: { kind: 'unsatisfiable-range', total: bytes } }
  const take = contentRange.end - contentRange.start + 1
  const content = readPart(body, { skip: contentRange.start, take }, deadline)
  return { ok: true, value: { kind: 'file', mimeType, bytes: take, contentRange, content } }
}

/** Streams the requested part of the body. Destroying the stream ends the download. */
function readPart(body: Readable, part: { skip: number; take: number | null }, deadline: Deadline): Readable {
  const chunks: AsyncIterator<Buffer> = body[Symbol.asyncIterator]()
  let { skip, take } = part

  async function next(): Promise<Buffer | null> {
    while (take !== 0) {
      const { done, value } = await chunks.next()
      if (done && (skip > 0 || take !== null)) throw new Error('The file ended early')
      if (done) return null
      const bytes = value.subarray(skip, take === null ? undefined : skip + take)
      skip -= Math.min(skip, value.length)
      if (take !== null) take -= bytes.length
      if (bytes.length > 0) return bytes
    }
    return null
  }

  return new Readable({
    read() {
      deadline.extend()
      next()
        .then((chunk) => {
          deadline.pause()
          this.push(chunk)
        })
        .catch((err) => this.destroy(err))
    },
    destroy(err, done) {
      deadline[Symbol.dispose]()
      body.destroy()
      done(err)
    },
  })
}

async function readFailure({ status, body }: StreamedResponse): Promise<UpstreamFailure> {
  return (
    parseGraphFailure(status, await readJson(body)) ??
    buildDownloadFailure(status, 'The upstream did not return the file')
  )
}

async function readJson(body: Readable): Promise<unknown> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > ERROR_BODY_BYTES_MAX) return undefined
      chunks.push(chunk)
    }
    return parseLossless(Buffer.concat(chunks).toString())
  } catch {
    // A body that is cut off or not JSON explains nothing; the status alone classifies the failure.
    return undefined
  }
}

function buildDownloadFailure(status: number | null, message: string): UpstreamFailure {
  return buildNoResponseFailure('read', { mayHaveTakenEffect: false, status, traceId: null, cause: new Error(message) })
}

/** The type is repeated in the hub's response, so only a well-formed one is taken. */
function readMimeType({ 'content-type': type = '' }: IncomingHttpHeaders): string {
  return MIME_TYPE.test(type) ? type : 'application/octet-stream'
}

function readLength({ 'content-length': length = '' }: IncomingHttpHeaders): number | null {
  return /^\d{1,15}$/.test(length) ? Number(length) : null
}

function readTotal({ 'content-range': range = '' }: IncomingHttpHeaders): number | null {
  const [, total] = /^bytes \*\/(\d{1,15})$/i.exec(range) ?? []
  return total === undefined ? null : Number(total)
}
