import { nowOf, type Payments } from '../context.ts'
import { attach, checkCard, replaceDefaultCard } from '../payment-methods.ts'
import { cancelInPortal, resumeInPortal } from '../portal/canceling.ts'
import { problemText } from './card-form.ts'
import { html } from './layout.ts'
import { portalPage, type Visit } from './portal-page.ts'
import type { Reply, Sent } from './serve.ts'
import { languageOf } from './words.ts'

/** A link that nobody opens dies after five minutes; an open page after an hour. */
const UNOPENED_SECONDS = 300
const OPEN_SECONDS = 3_600

export function visitPortal(
  payments: Payments,
  key: string,
  sent: Sent,
  acceptLanguage: string | undefined,
): Reply | undefined {
  const session = [...payments.state.portalSessions.values()].find(({ url }) => url.endsWith(`/${key}`))
  const customer = payments.state.customers.get(session?.customer ?? '')
  const configuration = payments.state.portalConfigurations.get(session?.configuration ?? '')
  if (!session || !customer || !configuration) return undefined
  const language = languageOf(session.locale, acceptLanguage)
  const { words } = language
  if (!enter(payments, session)) {
    const back = session.return_url === null ? html`` : html`<p><a href="${session.return_url}">${words.goBack}</a></p>`
    return { status: 410, page: { title: words.expired, body: html`<p>${words.expiredLong}</p>${back}` }, language }
  }
  const visit: Visit = { session, customer, features: configuration.features, language }
  const outcome = sent ? act(payments, visit, sent) : {}
  const after = session.flow?.after_completion.redirect?.return_url
  if (outcome.notice !== undefined && after !== undefined) return { redirect: after }
  return { status: outcome.problem === undefined ? 200 : 402, page: portalPage(payments, visit, outcome), language }
}

function enter(payments: Payments, session: { id: string; created: number }): boolean {
  const { portalVisits } = payments.state
  const now = nowOf(payments)
  const openedAt = portalVisits.get(session.id)
  if (openedAt !== undefined) return now < openedAt + OPEN_SECONDS
  if (now >= session.created + UNOPENED_SECONDS) return false
  portalVisits.set(session.id, now)
  return true
}

/** Does what a button of the page stands for, as far as the configuration offers it. */
function act(payments: Payments, visit: Visit, sent: URLSearchParams): { notice?: string; problem?: string } {
  const { customer, features, language } = visit
  const { words } = language
  const [action, id] = [sent.get('action'), sent.get('subscription') ?? undefined]
  const cancel = features.subscription_cancel
  if (action === 'cancel' && cancel.enabled) {
    return cancelInPortal(payments, customer, id, cancel.mode) ? { notice: words.canceled } : {}
  }
  if (action === 'resume' && cancel.enabled) {
    return resumeInPortal(payments, customer, id) ? { notice: words.resumed } : {}
  }
  if (action !== 'change_card' || !features.payment_method_update.enabled) return {}
  const checked = checkCard(sent.get('card') ?? '')
  if ('refusal' in checked) return { problem: problemText(words, checked.refusal) }
  replaceDefaultCard(payments, customer, attach(payments, customer, checked.card))
  return { notice: words.cardSaved }
}
