import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError, invalidRequest } from '../errors.ts'
import { parseStrictJson } from '../json/strict.ts'
import { isObject } from '../json/values.ts'
import type { BodyBudget } from './body-budget.ts'
import { afterReading } from './late-reading.ts'
import { addSyncHook } from './sync-hook.ts'

/** Most bodies of the API are small. A large one costs time to parse before anything can be refused. */
export const BODY_BYTES_MAX = 64 * 1024
/** For routes without a credential. */
export const PUBLIC_BODY_BYTES_MAX = 16 * 1024
/** For routes whose bodies a client composes: messages, templates and the facade. */
export const LARGE_BODY_BYTES_MAX = 1024 * 1024

declare module 'fastify' {
  interface FastifyInstance {
    /** For the bodies that a route reads with `readBody`. */
    bodyBudget: BodyBudget
  }
  interface FastifyContextConfig {
    /** The route reads its body itself, so the hub neither parses nor refuses it. */
    readsBodyItself?: true
  }
}

/** The number of bytes of a refused body that are discarded. A client that is still sending then has had time to read the response. */
const DISCARD = { bytesMax: 16 * 1024 * 1024, timeoutMs: 2000, idleMs: 300 }

const NO_BODY_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Routes accept only JSON bodies unless they register another parser. */
export function installJsonBody(app: FastifyInstance, options: { timeoutMs: number; budget: BodyBudget }): void {
  app.decorate('bodyBudget', options.budget)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) => {
    refuseEncoded(request)
    const limit = request.routeOptions.bodyLimit ?? BODY_BYTES_MAX
    const bytes = await readBody(payload, { bytesMax: limit, ...options })
    return bytes.length === 0 ? undefined : parseStrictJson(bytes)
  })
  // An empty body is no body, of any content type: `curl -d ''` sends an empty form.
  app.addContentTypeParser('*', async ({ headers }: FastifyRequest) => {
    if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return undefined
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'json_required')
  })

  addSyncHook(app, 'preValidation', (request) => {
    if (NO_BODY_METHODS.has(request.method) || request.is404) return
    // A missing body counts as an empty object, so that the error names the missing properties.
    const hasSchema = request.routeOptions.schema?.body !== undefined
    if (hasSchema && request.body === undefined) request.body = {}
    // A route that declares no body refuses one: to ignore it would hide a mistake of the client.
    const isStray = !hasSchema && request.body !== undefined && !request.routeOptions.config.readsBodyItself
    if (isStray && !isEmptyObject(request.body)) throw invalidRequest('body_not_accepted')
  })
}

/** Compression gains little for a body of at most 1 MiB, and a small compressed body can expand to any size. */
export function refuseEncoded({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding.toLowerCase() === 'identity') return
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'encoding_not_accepted')
}

/**
 * Reads a request's body, and rejects one that is too long or too slow. The
 * server's own timeout is longer, because it applies to uploads too.
 */
export async function readBody(
  payload: IncomingMessage,
  limits: { bytesMax: number; timeoutMs: number; budget: BodyBudget },
): Promise<Buffer> {
  const tooLarge = () =>
    new AppError('PAYLOAD_TOO_LARGE', 'body_larger_than', { parameters: { maximum: limits.bytesMax } })
  if (Number(payload.headers['content-length'] ?? 0) > limits.bytesMax) throw tooLarge()

  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    // The request is not destroyed, because the response needs its connection.
    const timer = setTimeout(expire, limits.timeoutMs)
    let isSettled = false

    function expire(): void {
      const known = length
      afterReading(() => {
        if (isSettled) return
        if (length > known) expire()
        else settle(() => reject(new AppError('REQUEST_TIMEOUT', 'body_too_slow')))
      })
    }

    const counted = limits.budget.open((err) => settle(() => reject(err)))

    function settle(resolveOrReject: () => void): void {
      isSettled = true
      clearTimeout(timer)
      counted.close()
      payload.off('data', addChunk).off('end', finish).off('close', rejectEarlyEnd).pause()
      resolveOrReject()
    }
    function addChunk(chunk: Buffer): void {
      length += chunk.length
      chunks.push(chunk)
      if (length > limits.bytesMax) settle(() => reject(tooLarge()))
      else counted.addChunk(chunk.length)
    }
    const finish = () => settle(() => resolve(Buffer.concat(chunks)))
    const rejectEarlyEnd = () => settle(() => reject(invalidRequest('body_ended_early')))
    payload.on('data', addChunk).on('end', finish).on('close', rejectEarlyEnd)
  })
}

/**
 * A response that ends only after more of the request was discarded. A connection that closes with unread bytes is
 * reset, and the client, which is still sending, may then lose the response. The client has the whole response at
 * once, by its Content-Length.
 */
export function toLingeringResponse(request: IncomingMessage, text: string): Readable {
  return Readable.from(respondAndDiscard(request, text), { objectMode: false })
}

async function* respondAndDiscard(request: IncomingMessage, text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
  await discardBody(request)
}

/** An upload stays connected to its form, which ends with it. */
async function discardBody(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const timers = [DISCARD.timeoutMs, DISCARD.idleMs].map((ms) => setTimeout(resolve, ms))
  let length = 0
  const count = (chunk: Buffer) => {
    length += chunk.length
    timers[1]?.refresh()
    if (length > DISCARD.bytesMax) resolve()
  }
  request.on('data', count).once('end', resolve).once('close', resolve).resume()
  await promise
  timers.forEach(clearTimeout)
  request.off('data', count).off('end', resolve).off('close', resolve)
}

function isEmptyObject(body: unknown): boolean {
  return isObject(body) && Object.keys(body).length === 0
}
