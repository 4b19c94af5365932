import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import type { Access } from '../src/app/http/access-rules.ts'
import type { Extension } from '../src/app/http/http.ts'
import { LARGE_BODY_BYTES_MAX } from '../src/kernel/http/body.ts'
import type { Limit } from '../src/kernel/rate-limit/limit.ts'

const UNLIMITED: Limit = { bucket: 'test', requests: 1_000_000, windowSeconds: 60 }

const ECHO_BODY = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: { name: { type: 'string', minLength: 1 }, count: { type: 'integer' }, nested: {} },
}

export const ANY_ANSWER = { 200: { type: 'object', additionalProperties: true } }

/** Additional routes under /api/v1, for tests of what the hub does around every route. */
export function extension(
  access: Record<string, Access>,
  routes: (app: FastifyInstance) => void,
  limit: Limit = UNLIMITED,
): Extension {
  const plugin: FastifyPluginAsync = async (app) => routes(app)
  return { access, limit, routes: plugin }
}

/**
 * `POST /api/v1/echo` returns its strict body of up to 1 MiB, and `POST /api/v1/silent` has no body. Both need no
 * credential.
 */
export const ECHO: Extension = extension(
  { 'POST /api/v1/echo': { public: 'unlimited' }, 'POST /api/v1/silent': { public: 'unlimited' } },
  (app) => {
    const schema = { body: ECHO_BODY, response: ANY_ANSWER }
    app.post('/echo', { bodyLimit: LARGE_BODY_BYTES_MAX, schema }, async ({ body }) => ({ data: body }))
    app.post('/silent', { schema: { response: ANY_ANSWER } }, async () => ({ data: {} }))
  },
)
