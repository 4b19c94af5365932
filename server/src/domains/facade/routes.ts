import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../kernel/errors.ts'
import { BODY_BYTES_MAX, LARGE_BODY_BYTES_MAX, readBody, refuseEncoded } from '../../kernel/http/body.ts'
import { watchDisconnect } from '../../kernel/http/streaming/disconnect.ts'
import { installUploads } from '../../kernel/http/upload.ts'
import { isRawUpload, type Mount } from './allowlist/allowlist.ts'
import { awaitsForm, takeFormTokens } from './graph/credentials.ts'
import { FACADE_SCHEMAS, GRAPH_SCHEMAS } from './schemas.ts'
import type { Facade } from './service.ts'

const BODY = { bytesMax: LARGE_BODY_BYTES_MAX, timeoutMs: 20_000 }
const FORM = 'application/x-www-form-urlencoded'

/** One wildcard route per method: the allowlist defines the paths. */
export function facadeRoutes(facade: Facade, mount: Mount): FastifyPluginAsync {
  return async (app) => {
    // Uploads stay unread until an operation reads them. Other bodies are read as bytes to keep the digits of numbers.
    installUploads(app)
    app.addContentTypeParser(
      mount === 'graph' ? ['application/json'] : ['application/json', FORM],
      async (request: FastifyRequest, payload: IncomingMessage) => {
        try {
          refuseEncoded(request)
          return await readBody(payload, { ...BODY, budget: app.bodyBudget })
        } catch (err) {
          // The operation throws it: a call has an error code of its own, and an unknown path is 404 with any body.
          if (err instanceof AppError) return err
          throw err
        }
      },
    )

    if (mount === 'graph') {
      app.addContentTypeParser(FORM, async (request: FastifyRequest, payload: IncomingMessage) =>
        readGraphForm(app, request, payload),
      )
    }

    // The framework would refuse a malformed type itself: the operation decides, as for every other type. And the bytes of
    // a file stay unread, with any content type: curl calls them a form.
    app.addHook('preParsing', async ({ raw, headers, mediaType }) => {
      if (mediaType === undefined || isRawUpload(raw.url ?? '')) delete headers['content-type']
    })

    for (const method of ['GET', 'POST', 'DELETE'] as const) {
      app.route({
        method,
        url: '/*',
        // A HEAD request would download the whole file and discard it.
        exposeHeadRoute: false,
        config: { readsBodyItself: true },
        schema: (mount === 'graph' ? GRAPH_SCHEMAS : FACADE_SCHEMAS)[method],
        handler: async (request, reply) => {
          const { status, headers, body } = await facade.handle(toFacadeRequest(request, reply))
          return reply.code(status).headers(headers).send(body)
        },
      })
    }
  }
}

/** Before a form has shown its token, the caller is unknown, so that the form must be small and its errors are final. */
async function readGraphForm(
  app: FastifyInstance,
  request: FastifyRequest,
  payload: IncomingMessage,
): Promise<Buffer | AppError> {
  const isAwaited = awaitsForm(request.raw)
  const bytesMax = isAwaited ? BODY_BYTES_MAX : LARGE_BODY_BYTES_MAX
  try {
    refuseEncoded(request)
    return takeFormTokens(request.raw, await readBody(payload, { ...BODY, bytesMax, budget: app.bodyBudget }))
  } catch (err) {
    if (err instanceof AppError && !isAwaited) return err
    throw err
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
