import { formatMoney } from '../billing/lines.ts'
import { attachCard, findDefaultMethod, readCard, replaceDefaultCard } from '../cards.ts'
import { findProductName } from '../catalog.ts'
import { nowInSeconds, type Payments } from '../context.ts'
import type { Customer, PortalConfiguration, PortalSession, Subscription } from '../objects.ts'
import { cancelInPortal, listCurrentSubscriptions } from '../subscriptions/cancellation.ts'
import { findPeriod } from '../subscriptions/items.ts'
import {
  describeProblem,
  formatDate,
  type Html,
  html,
  type Page,
  type PageRequest,
  type PageResponse,
  renderAlert,
  renderCardFields,
  renderLink,
} from './html.ts'
import type { Language } from './texts.ts'

/** A link expires five minutes after its creation, or an hour after it was first opened. */
const UNOPENED_SECONDS = 300
const OPENED_SECONDS = 3_600

interface PortalView {
  session: PortalSession
  customer: Customer
  features: PortalConfiguration['features']
  language: Language
}

interface ActionResult {
  notice?: string
  problem?: string
}

export function servePortal(payments: Payments, key: string, request: PageRequest): PageResponse | undefined {
  const { state } = payments
  const { form, language } = request
  const session = [...state.portalSessions.values()].find(({ url }) => url.endsWith(`/${key}`))
  const customer = state.customers.get(session?.customer ?? '')
  const configuration = state.portalConfigurations.get(session?.configuration ?? '')
  if (!session || !customer || !configuration) return undefined
  if (!openSession(payments, session)) {
    const { text } = language
    const body = html`<p>${text('startAgain')}</p>${renderLink(session.return_url, text('goBack'))}`
    return { status: 410, page: { title: text('expired'), body } }
  }
  const view: PortalView = { session, customer, features: configuration.features, language }
  const result = form ? runAction(payments, view, form) : {}
  return { status: result.problem === undefined ? 200 : 402, page: renderPortal(payments, view, result) }
}

function openSession(payments: Payments, { id, created }: PortalSession): boolean {
  const { portalOpenedAt } = payments.state
  const now = nowInSeconds(payments)
  const openedAt = portalOpenedAt.get(id)
  if (openedAt !== undefined) return now < openedAt + OPENED_SECONDS
  if (now >= created + UNOPENED_SECONDS) return false
  portalOpenedAt.set(id, now)
  return true
}

/** Runs the action of a button, if the configuration enables it. */
function runAction(
  payments: Payments,
  { customer, features, language }: PortalView,
  form: URLSearchParams,
): ActionResult {
  const action = form.get('action')
  if ((action === 'cancel' || action === 'resume') && features.subscription_cancel.enabled) {
    const changed = cancelInPortal(payments, customer, action, form.get('subscription') ?? undefined)
    return changed ? { notice: language.text(action === 'cancel' ? 'canceled' : 'resumed') } : {}
  }
  if (action !== 'change_card' || !features.payment_method_update.enabled) return {}
  const read = readCard(form.get('card') ?? '')
  if ('refusal' in read) return { problem: describeProblem(language, read.refusal) }
  replaceDefaultCard(payments, customer, attachCard(payments, customer, read.card))
  return { notice: language.text('cardSaved') }
}

function renderPortal(payments: Payments, view: PortalView, { notice, problem }: ActionResult): Page {
  const { text } = view.language
  const body = html`${renderAlert(problem)}${notice === undefined ? html`` : html`<p role="status">${notice}</p>`}
  ${renderSubscriptions(payments, view)}
  ${renderPaymentMethod(payments, view, problem)}
  ${view.features.invoice_history.enabled ? renderInvoices(payments, view) : html``}
  ${renderLink(view.session.return_url, text('returnTo', payments.account.name))}`
  return { title: text('manage'), body }
}

function renderSubscriptions(payments: Payments, view: PortalView): Html {
  const { text } = view.language
  const own = listCurrentSubscriptions(payments, view.customer)
  return html`<section aria-labelledby="subscription">
    <h2 id="subscription">${text('subscription')}</h2>
    ${own.length === 0 ? html`<p>${text('noSubscription')}</p>` : own.map((one) => renderSubscription(payments, view, one))}
  </section>`
}

function renderSubscription(payments: Payments, { features, language }: PortalView, subscription: Subscription): Html {
  const { text, tag } = language
  const items = subscription.items.data.map(({ price, quantity }) => {
    const money = formatMoney(price.unit_amount * quantity, price.currency, tag)
    return html`<li>${quantity} × ${findProductName(payments, price)}, ${text('perMonth', money)}</li>`
  })
  const date = formatDate(subscription.cancel_at ?? findPeriod(subscription).end, language)
  return html`<ul>${items}</ul>
    <p>${text('status')}: ${text(`status_${subscription.status}`)}.
    ${text(subscription.cancel_at === null ? 'renewsOn' : 'endsOn', date)}</p>
    ${features.subscription_cancel.enabled ? renderCancellation(language, subscription, date) : html``}`
}

/** A cancellation has to be confirmed; `details` works without a script and with the keyboard. */
function renderCancellation({ text }: Language, subscription: Subscription, date: string): Html {
  const id = html`<input type="hidden" name="subscription" value="${subscription.id}">`
  if (subscription.cancel_at !== null) {
    return html`<form method="post">${id}<button name="action" value="resume">${text('resume')}</button></form>`
  }
  return html`<details>
      <summary>${text('cancel')}</summary>
      <p>${text('cancelExplained', date)}</p>
      <form method="post">${id}<button name="action" value="cancel">${text('confirmCancel')}</button></form>
    </details>`
}

function renderPaymentMethod(payments: Payments, view: PortalView, problem: string | undefined): Html {
  const { customer, features, language } = view
  const { text } = language
  const [subscription] = listCurrentSubscriptions(payments, customer)
  const method = findDefaultMethod(payments, customer.id, subscription)
  const form = html`<details${{ html: problem === undefined ? '' : ' open' }}>
      <summary>${text('changeCard')}</summary>
      <form method="post">
        ${renderCardFields(language, problem)}
        <button name="action" value="change_card">${text('saveCard')}</button>
      </form>
    </details>`
  return html`<section aria-labelledby="method">
    <h2 id="method">${text('paymentMethod')}</h2>
    <p>${method ? text('cardEnding', method.card.brand, method.card.last4) : text('noCard')}</p>
    ${features.payment_method_update.enabled ? form : html``}
  </section>`
}

function renderInvoices({ state }: Payments, { customer, language }: PortalView): Html {
  const { text, tag } = language
  const rows = [...state.invoices.values()]
    .filter((invoice) => invoice.customer === customer.id && invoice.status !== 'draft')
    .reverse()
    .map((invoice) => {
      const link = html`<a href="${invoice.hosted_invoice_url ?? ''}">${invoice.number ?? ''}</a>`
      const money = formatMoney(invoice.total, invoice.currency, tag)
      return html`<tr><td>${formatDate(invoice.created, language)}</td><td>${link}</td><td>${text(`status_${invoice.status}`)}</td><td class="amount">${money}</td></tr>`
    })
  const table = html`<table>
      <thead><tr><th scope="col">${text('date')}</th><th scope="col">${text('number')}</th><th scope="col">${text('status')}</th><th scope="col" class="amount">${text('total')}</th></tr></thead>
      <tbody>${rows}</tbody>
    </table>`
  return html`<section aria-labelledby="invoices">
    <h2 id="invoices">${text('invoices')}</h2>
    ${rows.length === 0 ? html`<p>${text('noInvoices')}</p>` : table}
  </section>`
}
