import type { IncomingMessage } from 'node:http'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { LARGE_BODY_BYTES_MAX, readBody } from '../../../../kernel/http/body.ts'
import type { BodyBudget } from '../../../../kernel/http/body-budget.ts'
import type { PaymentCallbacks } from './service.ts'

/** The payment provider posts its callbacks here. */
export const PAYMENT_CALLBACK_PATH = '/hooks/billing'

const BODY = { bytesMax: LARGE_BODY_BYTES_MAX, timeoutMs: 20_000 }

/** Hidden from the API description: only the payment provider calls it. */
export function paymentCallbackRoutes(callbacks: PaymentCallbacks, budget: BodyBudget): FastifyPluginAsync {
  return async (app) => {
    // The signature is over the raw bytes, so every content type is read as bytes.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request: FastifyRequest, payload: IncomingMessage) =>
      readBody(payload, { ...BODY, budget }),
    )

    app.post(
      PAYMENT_CALLBACK_PATH,
      { config: { readsBodyItself: true }, schema: { hide: true } },
      async ({ body, headers }, reply) => {
        await callbacks.receive(Buffer.isBuffer(body) ? body : Buffer.alloc(0), headers['stripe-signature'])
        return reply.type('text/plain; charset=utf-8').send('')
      },
    )
  }
}
