import { formatMoney } from '../billing/lines.ts'
import { findProductName } from '../catalog.ts'
import { payCheckout } from '../checkout.ts'
import type { Payments } from '../context.ts'
import type { CheckoutSession } from '../objects.ts'
import {
  describeProblem,
  html,
  type Page,
  type PageRequest,
  type PageResponse,
  renderAlert,
  renderCardFields,
  renderLink,
} from './html.ts'
import type { Language } from './texts.ts'

/** Shows what the session sells and takes a card. A session that is not open says so. */
export function serveCheckout(
  payments: Payments,
  id: string,
  { form, language }: PageRequest,
): PageResponse | undefined {
  const session = payments.state.checkoutSessions.get(id)
  if (!session) return undefined
  if (session.status !== 'open') return { status: 200, page: renderClosed(session, language) }
  if (!form) return { status: 200, page: renderOpen(payments, session, language) }
  const failure = payCheckout(payments, session, form.get('card') ?? '')
  if (failure === undefined) return { redirect: session.success_url }
  return { status: 402, page: renderOpen(payments, session, language, describeProblem(language, failure)) }
}

function renderOpen(payments: Payments, session: CheckoutSession, language: Language, problem?: string): Page {
  const { tag, text } = language
  const money = (amount: number) => formatMoney(amount, session.currency, tag)
  const rows = (payments.state.orders.get(session.id)?.items ?? []).map(({ price, quantity }) => {
    const name = findProductName(payments, price)
    return html`<tr><td>${name}</td><td>${quantity}</td><td class="amount">${money(price.unit_amount * quantity)}</td></tr>`
  })
  const body = html`${renderAlert(problem)}
  <h2>${text('order')}</h2>
  <table>
    <thead><tr><th scope="col">${text('product')}</th><th scope="col">${text('quantity')}</th><th scope="col" class="amount">${text('amount')}</th></tr></thead>
    <tbody>${rows}</tbody>
    <tfoot><tr><th scope="row" colspan="2">${text('total')}</th><td class="amount">${text('perMonth', money(session.amount_total))}</td></tr></tfoot>
  </table>
  <form method="post">
    ${renderCardFields(language, problem)}
    <button type="submit">${text('subscribe')}</button>
  </form>
  ${renderLink(session.cancel_url, text('goBack'))}`
  return { title: text('subscribeTo', payments.account.name), body }
}

function renderClosed(session: CheckoutSession, { text }: Language): Page {
  if (session.status === 'complete') return { title: text('done'), body: html`<p>${text('alreadyPaid')}</p>` }
  const body = html`<p>${text('startAgain')}</p>${renderLink(session.cancel_url, text('goBack'))}`
  return { title: text('expired'), body }
}
