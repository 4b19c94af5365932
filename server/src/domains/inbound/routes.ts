import type { IncomingMessage } from 'node:http'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { readBody } from '../../kernel/http/body.ts'
import type { BodyBudget } from '../../kernel/http/body-budget.ts'
import type { Inbound } from './service.ts'

/** A hub, or a process that sends the callbacks on to several hubs. */
type CallbackReceiver = Pick<Inbound, 'verifySubscription' | 'receive'>

const BODY_BYTES_MAX = 4 * 1024 * 1024
const BODY_TIMEOUT_MS = 20_000

const ChallengeQuery = Type.Object({
  'hub.mode': Type.Optional(Type.String()),
  'hub.challenge': Type.Optional(Type.String({ maxLength: 1000 })),
  'hub.verify_token': Type.Optional(Type.String()),
})

/** The upstream's callbacks. Hidden from the API reference: only the upstream calls them. */
export function inboundRoutes(inbound: CallbackReceiver, budget: BodyBudget): FastifyPluginAsyncTypebox {
  return async (app) => {
    // The signature covers the bytes, so the body is read unparsed, with any content type.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request: FastifyRequest, payload: IncomingMessage) =>
      readBody(payload, { bytesMax: BODY_BYTES_MAX, timeoutMs: BODY_TIMEOUT_MS, budget }),
    )

    app.get('/hooks/upstream', { schema: { hide: true, querystring: ChallengeQuery } }, async ({ query }, reply) => {
      const { 'hub.mode': mode, 'hub.verify_token': token, 'hub.challenge': challenge } = query
      const verification = { ...(mode && { mode }), ...(token && { token }), ...(challenge && { challenge }) }
      return reply.type('text/plain; charset=utf-8').send(inbound.verifySubscription(verification))
    })

    app.post(
      '/hooks/upstream',
      { bodyLimit: BODY_BYTES_MAX, config: { readsBodyItself: true }, schema: { hide: true } },
      async ({ body, headers }, reply) => {
        await inbound.receive(Buffer.isBuffer(body) ? body : Buffer.alloc(0), headers['x-hub-signature-256'])
        return reply.type('text/plain; charset=utf-8').send('')
      },
    )
  }
}
