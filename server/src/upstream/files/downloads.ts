import type { IncomingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import type { Client } from '../http/client.ts'
import type { Deadline } from '../http/deadline.ts'
import { type Result, reportedFailure, silentFailure, type UpstreamFailure } from '../http/errors.ts'
import type { Opened } from '../http/transport.ts'
import { parseLossless } from '../json.ts'
import { type BytePlace, type ByteRange, parseContentRange, placeOf, rangeHeader } from './byte-range.ts'

/** A slow reader may take its time; this is as long as the largest file may take. */
const DOWNLOAD_MS_MAX = 10 * 60_000
const REFUSAL_BYTES_MAX = 64 * 1024
const MIME_TYPE = /^[\w.+-]{1,100}\/[\w.+-]{1,100}(; ?[\w.+-]+=[\w.+-]+){0,3}$/

export type Download =
  /** `place` is null for the whole file, `bytes` where the upstream does not say how many there are. */
  | { kind: 'file'; mimeType: string; bytes: number | null; place: BytePlace | null; content: Readable }
  | { kind: 'missing' }
  | { kind: 'beyond-the-end'; total: number | null }

export type DownloadOptions = {
  range: ByteRange | undefined
  /** Aborted when nobody wants the file any more. */
  gone: AbortSignal
}

export function createDownloads(client: Client) {
  return {
    /**
     * Opens a file at an address that the upstream gave out. Its bytes come as
     * fast as they are read, and the deadline runs only while they are waited
     * for. Where the upstream does not know of ranges, the part is cut out here.
     */
    async open(token: string, address: string, { range, gone }: DownloadOptions): Promise<Result<Download>> {
      const to = URL.parse(address)
      if (!to) return { ok: false, failure: unusable(null, 'The address of the file is no address') }
      using held = new DisposableStack()
      const deadline = held.use(client.newDeadline(DOWNLOAD_MS_MAX))
      const asked = range && { range: rangeHeader(range) }
      const call = { name: 'downloads.open', method: 'GET' as const, to, token, ...asked }
      const opened = await client.open(call, AbortSignal.any([deadline.signal, gone]))
      if (!opened.ok) return foreign(opened.failure)
      held.defer(() => opened.value.body.destroy())
      const result = await judge(opened.value, range, deadline)
      // From here on the content holds both, and lets go of them at its end.
      if (result.ok && result.value.kind === 'file') held.move()
      return result
    },
  }
}

/** The address is the upstream's own word: what is wrong with it is no mistake of the caller's. */
function foreign(failure: UpstreamFailure): Result<never> {
  const kind = failure.kind === 'refused' && !failure.isCredentialRefused ? 'unavailable' : failure.kind
  return { ok: false, failure: { ...failure, kind, cause: failure.cause ?? new Error(failure.title ?? 'no answer') } }
}

async function judge(opened: Opened, range: ByteRange | undefined, deadline: Deadline): Promise<Result<Download>> {
  const { status, headers, body } = opened
  const bytes = lengthOf(headers)
  const mimeType = typeOf(headers)
  if (status === 206) {
    const place = parseContentRange(headers['content-range'])
    if (!place || !range) return { ok: false, failure: unusable(status, 'A part came that is not what was asked for') }
    const content = watched(body, { skip: 0, take: place.end - place.start + 1 }, deadline)
    return { ok: true, value: { kind: 'file', mimeType, bytes: place.end - place.start + 1, place, content } }
  }
  if (status === 416) return { ok: true, value: { kind: 'beyond-the-end', total: totalOf(headers) } }
  if (status === 404 || status === 410) return { ok: true, value: { kind: 'missing' } }
  if (status !== 200) return { ok: false, failure: await refusalIn(opened) }
  if (!range || bytes === null) {
    const content = watched(body, { skip: 0, take: null }, deadline)
    return { ok: true, value: { kind: 'file', mimeType, bytes, place: null, content } }
  }
  const place = placeOf(range, bytes)
  if (!place) return { ok: true, value: { kind: 'beyond-the-end', total: bytes } }
  const take = place.end - place.start + 1
  const content = watched(body, { skip: place.start, take }, deadline)
  return { ok: true, value: { kind: 'file', mimeType, bytes: take, place, content } }
}

/** The bytes that are wanted, as they are read. Ending it, at its end or before, ends the download. */
function watched(body: Readable, part: { skip: number; take: number | null }, deadline: Deadline): Readable {
  const chunks: AsyncIterator<Buffer> = body[Symbol.asyncIterator]()
  let { skip, take } = part

  async function next(): Promise<Buffer | null> {
    while (take !== 0) {
      const { done, value } = await chunks.next()
      if (done && (skip > 0 || take !== null)) throw new Error('The file ended early')
      if (done) return null
      const wanted = value.subarray(skip, take === null ? undefined : skip + take)
      skip -= Math.min(skip, value.length)
      if (take !== null) take -= wanted.length
      if (wanted.length > 0) return wanted
    }
    return null
  }

  return new Readable({
    read() {
      deadline.extend()
      next()
        .then((chunk) => {
          deadline.rest()
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

async function refusalIn({ status, body }: Opened): Promise<UpstreamFailure> {
  return reportedFailure(status, await jsonIn(body)) ?? unusable(status, 'The file was not given out')
}

async function jsonIn(body: Readable): Promise<unknown> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > REFUSAL_BYTES_MAX) return undefined
      chunks.push(chunk)
    }
    return parseLossless(Buffer.concat(chunks).toString())
  } catch {
    // Whether it broke off or is no JSON: it explains nothing, and the status stands for itself.
    return undefined
  }
}

function unusable(status: number | null, message: string): UpstreamFailure {
  return silentFailure('read', { mayBeDone: false, status, traceId: null, cause: new Error(message) })
}

/** It stands in an answer of ours, so it must look like what it claims to be. */
function typeOf({ 'content-type': type = '' }: IncomingHttpHeaders): string {
  return MIME_TYPE.test(type) ? type : 'application/octet-stream'
}

function lengthOf({ 'content-length': length = '' }: IncomingHttpHeaders): number | null {
  return /^\d{1,15}$/.test(length) ? Number(length) : null
}

function totalOf({ 'content-range': range = '' }: IncomingHttpHeaders): number | null {
  const [, total] = /^bytes \*\/(\d{1,15})$/i.exec(range) ?? []
  return total === undefined ? null : Number(total)
}
