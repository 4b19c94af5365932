import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isAllowedOrigin } from '../../control/signup.ts'
import { readBody } from '../../http/parameters.ts'
import { payCheckout, successUrl } from '../checkout/completing.ts'
import type { Payments } from '../context.ts'
import type { CheckoutSession } from '../objects/checkout-session.ts'
import type { Invoice } from '../objects/invoice.ts'
import { payHostedInvoice } from '../portal/paying.ts'
import { problemText } from './card-form.ts'
import { checkoutPage, closedCheckoutPage, type Page } from './checkout-page.ts'
import { invoicePage } from './invoice-page.ts'
import { documentOf, html } from './layout.ts'
import { visitPortal } from './portal-visit.ts'
import { type Language, languageOf } from './words.ts'

interface Parts {
  payments: Payments
  allowedOrigins: readonly string[]
}

/** A page with its status, or the address to go to instead. */
export type Reply = { status: number; page: Page; language: Language } | { redirect: string }

/** What a person sent along: undefined when they only look. */
export type Sent = URLSearchParams | undefined

type Answer = (payments: Payments, key: string, sent: Sent, acceptLanguage: string | undefined) => Reply | undefined

const PAGES: readonly [path: RegExp, answer: Answer][] = [
  [/^\/c\/pay\/([^/?]+)/, checkout],
  [/^\/p\/session\/([^/?]+)/, visitPortal],
  [/^\/i\/([^/?]+)/, hostedInvoice],
]

export function isPage(url: string): boolean {
  return PAGES.some(([path]) => path.test(url))
}

/** The pages that the provider hosts. What a person does there has happened, webhooks and all, when the answer comes. */
export async function servePage(parts: Parts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { payments, allowedOrigins } = parts
  const body = (await readBody(request)) ?? Buffer.alloc(0)
  const isPost = request.method === 'POST'
  if (isPost && !isOwnForm(request, allowedOrigins)) {
    response.writeHead(403, { 'content-type': 'text/plain' }).end('Forms of other sites are turned away.')
    return
  }
  const sent = isPost ? new URLSearchParams(body.toString()) : undefined
  const language = languageOf(null, request.headers['accept-language'])
  const reply = replyTo(payments, request, sent) ?? { status: 404, page: unknownPage(language), language }
  if (isPost) await payments.clock.settle()
  if ('redirect' in reply) {
    response.writeHead(303, { location: reply.redirect, 'cache-control': 'no-store' }).end()
    return
  }
  send(response, reply.status, reply.page, reply.language)
}

function replyTo(payments: Payments, request: IncomingMessage, sent: Sent): Reply | undefined {
  for (const [path, answer] of PAGES) {
    const [, key] = path.exec(request.url ?? '') ?? []
    if (key !== undefined) return answer(payments, key, sent, request.headers['accept-language'])
  }
  return undefined
}

/** Other people's pages, open in the same browser, must not press our buttons. */
function isOwnForm({ headers: { origin } }: IncomingMessage, allowedOrigins: readonly string[]): boolean {
  return origin === undefined || (URL.canParse(origin) && isAllowedOrigin(new URL(origin), allowedOrigins))
}

function checkout(payments: Payments, id: string, sent: Sent, acceptLanguage: string | undefined): Reply | undefined {
  const session = payments.state.checkoutSessions.get(id)
  if (!session) return undefined
  const language = languageOf(session.locale, acceptLanguage)
  if (session.status !== 'open') return { status: 200, page: closedCheckoutPage(session, language), language }
  if (!sent) return { status: 200, page: checkoutPage(payments, session, language), language }
  return paidCheckout(payments, session, sent, language)
}

function paidCheckout(payments: Payments, session: CheckoutSession, sent: URLSearchParams, language: Language): Reply {
  const [email, name] = [sent.get('email') || undefined, sent.get('name') || undefined]
  const failure = payCheckout(payments, session, { card: sent.get('card') ?? '', email, name })
  if (failure === undefined) return { redirect: successUrl(session) }
  const problem = problemText(language.words, failure)
  return { status: 402, page: checkoutPage(payments, session, language, problem), language }
}

function hostedInvoice(payments: Payments, id: string, sent: Sent, acceptLanguage: string | undefined) {
  const invoice: Invoice | undefined = payments.state.invoices.get(id)
  if (!invoice || invoice.status === 'draft') return undefined
  const language = languageOf(null, acceptLanguage)
  const card = sent?.get('with') === 'saved' ? undefined : (sent?.get('card') ?? '')
  const failure = sent && invoice.status === 'open' ? payHostedInvoice(payments, invoice, card) : undefined
  const problem = failure === undefined ? undefined : problemText(language.words, failure)
  const status = failure === undefined ? 200 : 402
  return { status, page: invoicePage(payments, invoice, language, problem), language }
}

function unknownPage({ words }: Language): Page {
  return { title: words.unknown, body: html`<p>${words.unknownLong}</p>` }
}

function send(response: ServerResponse, status: number, { title, body }: Page, language: Language): void {
  // The nonce guards a real browser, so it is the one value that the seed does not decide.
  const nonce = randomBytes(16).toString('base64url')
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; frame-ancestors 'none'`,
    'cache-control': 'no-store',
    // Under `no-referrer` browsers send `Origin: null` with the page's own form, which is then turned away.
    'referrer-policy': 'same-origin',
  })
  response.end(documentOf(language, title, body, nonce))
}
