import { defaultMethod } from '../billing/charge.ts'
import type { Payments } from '../context.ts'
import type { Customer } from '../objects/customer.ts'
import type { PortalFeatures, PortalSession } from '../objects/portal.ts'
import { periodOf, type Subscription } from '../objects/subscription.ts'
import { subscriptionsOf } from '../portal/canceling.ts'
import { moneyText, productName } from '../wording.ts'
import { cardFields } from './card-form.ts'
import type { Page } from './checkout-page.ts'
import { alertOf, dateText, type Html, html } from './layout.ts'
import type { Language } from './words.ts'

export interface Visit {
  session: PortalSession
  customer: Customer
  features: PortalFeatures
  language: Language
}

/** The customer's own page: what they have, what it is paid with, what was paid, and the way back. */
export function portalPage(payments: Payments, visit: Visit, said: { problem?: string; notice?: string } = {}): Page {
  const { session, features, language } = visit
  const { words } = language
  const flow = session.flow?.type
  const notice = said.notice === undefined ? html`` : html`<p role="status">${said.notice}</p>`
  const back =
    session.return_url === null
      ? html``
      : html`<p><a href="${session.return_url}">${words.returnTo(payments.account.name)}</a></p>`
  const body = html`${alertOf(said.problem)}${notice}
  ${flow === 'payment_method_update' ? html`` : subscriptionPart(payments, visit)}
  ${flow === 'subscription_cancel' ? html`` : cardPart(payments, visit, said.problem)}
  ${flow !== undefined || !features.invoice_history.enabled ? html`` : invoicePart(payments, visit)}
  ${back}`
  return { title: words.manage, body }
}

function subscriptionPart(payments: Payments, visit: Visit): Html {
  const { customer, language, session } = visit
  const only = session.flow?.subscription_cancel?.subscription
  const own = subscriptionsOf(payments, customer, only)
  const parts = own.map((subscription) => subscriptionCard(payments, visit, subscription))
  return html`<section aria-labelledby="subscription">
    <h2 id="subscription">${language.words.subscription}</h2>
    ${own.length === 0 ? html`<p>${language.words.noSubscription}</p>` : parts}
  </section>`
}

function subscriptionCard(payments: Payments, { features, language }: Visit, subscription: Subscription): Html {
  const { words, tag } = language
  const { end } = periodOf(subscription)
  const items = subscription.items.data.map(({ price, quantity }) => {
    const money = moneyText(price.unit_amount * quantity, price.currency, tag)
    const interval = words.perInterval[price.recurring?.interval ?? 'month']
    return html`<li>${quantity} × ${productName(payments, price)}, ${money} ${interval}</li>`
  })
  const date = dateText(subscription.cancel_at ?? end, language)
  return html`<ul>${items}</ul>
    <p>${words.status}: ${words.statuses[subscription.status]}.
    ${subscription.cancel_at === null ? words.renewsOn(date) : words.endsOn(date)}</p>
    ${features.subscription_cancel.enabled ? cancelForm(features, language, subscription, date) : html``}`
}

/** Cancelling takes a second press, which a keyboard reaches as well as a mouse. */
function cancelForm(features: PortalFeatures, { words }: Language, subscription: Subscription, date: string): Html {
  const named = html`<input type="hidden" name="subscription" value="${subscription.id}">`
  if (subscription.cancel_at !== null) {
    return html`<form method="post">${named}<button name="action" value="resume">${words.resumePlan}</button></form>`
  }
  const isAtOnce = features.subscription_cancel.mode === 'immediately'
  return html`<details>
      <summary>${words.cancelPlan}</summary>
      <p>${isAtOnce ? words.cancelExplainedNow : words.cancelExplained(date)}</p>
      <form method="post">${named}<button name="action" value="cancel">${words.confirmCancel}</button></form>
    </details>`
}

function cardPart(payments: Payments, visit: Visit, problem: string | undefined): Html {
  const { customer, features, language } = visit
  const { words } = language
  const [subscription] = subscriptionsOf(payments, customer)
  const method = defaultMethod(payments, subscription, customer.id)
  const isOpen = problem === undefined ? { html: '' } : { html: ' open' }
  const form = html`<details${isOpen}>
      <summary>${words.changeCard}</summary>
      <form method="post">
        ${cardFields(words, problem)}
        <button name="action" value="change_card">${words.saveCard}</button>
      </form>
    </details>`
  return html`<section aria-labelledby="method">
    <h2 id="method">${words.paymentMethod}</h2>
    <p>${method ? words.cardEnding(method.card.brand, method.card.last4) : words.noCard}</p>
    ${features.payment_method_update.enabled ? form : html``}
  </section>`
}

function invoicePart({ state }: Payments, { customer, language }: Visit): Html {
  const { words, tag } = language
  const own = [...state.invoices.values()].filter((invoice) => invoice.customer === customer.id).reverse()
  const rows = own
    .filter(({ status }) => status !== 'draft')
    .map((invoice) => {
      const address = invoice.hosted_invoice_url ?? ''
      return html`<tr><td>${dateText(invoice.created, language)}</td><td><a href="${address}">${invoice.number ?? ''}</a></td><td>${words.statuses[invoice.status]}</td><td class="amount">${moneyText(invoice.total, invoice.currency, tag)}</td></tr>`
    })
  return html`<section aria-labelledby="invoices">
    <h2 id="invoices">${words.invoices}</h2>
    ${rows.length === 0 ? html`<p>${words.noInvoices}</p>` : invoiceTable(language, rows)}
  </section>`
}

function invoiceTable({ words }: Language, rows: Html[]): Html {
  return html`<table>
      <thead><tr><th scope="col">${words.date}</th><th scope="col">${words.number}</th><th scope="col">${words.status}</th><th scope="col" class="amount">${words.total}</th></tr></thead>
      <tbody>${rows}</tbody>
    </table>`
}
