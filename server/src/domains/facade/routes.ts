import type { IncomingMessage } from 'node:http'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../kernel/errors.ts'
import { LARGE_BODY_BYTES_MAX, readBody, refuseEncoded } from '../../kernel/http/body.ts'
import { watchDisconnect } from '../../kernel/http/streaming/disconnect.ts'
import { installUploads } from '../../kernel/http/upload.ts'
import { FACADE_SCHEMAS } from './schemas.ts'
import type { Facade } from './service.ts'

const BODY = { bytesMax: LARGE_BODY_BYTES_MAX, timeoutMs: 20_000 }
const BUFFERED_TYPES = ['application/json', 'application/x-www-form-urlencoded']

/** One wildcard route per method: the allowlist defines the paths. */
export function facadeRoutes(facade: Facade): FastifyPluginAsync {
  return async (app) => {
    // Uploads stay unread until an operation reads them. Other bodies are read as bytes to keep the digits of numbers.
    installUploads(app)
    app.addContentTypeParser(BUFFERED_TYPES, async (request: FastifyRequest, payload: IncomingMessage) => {
      try {
        refuseEncoded(request)
        return await readBody(payload, { ...BODY, budget: app.bodyBudget })
      } catch (err) {
        // The operation throws it: a call has an error code of its own, and an unknown path is 404 with any body.
        if (err instanceof AppError) return err
        throw err
      }
    })

    // The framework would refuse a malformed type itself: the operation decides, as for every other type.
    app.addHook('preParsing', async (request) => {
      if (request.mediaType === undefined) delete request.headers['content-type']
    })

    for (const method of ['GET', 'POST', 'DELETE'] as const) {
      app.route({
        method,
        url: '/*',
        // A HEAD request would download the whole file and discard it.
        exposeHeadRoute: false,
        config: { readsBodyItself: true },
        schema: FACADE_SCHEMAS[method],
        handler: async (request, reply) => {
          const { status, headers, body } = await facade.handle(toFacadeRequest(request, reply))
          return reply.code(status).headers(headers).send(body)
        },
      })
    }
  }
}

function toFacadeRequest({ raw, principal, body, headers }: FastifyRequest, reply: FastifyReply) {
  const { 'content-type': contentType, range } = headers
  const isPresent = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  return {
    method: raw.method ?? '',
    url: raw.url ?? '',
    principal,
    body: {
      bytes: Buffer.isBuffer(body) ? body : undefined,
      failure: body instanceof AppError ? body : undefined,
      contentType,
      isPresent,
    },
    raw,
    // Files have no version to compare with `If-Range`, so the condition fails and the whole file is sent.
    range: headers['if-range'] === undefined ? range : undefined,
    signal: watchDisconnect(reply),
  }
}
