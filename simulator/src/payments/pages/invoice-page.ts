import { findSubscription } from '../billing/invoices.ts'
import { formatMoney } from '../billing/lines.ts'
import { attachCard, type FailureReason, findDefaultMethod, readCard } from '../cards.ts'
import type { Payments } from '../context.ts'
import { invalidRequest } from '../http/errors.ts'
import type { Invoice } from '../objects.ts'
import { collectInvoice } from '../subscriptions/collection.ts'
import {
  describeProblem,
  type Html,
  html,
  type PageRequest,
  type PageResponse,
  renderAlert,
  renderCardFields,
} from './html.ts'
import type { Language } from './texts.ts'

/** Shows an invoice, which can be paid with the saved card or another one while it is open. */
export function serveInvoice(
  payments: Payments,
  id: string,
  { form, language }: PageRequest,
): PageResponse | undefined {
  const invoice = payments.state.invoices.get(id)
  if (!invoice || invoice.status === 'draft') return undefined
  const { tag, text } = language
  const card = form?.get('with') === 'saved' ? undefined : (form?.get('card') ?? '')
  const failure = form && invoice.status === 'open' ? payHostedInvoice(payments, invoice, card) : undefined
  const problem = failure === undefined ? undefined : describeProblem(language, failure)
  const money = (amount: number) => formatMoney(amount, invoice.currency, tag)
  const rows = invoice.lines.data.map(({ description, amount }) => {
    return html`<tr><td>${description}</td><td class="amount">${money(amount)}</td></tr>`
  })
  const body = html`${renderAlert(problem)}
  <p>${text('status')}: ${text(`status_${invoice.status}`)}</p>
  <table>
    <tbody>${rows}</tbody>
    <tfoot><tr><th scope="row">${text('total')}</th><td class="amount">${money(invoice.total)}</td></tr></tfoot>
  </table>
  ${invoice.status === 'open' ? renderForms(payments, invoice, language, problem) : html``}`
  return { status: failure === undefined ? 200 : 402, page: { title: text('invoice', invoice.number ?? ''), body } }
}

function renderForms(payments: Payments, invoice: Invoice, language: Language, problem: string | undefined): Html {
  const { text } = language
  const saved = findDefaultMethod(payments, invoice.customer, findSubscription(payments, invoice))
  const savedForm = saved
    ? html`<form method="post"><p>${text('cardEnding', saved.card.brand, saved.card.last4)}</p><button name="with" value="saved">${text('paySaved')}</button></form>`
    : html``
  return html`${savedForm}
  <form method="post">
    ${renderCardFields(language, problem)}
    <button name="with" value="new">${text('pay')}</button>
  </form>`
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
