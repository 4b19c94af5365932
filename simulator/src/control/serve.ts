import { readFile } from 'node:fs/promises'
import { STYLESHEET_FILE } from '@hubline/locales/pages/stylesheet.ts'
import type { FastifyPluginCallback, FastifyReply } from 'fastify'
import { GraphError } from '../graph/http/errors.ts'
import { isForAnotherHost, isForeign, readBody, readUrl } from '../http/requests.ts'
import { parseJson } from '../json.ts'
import { PaymentError } from '../payments/http/errors.ts'
import type { Current } from '../simulation.ts'
import { ACCOUNT_ROUTES } from './account-routes.ts'
import type { ControlRequest, ControlRoute } from './context.ts'
import { CONVERSATION_ROUTES } from './conversation-routes.ts'
import { CUSTOMER_ROUTES } from './customer-routes.ts'
import { PAYMENT_ROUTES } from './payment-routes.ts'
import { ControlError, createReader } from './reader.ts'
import { SCENARIO_ROUTES } from './scenarios.ts'
import { serveSignup } from './signup-page.ts'
import { STATE_ROUTES } from './state-routes.ts'
import { WEBHOOK_ROUTES } from './webhook-routes.ts'

export const CONTROL_ROUTES: readonly ControlRoute[] = [
  ...STATE_ROUTES,
  ...ACCOUNT_ROUTES,
  ...CONVERSATION_ROUTES,
  ...CUSTOMER_ROUTES,
  ...WEBHOOK_ROUTES,
  ...PAYMENT_ROUTES,
  ...SCENARIO_ROUTES,
]

/** The style sheet and the font of the simulator's pages are those of the hub. */
const PAGE_ASSETS: Readonly<Record<string, { file: string | URL; type: string }>> = {
  '/assets/page.css': { file: STYLESHEET_FILE, type: 'text/css; charset=utf-8' },
  '/assets/inter.woff2': {
    file: new URL(import.meta.resolve('@fontsource-variable/inter/files/inter-latin-opsz-normal.woff2')),
    type: 'font/woff2',
  },
}

/** The control API, which acts for customers, for Meta and for the network, the sign-up page, and what pages load. */
export function controlApi(current: Current): FastifyPluginCallback {
  return (app, _options, done) => {
    app.addHook('onRequest', async (request) => {
      const { origin, host } = request.headers
      if (isForAnotherHost(request, current()))
        throw new ControlError(403, `The simulator is not at ${host}. Use the address that it prints at its start.`)
      if (isForeign(request, current()))
        throw new ControlError(
          403,
          `A page of ${origin} may not use the simulator. Only pages on this computer and on allowed origins may.`,
        )
    })
    app.setErrorHandler((err, _request, reply) => {
      if (!(err instanceof ControlError || err instanceof GraphError || err instanceof PaymentError)) throw err
      return sendJson(reply, err.status, { error: err.message })
    })
    app.setNotFoundHandler(async (request) => {
      const path = readUrl(request).pathname.slice('/_sim'.length) || '/'
      throw new ControlError(404, `There is no ${request.method} ${path} in the control API`)
    })
    for (const { method, path, run } of CONTROL_ROUTES) {
      app.route({
        method,
        url: path,
        async handler(request, reply) {
          const simulation = current()
          const body = parseJson((await readBody(request)) || '{}')
          if (body === undefined) throw new ControlError(400, 'The body is not JSON.')
          const params = request.params as ControlRequest['params']
          const query = readUrl(request).searchParams
          const result = await run(simulation, { params, query, body: createReader(body) })
          // On a manual clock the response comes after all webhooks that the request caused have been sent.
          if (method !== 'GET') await simulation.graph.clock.settle()
          return sendJson(reply, 200, result)
        },
      })
    }
    for (const [path, { file, type }] of Object.entries(PAGE_ASSETS)) {
      app.get(path, async (_request, reply) => reply.type(type).send(await readFile(file)))
    }
    app.route({
      method: ['GET', 'POST'],
      url: '/signup',
      handler: (request, reply) => serveSignup(current(), request, reply),
    })
    done()
  }
}

function sendJson(reply: FastifyReply, status: number, value: unknown): FastifyReply {
  const text = JSON.stringify(value, (_name, member) => (typeof member === 'bigint' ? member.toString() : member), 2)
  return reply.code(status).header('content-type', 'application/json; charset=utf-8').send(`${text}\n`)
}
