import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError, invalidRequest } from '../errors.ts'
import { parseJsonText } from './json-text.ts'

export const BODY_BYTES_MAX = 1024 * 1024

const NO_BODY_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** JSON is the only body that routes take unless they register a parser of their own. */
export function installJsonBody(app: FastifyInstance, options: { bodyTimeoutMs: number }): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) => {
    const limit = request.routeOptions.bodyLimit ?? BODY_BYTES_MAX
    const bytes = await readBody(payload, { bytesMax: limit, timeoutMs: options.bodyTimeoutMs })
    return bytes.length === 0 ? undefined : parseJsonText(bytes)
  })

  // A route that declares no body takes none: silence about a body would be silence about a mistake.
  app.addHook('preValidation', async (request) => {
    const expectsBody = request.routeOptions.schema?.body !== undefined || NO_BODY_METHODS.has(request.method)
    if (expectsBody || request.body === undefined || request.is404) return
    if (!isEmptyObject(request.body)) throw invalidRequest('This endpoint takes no body.')
  })
}

/**
 * Collects a request's body, and gives up on one that is too long or that
 * dribbles in. The server's own time-out is longer, since uploads share it.
 */
export async function readBody(
  payload: IncomingMessage,
  limits: { bytesMax: number; timeoutMs: number },
): Promise<Buffer> {
  const tooLarge = () => new AppError('PAYLOAD_TOO_LARGE', `The body is larger than ${limits.bytesMax} bytes.`)
  if (Number(payload.headers['content-length'] ?? 0) > limits.bytesMax) throw tooLarge()

  const chunks: Buffer[] = []
  let length = 0
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    payload.destroy(new Error('The body did not arrive in time'))
  }, limits.timeoutMs)
  try {
    for await (const chunk of payload) {
      length += chunk.length
      if (length > limits.bytesMax) throw tooLarge()
      chunks.push(chunk)
    }
  } catch (err) {
    if (err instanceof AppError) throw err
    if (isLate) throw new AppError('REQUEST_TIMEOUT', 'The body did not arrive in time.')
    throw invalidRequest('The body ended early.')
  } finally {
    clearTimeout(timer)
  }
  return Buffer.concat(chunks)
}

function isEmptyObject(body: unknown): boolean {
  return typeof body === 'object' && body !== null && !Array.isArray(body) && Object.keys(body).length === 0
}
