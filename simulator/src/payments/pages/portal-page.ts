import { INTL_LOCALES } from '@hubline/locales/languages.ts'
import type { Language } from '../../http/language.ts'
import { type Html, html, type Page } from '../../http/page.ts'
import { formatMoney } from '../billing/lines.ts'
import { readCard } from '../cards.ts'
import { nowInSeconds, type Payments } from '../context.ts'
import { attachCard, findDefaultMethod, replaceDefaultCard } from '../customers.ts'
import type { Customer, PortalConfiguration, PortalSession, Subscription } from '../objects.ts'
import { findPeriod } from '../subscriptions/items.ts'
import { cancelInPortal, listCurrentSubscriptions } from '../subscriptions/periods.ts'
import { describeProblem, renderCardFields } from './card-form.ts'
import {
  formatDate,
  type PageRequest,
  type PageResponse,
  renderAlert,
  renderExpired,
  renderItems,
  renderLink,
  renderStatus,
} from './html.ts'

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

export function servePortal(
  payments: Payments,
  key: string,
  { form, language }: PageRequest,
): PageResponse | undefined {
  const { state } = payments
  const session = [...state.portalSessions.values()].find(({ url }) => url.endsWith(`/${key}`))
  const customer = state.customers.get(session?.customer ?? '')
  const configuration = state.portalConfigurations.get(session?.configuration ?? '')
  if (!session || !customer || !configuration) return undefined
  if (!openSession(payments, session)) return { status: 410, page: renderExpired(language, session.return_url) }
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
  const { t } = language
  const action = form.get('action')
  if ((action === 'cancel' || action === 'resume') && features.subscription_cancel.enabled) {
    if (!cancelInPortal(payments, customer, action, form.get('subscription') ?? undefined)) return {}
    if (action === 'resume') return { notice: t('goesOn') }
    return { notice: t('isCanceled') }
  }
  if (action !== 'change_card' || !features.payment_method_update.enabled) return {}
  const read = readCard(form.get('card') ?? '')
  if ('refusal' in read) return { problem: describeProblem(language, read.refusal) }
  replaceDefaultCard(payments, customer, attachCard(payments, customer, read.card))
  return { notice: t('cardSaved') }
}

function renderPortal(payments: Payments, view: PortalView, { notice, problem }: ActionResult): Page {
  const { t } = view.language
  const { name } = payments.account
  const own = listCurrentSubscriptions(payments, view.customer)
  const none = html`<p>${t('noSubscription')}</p>`
  const body = html`${renderAlert(problem)}${notice === undefined ? '' : html`<p role="status">${notice}</p>`}
  <h2>${t('subscription')}</h2>
  ${own.length === 0 ? none : own.map((subscription) => renderSubscription(payments, view, subscription))}
  <h2>${t('paymentMethod')}</h2>
  ${renderPaymentMethod(payments, view, problem)}
  ${view.features.invoice_history.enabled ? renderInvoices(payments, view) : ''}
  ${renderLink(view.session.return_url, t('returnTo', { name }))}`
  return { title: t('manage'), body }
}

function renderSubscription(payments: Payments, { features, language }: PortalView, subscription: Subscription): Html {
  const { t } = language
  const isCanceled = subscription.cancel_at !== null
  const date = formatDate(findPeriod(subscription).end, language)
  const end = isCanceled ? t('endsOn', { date }) : t('renewsOn', { date })
  return html`${renderItems(payments, subscription.items.data, language)}
    <p>${renderStatus(language, subscription.status)}. ${end}</p>
    ${features.subscription_cancel.enabled ? renderCancellation(language, subscription, date) : ''}`
}

/** A cancellation has to be confirmed; `details` works without a script and with the keyboard. */
function renderCancellation({ t }: Language, { cancel_at, id }: Subscription, date: string): Html {
  const input = html`<input type="hidden" name="subscription" value="${id}">`
  if (cancel_at !== null) {
    const label = t('resume')
    return html`<form method="post">${input}<button name="action" value="resume">${label}</button></form>`
  }
  return html`<details>
      <summary>${t('cancel')}</summary>
      <p>${t('cancelText', { date })}</p>
      <form method="post">${input}<button name="action" value="cancel">${t('confirmCancel')}</button></form>
    </details>`
}

function renderPaymentMethod(payments: Payments, { customer, features, language }: PortalView, problem?: string): Html {
  const { t } = language
  const [subscription] = listCurrentSubscriptions(payments, customer)
  const card = findDefaultMethod(payments, customer.id, subscription)?.card
  const form = html`<details${{ html: problem === undefined ? '' : ' open' }}>
      <summary>${t('useAnother')}</summary>
      <form method="post">
        ${renderCardFields(language, problem)}
        <button name="action" value="change_card">${t('saveCard')}</button>
      </form>
    </details>`
  const shown = card && t('savedCard', { brand: card.brand, digits: card.last4 })
  return html`<p>${shown ?? t('noCard')}</p>
  ${features.payment_method_update.enabled ? form : ''}`
}

function renderInvoices({ state }: Payments, { customer, language }: PortalView): Html {
  const rows = [...state.invoices.values()]
    .filter((invoice) => invoice.customer === customer.id && invoice.status !== 'draft')
    .reverse()
    .map((invoice) => {
      const link = html`<a href="${invoice.hosted_invoice_url ?? ''}">${invoice.number ?? ''}</a>`
      const money = formatMoney(invoice.total, invoice.currency, INTL_LOCALES[language.tag])
      return html`<li>${formatDate(invoice.created, language)}: ${link}, ${money}. ${renderStatus(language, invoice.status)}</li>`
    })
  return html`<h2>${language.t('invoices')}</h2><ul>${rows}</ul>`
}
