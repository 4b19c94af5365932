import { lineItemsOfSession } from '../checkout/line-items.ts'
import type { Payments } from '../context.ts'
import type { CheckoutSession } from '../objects/checkout-session.ts'
import { moneyText } from '../wording.ts'
import { cardFields } from './card-form.ts'
import { alertOf, type Html, html } from './layout.ts'
import type { Language } from './words.ts'

export interface Page {
  title: string
  body: Html
}

/** The page where the person pays. It shows what they buy and what it costs, and takes a card. */
export function checkoutPage(payments: Payments, session: CheckoutSession, language: Language, problem?: string): Page {
  const { words } = language
  const customer = payments.state.customers.get(session.customer ?? '')
  const email = customer?.email ?? session.customer_email
  const body = html`${alertOf(problem)}
  ${orderTable(payments, session, language)}
  <form method="post">
    ${email === null || email === undefined ? emailField(words.email) : html`<p>${words.email}: ${email}</p>`}
    ${cardFields(words, problem)}
    <button type="submit">${words.subscribe}</button>
  </form>
  ${session.cancel_url === null ? html`` : html`<p><a href="${session.cancel_url}">${words.goBack}</a></p>`}`
  return { title: words.subscribeTo(payments.account.name), body }
}

function emailField(label: string): Html {
  return html`<label for="email">${label}</label>
    <input id="email" name="email" type="email" autocomplete="email" required>`
}

function orderTable(payments: Payments, session: CheckoutSession, { tag, words }: Language): Html {
  const lines = lineItemsOfSession(payments, session.id)
  const interval = lines[0]?.price.recurring?.interval ?? 'month'
  const money = (amount: number) => moneyText(amount, session.currency, tag)
  return html`<h2>${words.order}</h2>
  <table>
    <thead><tr><th scope="col">${words.product}</th><th scope="col">${words.quantity}</th><th scope="col" class="amount">${words.amount}</th></tr></thead>
    <tbody>
    ${lines.map((line) => html`<tr><td>${line.description}</td><td>${line.quantity}</td><td class="amount">${money(line.amount_total)}</td></tr>`)}
    </tbody>
    <tfoot><tr><th scope="row" colspan="2">${words.total}</th><td class="amount">${money(session.amount_total)} ${words.perInterval[interval]}</td></tr></tfoot>
  </table>`
}

/** A session that can no longer be paid says so, and how to go on. */
export function closedCheckoutPage(session: CheckoutSession, { words }: Language): Page {
  if (session.status === 'complete') return { title: words.done, body: html`<p>${words.alreadyPaid}</p>` }
  const back = session.cancel_url === null ? html`` : html`<p><a href="${session.cancel_url}">${words.goBack}</a></p>`
  return { title: words.expired, body: html`<p>${words.expiredLong}</p>${back}` }
}
