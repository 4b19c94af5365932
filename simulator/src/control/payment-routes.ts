import { describeFailure, type FailureReason, readCard, toPaymentError } from '../payments/cards.ts'
import { payCheckout } from '../payments/checkout.ts'
import type { Payments } from '../payments/context.ts'
import { attachCard, findDefaultMethod, replaceDefaultCard } from '../payments/customers.ts'
import type { Customer } from '../payments/objects.ts'
import { payHostedInvoice } from '../payments/pages/payment-pages.ts'
import type { ChargeResult } from '../payments/state.ts'
import { cancelInPortal } from '../payments/subscriptions/periods.ts'
import type { Simulation } from '../simulation.ts'
import { type ControlRoute, route } from './context.ts'
import { ControlError, requireFound } from './reader.ts'
import { clockView } from './state-routes.ts'

const DAY_MS = 86_400_000
const KINDS = {
  customers: 'customers',
  products: 'products',
  prices: 'prices',
  checkout_sessions: 'checkoutSessions',
  subscriptions: 'subscriptions',
  invoices: 'invoices',
  payment_methods: 'paymentMethods',
  portal_configurations: 'portalConfigurations',
  portal_sessions: 'portalSessions',
  events: 'events',
} as const

export const PAYMENT_ROUTES: readonly ControlRoute[] = [
  route('GET', '/payments', overview),
  route('GET', '/payments/objects/:kind', ({ payments }, { params }) => {
    const kind = params.kind as keyof typeof KINDS
    if (!Object.hasOwn(KINDS, kind))
      throw new ControlError(404, `There are no objects of this kind. The kinds are ${Object.keys(KINDS).join(', ')}.`)
    return { [kind]: [...payments.state[KINDS[kind]].values()] }
  }),
  route('PUT', '/payments/settings', ({ payments: { settings } }, { body }) => {
    settings.retryAfterDays = body.list('retry_after_days')?.map(Number) ?? settings.retryAfterDays
    settings.afterRetries = body.oneOf('after_retries', ['cancel', 'unpaid', 'past_due'], settings.afterRetries)
    return { retry_after_days: settings.retryAfterDays, after_retries: settings.afterRetries }
  }),
  route('GET', '/payments/clock', ({ payments: { clock } }) => clockView(clock.now(), clock.mode)),
  route('POST', '/payments/clock', async ({ payments: { clock } }, { body }) => {
    const [ms = 0, seconds = 0, days = 0] = ['advance_ms', 'advance_seconds', 'advance_days'].map(body.number)
    await clock.advance(ms + seconds * 1_000 + days * DAY_MS)
    return clockView(clock.now(), clock.mode)
  }),
  route('POST', '/payments/checkout/:id', ({ payments }, { params, body }) => {
    const session = requireFound(payments.state.checkoutSessions.get(params.id), 'checkout session')
    const failure = payCheckout(payments, session, body.required('card'))
    const { status, subscription, customer } = session
    return { status, subscription, customer, ...describe(failure) }
  }),
  route('PUT', '/payments/customers/:id/card', ({ payments }, { params, body }) => {
    const customer = requireFound(payments.state.customers.get(params.id), 'customer')
    const typed = body.text('card')
    if (typed !== undefined) replaceCard(payments, customer, typed)
    const result = body.text('behavior') && body.oneOf('behavior', ['succeeds', 'declines', 'requires_action'])
    const methods = listDefaultMethods(payments, customer)
    if (result) setBehavior(payments, methods, result === 'declines' ? 'generic_decline' : result)
    return { methods: methods.map((id) => ({ id, ...payments.state.cards.get(id) })) }
  }),
  route('POST', '/payments/customers/:id/portal', ({ payments }, { params, body }) => {
    const customer = requireFound(payments.state.customers.get(params.id), 'customer')
    const action = body.oneOf('action', ['cancel', 'resume'])
    const changed = cancelInPortal(payments, customer, action, body.text('subscription'))
    const { id, status, cancel_at, cancel_at_period_end } = requireFound(changed, `subscription to ${action}`)
    return { id, status, cancel_at, cancel_at_period_end }
  }),
  route('POST', '/payments/invoices/:id/pay', ({ payments }, { params, body }) => {
    const invoice = requireFound(payments.state.invoices.get(params.id), 'invoice')
    const failure = payHostedInvoice(payments, invoice, body.text('card'))
    return { id: invoice.id, status: invoice.status, ...describe(failure) }
  }),
  route('PUT', '/payments/callback', ({ payments: { webhooks } }, { body }) => {
    webhooks.setCallback(body.required('url'))
    return { url: webhooks.target.url }
  }),
  route('GET', '/payments/webhooks', ({ payments: { webhooks } }, { query }) => {
    const [type, state] = [query.get('type'), query.get('state')]
    const posts = [...webhooks.posts.values()].filter((post) => {
      return (!type || post.type === type) && (!state || post.state === state)
    })
    return { webhooks: posts }
  }),
  route('PUT', '/payments/webhooks/policy', ({ payments: { webhooks } }, { body }) => {
    const { policy, target } = webhooks
    policy.duplicates = body.number('duplicates') ?? policy.duplicates
    policy.order = body.oneOf('order', ['kept', 'reversed', 'shuffled'], policy.order)
    policy.retry = body.flag('retry') ?? policy.retry
    target.drop = body.list('drop')?.map(String) ?? target.drop
    return { ...policy, drop: target.drop }
  }),
  route('POST', '/payments/events/:id/redeliver', async ({ payments: { webhooks, state } }, { params }) => {
    const event = requireFound(state.events.get(params.id), 'event')
    if (webhooks.target.url === undefined)
      throw new ControlError(400, 'There is no callback URL to send it to. Set one with PUT /_sim/payments/callback.')
    return webhooks.redeliver(event)
  }),
]

function overview({ payments }: Simulation): object {
  const { account, clock, webhooks, settings, state } = payments
  return {
    url: payments.url(),
    account: account.name,
    callback_url: webhooks.target.url ?? null,
    clock: clockView(clock.now(), clock.mode),
    settings: { retry_after_days: settings.retryAfterDays, after_retries: settings.afterRetries },
    counts: Object.fromEntries(Object.entries(KINDS).map(([kind, name]) => [kind, state[name].size])),
    due: [...state.due].map(([what, at]) => ({ what, at: new Date(at * 1_000).toISOString() })),
  }
}

function replaceCard(payments: Payments, customer: Customer, typed: string): void {
  const read = readCard(typed)
  if ('refusal' in read) throw toPaymentError(read.refusal)
  replaceDefaultCard(payments, customer, attachCard(payments, customer, read.card))
}

/** The payment methods of the customer's next payments. */
function listDefaultMethods(payments: Payments, customer: Customer): string[] {
  const own = [...payments.state.subscriptions.values()].filter((one) => one.customer === customer.id)
  const methods = [undefined, ...own].map((subscription) => findDefaultMethod(payments, customer.id, subscription))
  return [...new Set(methods.flatMap((method) => (method ? [method.id] : [])))]
}

/** Sets the result of future charges. A customer who is present passes the authentication. */
function setBehavior({ state }: Payments, methods: string[], result: ChargeResult): void {
  if (methods.length === 0) throw new ControlError(400, 'The customer has no card. Attach one first.')
  const onSession = result === 'requires_action' ? 'succeeds' : result
  for (const id of methods) state.cards.set(id, { onSession, offSession: result })
}

function describe(failure: FailureReason | undefined): object {
  return failure === undefined ? {} : { error: describeFailure(failure) }
}
