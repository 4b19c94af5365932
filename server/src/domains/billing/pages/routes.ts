import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { strictObject } from '../../../kernel/http/schemas.ts'
import { readLanguage } from '../../../kernel/pages/language.ts'
import { installPages, sendPage } from '../../../kernel/pages/pages.ts'
import type { SessionCookie } from '../../auth/sessions/cookie.ts'
import type { Checkouts } from '../checkout/service.ts'
import { RETURN_PATH } from '../links/service.ts'
import type { PlanChanges } from '../plan-changes/service.ts'
import type { Portal } from '../portal/service.ts'
import type { BillingProvider } from '../provider/service.ts'
import { renderChangedPage, renderErrorPage, renderPlanPage, renderReturnPage, USAGE_PATH } from './render.ts'

const TokenParams = Type.Object({ token: Type.String() })
/** Other parameters are the provider's own. */
const ReturnQuery = Type.Object({ checkout: Type.Optional(Type.String({ maxLength: 300 })) })
const READING_SECONDS = 8
const PlanForm = strictObject({ proration_date: Type.String({ format: 'date-time' }) })

/** The pages for a browser: the change of plan, the redirect to the portal, and the page after a checkout. */
export function billingPageRoutes(services: {
  billing: BillingProvider
  planChanges: PlanChanges
  portal: Portal
  checkouts: Pick<Checkouts, 'findBought'>
  sessionCookie: Pick<SessionCookie, 'read'>
}): FastifyPluginAsyncTypebox {
  const { billing, planChanges, portal, checkouts, sessionCookie } = services

  /** A person who is signed in returns to the dashboard by itself, once there was time to read what was bought. */
  function returnSoon(request: FastifyRequest, reply: FastifyReply): void {
    if (sessionCookie.read(request) !== undefined) reply.header('Refresh', `${READING_SECONDS}; url=${USAGE_PATH}`)
  }

  return async (app) => {
    installPages(app, { renderError: renderErrorPage })

    app.get('/billing/plan/:token', { schema: { hide: true, params: TokenParams } }, async (request, reply) => {
      const change = await planChanges.preview(billing.require(), request.params.token)
      return sendPage(reply, renderPlanPage(readLanguage(request), change))
    })

    app.post(
      '/billing/plan/:token',
      { schema: { hide: true, params: TokenParams, body: PlanForm } },
      async (request, reply) => {
        const { params, body, ip, id: requestId } = request
        const client = { ip, requestId }
        const result = await planChanges.confirm(billing.require(), params.token, body.proration_date, client)
        if (result.isApplied) returnSoon(request, reply)
        return sendPage(reply, renderChangedPage(readLanguage(request), result))
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

    app.get(RETURN_PATH, { schema: { hide: true, querystring: ReturnQuery } }, async (request, reply) => {
      const { checkout } = request.query
      const isCanceled = checkout === 'canceled'
      const bought =
        checkout === undefined || isCanceled || !billing.isOn
          ? undefined
          : await checkouts.findBought(billing.require(), checkout)
      returnSoon(request, reply)
      return sendPage(reply, renderReturnPage(readLanguage(request), isCanceled ? 'canceled' : bought))
    })
  }
}
