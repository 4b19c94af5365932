import type { IncomingMessage } from 'node:http'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { BODY_BYTES_MAX, readBody, refuseEncoded } from '../../kernel/http/body.ts'
import { installUploads } from '../../kernel/http/upload.ts'
import { DESCRIBED } from './schemas.ts'
import type { Facade } from './service.ts'

const BODY_TIMEOUT_MS = 20_000
const READ_WHOLE = ['application/json', 'application/x-www-form-urlencoded']

/** One route for each method: which paths there are, the allowlist says. */
export function facadeRoutes(facade: Facade): FastifyPluginAsync {
  return async (app) => {
    // Files stay unread until somebody wants them; everything else is read as bytes, since numbers must stay as they are.
    installUploads(app)
    app.addContentTypeParser(READ_WHOLE, async (request: FastifyRequest, payload: IncomingMessage) => {
      refuseEncoded(request)
      return readBody(payload, { bytesMax: BODY_BYTES_MAX, timeoutMs: BODY_TIMEOUT_MS })
    })

    for (const method of ['GET', 'POST', 'DELETE'] as const) {
      app.route({
        method,
        url: '/*',
        // A download would be fetched whole, and thrown away.
        exposeHeadRoute: false,
        config: { hasOwnBody: true },
        schema: DESCRIBED[method],
        handler: async (request, reply) => {
          const { status, headers, body } = await facade.answer(requestOf(request, reply))
          return reply.code(status).headers(headers).send(body)
        },
      })
    }
  }
}

function requestOf({ raw, principal, body, headers }: FastifyRequest, reply: FastifyReply) {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  const { 'content-type': contentType, range } = headers
  const isPresent = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  return {
    method: raw.method ?? '',
    url: raw.url ?? '',
    principal,
    body: { bytes: Buffer.isBuffer(body) ? body : undefined, contentType, isPresent },
    raw,
    // Nothing says which version of a file a part was taken from, so a condition on it never holds.
    range: headers['if-range'] === undefined ? range : undefined,
    gone: gone.signal,
  }
}
