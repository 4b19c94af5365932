import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { readBody } from '../../../kernel/http/body.ts'
import { installErrorPages } from '../../../kernel/http/error-handler.ts'
import { strictObject } from '../../../kernel/http/schemas.ts'
import { serveStaticAsset } from '../../../kernel/http/static-asset.ts'
import { RETURN_PATH } from '../links/service.ts'
import type { PlanChanges } from '../plan-changes/service.ts'
import type { Portal } from '../portal/service.ts'
import type { BillingProvider } from '../provider/service.ts'
import { renderChangedPage, renderErrorPage, renderPlanPage, renderReturnPage } from './render.ts'
import { chooseLanguage, type Language } from './translations.ts'

const CONTENT_SECURITY_POLICY = [
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

/** The pages for a browser: the change of plan, the redirect to the portal, and the page after a checkout. */
export function billingPageRoutes(services: {
  billing: BillingProvider
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
    app.addHook(
      'onRequest',
      async (_request, reply) => void reply.header('Content-Security-Policy', CONTENT_SECURITY_POLICY),
    )
    installErrorPages(app, (request, error) => renderErrorPage(readLanguage(request), error, request.id))

    app.get('/billing/plan/:token', { schema: { hide: true, params: TokenParams } }, async (request, reply) => {
      const change = await planChanges.preview(billing.require(), request.params.token)
      return sendHtml(reply, renderPlanPage(readLanguage(request), change))
    })

    app.post(
      '/billing/plan/:token',
      { schema: { hide: true, params: TokenParams, body: PlanForm } },
      async (request, reply) => {
        const { params, body, ip, id: requestId } = request
        const client = { ip, requestId }
        const result = await planChanges.confirm(billing.require(), params.token, body.proration_date, client)
        return sendHtml(reply, renderChangedPage(readLanguage(request), result))
      },
    )

    // Mail programs and chats send a HEAD to preview a link: it must not use the link.
    app.head('/billing/portal/:token', { schema: { hide: true, params: TokenParams } }, async ({ params }, reply) => {
      await portal.checkLink(params.token)
      return reply.type('text/html; charset=utf-8').send()
    })

    app.get(
      '/billing/portal/:token',
      { exposeHeadRoute: false, schema: { hide: true, params: TokenParams } },
      async ({ params }, reply) => reply.redirect(await portal.openSession(billing.require(), params.token), 303),
    )

    app.get(RETURN_PATH, { schema: { hide: true } }, async (request, reply) =>
      sendHtml(reply, renderReturnPage(readLanguage(request))),
    )

    serveStaticAsset(app, '/billing/assets/billing.css', {
      type: 'text/css; charset=utf-8',
      load: () => readFile(join(import.meta.dirname, 'billing.css')),
    })
  }
}

function sendHtml(reply: FastifyReply, page: string): FastifyReply {
  return reply.type('text/html; charset=utf-8').send(page)
}

function readLanguage({ query, headers }: FastifyRequest): Language {
  const { lang } = query as { lang?: unknown }
  return chooseLanguage(typeof lang === 'string' ? lang : undefined, headers['accept-language'])
}
