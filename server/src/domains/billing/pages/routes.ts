import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { readBody } from '../../../kernel/http/body.ts'
import { installErrorPages } from '../../../kernel/http/error-handler.ts'
import { strictObject } from '../../../kernel/http/schemas.ts'
import { RETURN_PATH } from '../links/service.ts'
import type { PlanChanges } from '../plan-changes/service.ts'
import type { Portal } from '../portal/service.ts'
import type { Billing } from '../quotas/service.ts'
import { changedPage, errorPage, planPage, returnPage } from './render.ts'
import { type Language, languageOf } from './translations.ts'

const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const FORM = { bytesMax: 4096, timeoutMs: 20_000 }

const TokenParams = Type.Object({ token: Type.String() })
const PlanForm = strictObject({ proration_date: Type.String({ format: 'date-time' }) })

/** What people open in a browser: the page that changes a plan, the way to the portal, and the way back. */
export function billingPageRoutes(services: {
  billing: Billing
  planChanges: PlanChanges
  portal: Portal
}): FastifyPluginAsyncTypebox {
  const { billing, planChanges, portal } = services
  return async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser(
      'application/x-www-form-urlencoded',
      async (_request: FastifyRequest, payload: IncomingMessage) =>
        Object.fromEntries(new URLSearchParams((await readBody(payload, FORM)).toString())),
    )
    app.addHook('onRequest', async (_request, reply) => void reply.header('Content-Security-Policy', POLICY))
    installErrorPages(app, (request, error) => errorPage(languageIn(request), error, request.id))

    app.get('/billing/plan/:token', { schema: { hide: true, params: TokenParams } }, async (request, reply) => {
      const change = await planChanges.show(billing.provider(), request.params.token)
      return html(reply, planPage(languageIn(request), change))
    })

    app.post(
      '/billing/plan/:token',
      { schema: { hide: true, params: TokenParams, body: PlanForm } },
      async (request, reply) => {
        const { params, body, ip, id: requestId } = request
        const visitor = { ip, requestId }
        const changed = await planChanges.confirm(billing.provider(), params.token, body.proration_date, visitor)
        return html(reply, changedPage(languageIn(request), changed))
      },
    )

    // A look at the link, such as a mail program takes, must not spend it.
    app.head('/billing/portal/:token', { schema: { hide: true, params: TokenParams } }, async ({ params }, reply) => {
      await portal.check(params.token)
      return reply.type('text/html; charset=utf-8').send()
    })

    app.get(
      '/billing/portal/:token',
      { exposeHeadRoute: false, schema: { hide: true, params: TokenParams } },
      async ({ params }, reply) => reply.redirect(await portal.enter(billing.provider(), params.token), 303),
    )

    app.get(RETURN_PATH, { schema: { hide: true } }, async (request, reply) =>
      html(reply, returnPage(languageIn(request))),
    )

    app.get('/billing/assets/billing.css', { schema: { hide: true } }, async (_request, reply) =>
      reply.type('text/css; charset=utf-8').send(await readFile(join(import.meta.dirname, 'billing.css'))),
    )
  }
}

function html(reply: FastifyReply, page: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').send(page)
}

function languageIn({ query, headers }: FastifyRequest): Language {
  const { lang } = query as { lang?: unknown }
  return languageOf(typeof lang === 'string' ? lang : undefined, headers['accept-language'])
}
