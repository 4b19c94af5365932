import type { FastifyPluginCallback } from 'fastify'
import { type Language, readLanguage } from '../../http/language.ts'
import { html, sendPage, sendRedirect } from '../../http/page.ts'
import { isForeign, readBody, readUrl } from '../../http/requests.ts'
import type { Current } from '../../simulation.ts'
import type { Payments } from '../context.ts'
import type { PageRequest, PageResponse } from './html.ts'
import { serveCheckout, serveInvoice } from './payment-pages.ts'
import { servePortal } from './portal-page.ts'

type Serve = (payments: Payments, key: string, request: PageRequest) => PageResponse | undefined

const PAGES: readonly [path: string, serve: Serve][] = [
  ['/c/pay/:key', serveCheckout],
  ['/p/session/:key', servePortal],
  ['/i/:key', serveInvoice],
]

/** The pages that Stripe hosts. The webhooks of a form are delivered before its response is sent. */
export function paymentPages(current: Current): FastifyPluginCallback {
  return (app, _options, done) => {
    for (const [url, serve] of PAGES) {
      app.route<{ Params: { key: string } }>({
        method: ['GET', 'HEAD', 'POST'],
        url,
        async handler(request, reply) {
          const simulation = current()
          const { payments } = simulation
          const isPost = request.method === 'POST'
          if (isPost && isForeign(request, simulation)) {
            return reply.code(403).type('text/plain').send('Forms of other sites are refused.')
          }
          const form = isPost ? new URLSearchParams(await readBody(request)) : undefined
          const language = readLanguage(request)
          const result = serve(payments, request.params.key, { form, language }) ?? renderMissing(language)
          if (isPost) {
            payments.save()
            await payments.clock.settle()
          }
          if ('redirect' in result) return sendRedirect(reply, result.redirect)
          const note = language.t('paymentsNote')
          return sendPage(reply, { status: result.status, language, url: readUrl(request), note, ...result.page })
        },
      })
    }
    done()
  }
}

function renderMissing({ t }: Language): PageResponse {
  const body = html`<p>${t('missingText')}</p>`
  return { status: 404, page: { title: t('missing'), body } }
}
