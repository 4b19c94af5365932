import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { notFound } from '../../kernel/errors.ts'
import { PUBLIC_BODY_BYTES_MAX, readBody } from '../../kernel/http/body.ts'

export const SANDBOX_PAGES = '/sandbox'

/** The pages of the simulator that a person opens, by their paths below `/sandbox`. Nothing else of it can be reached here. */
const PAGES: readonly (readonly [path: string, simulated: string])[] = [
  ['/signup', '/_sim/signup'],
  ['/c/pay/:key', '/c/pay/'],
  ['/p/session/:key', '/p/session/'],
  ['/i/:key', '/i/'],
]
/** Ids and keys as the simulator makes them: no slash, dot or percent sign, in no spelling. */
const KEY = /^\w{1,200}$/
const FORM = { bytesMax: PUBLIC_BODY_BYTES_MAX, timeoutMs: 20_000 }
const RESPONSE_MS_MAX = 30_000
const PASSED_HEADERS = ['content-type', 'content-security-policy', 'cache-control', 'referrer-policy', 'location']

/**
 * Serves the pages at the hub's own address, so that the sandbox works where only the hub's port can be reached: in a container, or
 * on a phone. Neither cookies, credentials nor the host of a request reach the simulator, and it sets no cookie. Without a
 * simulator every page is 404.
 */
export function sandboxPageRoutes(simulatorUrl: string | undefined): FastifyPluginAsync {
  return async (app) => {
    takeForms(app)
    for (const [path, simulated] of PAGES) {
      const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
        const { key = '' } = request.params as { key?: string }
        if (!simulatorUrl || (path.endsWith(':key') && !KEY.test(key))) throw notFound('page_not_found')
        return sendPage(reply, await fetchPage(request, new URL(simulated + key, simulatorUrl)))
      }
      app.get(SANDBOX_PAGES + path, { schema: { hide: true } }, handler)
      app.post(SANDBOX_PAGES + path, { schema: { hide: true }, config: { readsBodyItself: true } }, handler)
    }
  }
}

/** The body is passed on as it is. */
function takeForms(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    async (_request: FastifyRequest, payload: IncomingMessage) =>
      readBody(payload, { ...FORM, budget: app.bodyBudget }),
  )
}

function fetchPage(request: FastifyRequest, url: URL): Promise<Response> {
  const { body, method, headers } = request
  url.search = new URL(request.originalUrl, url).search
  const form = Buffer.isBuffer(body) ? { body: new Uint8Array(body) } : {}
  const language = headers['accept-language']
  return fetch(url, {
    method,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(language !== undefined && { 'accept-language': language }),
    },
    redirect: 'manual',
    signal: AbortSignal.timeout(RESPONSE_MS_MAX),
    ...form,
  })
}

async function sendPage(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  for (const name of PASSED_HEADERS) {
    const value = response.headers.get(name)
    if (value !== null) reply.header(name, value)
  }
  const page = await response.text()
  return (
    reply
      .code(response.status)
      // The connect page, which opened this one, has the same policy: with another one the two could not speak.
      .header('Cross-Origin-Opener-Policy', 'same-origin-allow-popups')
      .send(page.replaceAll('"/_sim/signup"', `"${SANDBOX_PAGES}/signup"`).replaceAll('"/_sim/assets/', '"/assets/'))
  )
}
