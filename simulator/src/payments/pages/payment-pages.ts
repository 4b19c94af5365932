import { INTL_LOCALES } from '@hubline/locales/languages.ts'
import type { Language } from '../../http/language.ts'
import { html, type Page } from '../../http/page.ts'
import { findSubscription } from '../billing/invoices.ts'
import { formatMoney } from '../billing/lines.ts'
import { type FailureReason, readCard } from '../cards.ts'
import { payCheckout } from '../checkout.ts'
import type { Payments } from '../context.ts'
import { attachCard, findDefaultMethod } from '../customers.ts'
import { invalidRequest } from '../http/errors.ts'
import type { CheckoutSession, Invoice } from '../objects.ts'
import { collectInvoice } from '../subscriptions/collection.ts'
import { describeProblem, renderCardFields } from './card-form.ts'
import {
  formatMonthly,
  type PageRequest,
  type PageResponse,
  renderAlert,
  renderExpired,
  renderItems,
  renderLink,
  renderStatus,
} from './html.ts'

/** Shows what the session sells and takes a card. A session that is not open says so. */
export function serveCheckout(
  payments: Payments,
  id: string,
  { form, language }: PageRequest,
): PageResponse | undefined {
  const { t } = language
  const session = payments.state.checkoutSessions.get(id)
  if (!session) return undefined
  if (session.status === 'expired') return { status: 200, page: renderExpired(language, session.cancel_url) }
  if (session.status === 'complete') {
    const body = html`<p>${t('alreadyPaid')}</p>`
    return { status: 200, page: { title: t('allDone'), body } }
  }
  const failure = form && payCheckout(payments, session, form.get('card') ?? '')
  if (form && failure === undefined) return { redirect: session.success_url.replace('{CHECKOUT_SESSION_ID}', id) }
  const problem = failure && describeProblem(language, failure)
  return { status: failure === undefined ? 200 : 402, page: renderCheckout(payments, session, language, problem) }
}

function renderCheckout(payments: Payments, session: CheckoutSession, language: Language, problem?: string): Page {
  const { t } = language
  const { name } = payments.account
  const body = html`${renderAlert(problem)}
  <h2>${t('order')}</h2>
  ${renderItems(payments, payments.state.orders.get(session.id)?.items ?? [], language)}
  <p><strong>${t('total', { amount: formatMonthly(session.amount_total, session.currency, language) })}</strong></p>
  <form method="post">
    ${renderCardFields(language, problem)}
    <button type="submit">${t('subscribe')}</button>
  </form>
  ${renderLink(session.cancel_url, t('back'))}`
  return { title: t('subscribeTo', { name }), body }
}

/** Shows an invoice, which can be paid with the saved card or another one while it is open. */
export function serveInvoice(
  payments: Payments,
  id: string,
  { form, language }: PageRequest,
): PageResponse | undefined {
  const invoice = payments.state.invoices.get(id)
  if (!invoice || invoice.status === 'draft') return undefined
  const card = form?.get('with') === 'saved' ? undefined : (form?.get('card') ?? '')
  const failure = form && invoice.status === 'open' ? payHostedInvoice(payments, invoice, card) : undefined
  const problem = failure && describeProblem(language, failure)
  return { status: failure === undefined ? 200 : 402, page: renderInvoice(payments, invoice, language, problem) }
}

function renderInvoice(payments: Payments, invoice: Invoice, language: Language, problem?: string): Page {
  const { tag, t } = language
  const money = (amount: number) => formatMoney(amount, invoice.currency, INTL_LOCALES[tag])
  const saved = findDefaultMethod(payments, invoice.customer, findSubscription(payments, invoice))
  const paySaved = t('paySaved')
  const forms = html`${saved ? html`<form method="post"><button name="with" value="saved">${paySaved}</button></form>` : ''}
  <form method="post">
    ${renderCardFields(language, problem)}
    <button name="with" value="new">${t('pay')}</button>
  </form>`
  const body = html`${renderAlert(problem)}
  <p>${renderStatus(language, invoice.status)}</p>
  <ul>${invoice.lines.data.map(({ description, amount }) => html`<li>${description}: ${money(amount)}</li>`)}</ul>
  <p><strong>${t('total', { amount: money(invoice.total) })}</strong></p>
  ${invoice.status === 'open' ? forms : ''}`
  return { title: t('invoice', { number: invoice.number ?? '' }), body }
}

/** Pays an open invoice with the customer present, by the saved card or the typed one. */
export function payHostedInvoice(payments: Payments, invoice: Invoice, typed?: string): FailureReason | undefined {
  const customer = payments.state.customers.get(invoice.customer)
  if (invoice.status !== 'open' || !customer) throw invalidRequest(`This invoice is ${invoice.status}.`)
  const attempt = { presence: 'onSession', isAutomatic: false } as const
  if (typed === undefined) return collectInvoice(payments, invoice, attempt)
  const read = readCard(typed)
  if ('refusal' in read) return read.refusal
  return collectInvoice(payments, invoice, { ...attempt, method: attachCard(payments, customer, read.card) })
}
