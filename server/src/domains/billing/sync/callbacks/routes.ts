import type { IncomingMessage } from 'node:http'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { BODY_BYTES_MAX, readBody } from '../../../../kernel/http/body.ts'
import type { PaymentCallbacks } from './service.ts'

const BODY = { bytesMax: BODY_BYTES_MAX, timeoutMs: 20_000 }

/** Where the payment provider calls. It is described nowhere: nobody else has business here. */
export function paymentCallbackRoutes(callbacks: PaymentCallbacks): FastifyPluginAsync {
  return async (app) => {
    // The signature is over the bytes, so they are read as they come and under whatever name.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request: FastifyRequest, payload: IncomingMessage) => readBody(payload, BODY))

    app.post(
      '/hooks/billing',
      { config: { hasOwnBody: true }, schema: { hide: true } },
      async ({ body, headers }, reply) => {
        await callbacks.receive(Buffer.isBuffer(body) ? body : Buffer.alloc(0), headers['stripe-signature'])
        return reply.type('text/plain; charset=utf-8').send('')
      },
    )
  }
}
