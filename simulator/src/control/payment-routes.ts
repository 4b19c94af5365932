import type { Json, JsonObject } from '../json.ts'
import { defaultMethod } from '../payments/billing/charge.ts'
import { failureOf } from '../payments/billing/failures.ts'
import { DECLINES, type Verdict } from '../payments/cards.ts'
import { payCheckout, successUrl } from '../payments/checkout/completing.ts'
import type { Payments } from '../payments/context.ts'
import type { Customer } from '../payments/objects/customer.ts'
import { attachCard, replaceDefaultCard } from '../payments/payment-methods.ts'
import { cancelInPortal, resumeInPortal } from '../payments/portal/canceling.ts'
import { payHostedInvoice } from '../payments/portal/paying.ts'
import type { ControlParts, ControlRoute } from './context.ts'
import { ControlError, found, type Reader } from './reader.ts'
import { clockView } from './world-routes.ts'

const DAY_MS = 86_400_000
const KINDS = {
  customers: 'customers',
  products: 'products',
  prices: 'prices',
  checkout_sessions: 'checkoutSessions',
  subscriptions: 'subscriptions',
  invoices: 'invoices',
  invoice_items: 'invoiceItems',
  payment_methods: 'paymentMethods',
  payment_intents: 'paymentIntents',
  portal_configurations: 'portalConfigurations',
  portal_sessions: 'portalSessions',
  events: 'events',
} as const

export const PAYMENT_ROUTES: readonly ControlRoute[] = [
  { method: 'GET', path: '/payments', run: overview },
  {
    method: 'GET',
    path: '/payments/objects/:kind',
    run({ payments }, { ids }) {
      const kind = ids[0] as keyof typeof KINDS
      if (!Object.hasOwn(KINDS, kind)) throw new ControlError(404, `Kinds are ${Object.keys(KINDS).join(', ')}`)
      return { [kind]: plain([...payments.state[KINDS[kind]].values()]) }
    },
  },
  {
    method: 'PUT',
    path: '/payments/settings',
    run({ payments: { settings } }, { body }) {
      settings.retryAfterDays = body.list('retry_after_days')?.map(Number) ?? settings.retryAfterDays
      settings.afterRetries = body.oneOf('after_retries', ['cancel', 'unpaid', 'past_due'], settings.afterRetries)
      return { retry_after_days: settings.retryAfterDays, after_retries: settings.afterRetries }
    },
  },
  {
    method: 'GET',
    path: '/payments/clock',
    run: ({ payments: { clock } }) => clockView(clock.now(), clock.mode),
  },
  {
    method: 'POST',
    path: '/payments/clock',
    async run({ payments: { clock } }, { body }) {
      const [ms = 0, seconds = 0, days = 0] = ['advance_ms', 'advance_seconds', 'advance_days'].map(body.number)
      await clock.advance(ms + seconds * 1_000 + days * DAY_MS)
      return clockView(clock.now(), clock.mode)
    },
  },
  {
    method: 'POST',
    path: '/payments/checkout/:id',
    run({ payments }, { ids, body }) {
      const session = found(payments.state.checkoutSessions.get(ids[0] ?? ''), 'checkout session')
      const payer = { card: body.required('card'), email: body.text('email'), name: body.text('name') }
      const failure = payCheckout(payments, session, payer)
      const { status, payment_status, subscription, invoice, customer } = session
      const view = { status, payment_status, subscription, invoice, customer }
      return failure === undefined
        ? { ...view, redirect: successUrl(session) }
        : { ...view, error: plain(failureOf(failure)) }
    },
  },
  {
    method: 'PUT',
    path: '/payments/customers/:id/card',
    run({ payments }, { ids, body }) {
      const customer = found(payments.state.customers.get(ids[0] ?? ''), 'customer')
      const number = body.text('card')
      if (number !== undefined) replaceDefaultCard(payments, customer, attachCard(payments, customer, number))
      if (body.text('behaviour') !== undefined) setBehaviour(payments, customer, body)
      return { methods: methodsOf(payments, customer).map(({ id }) => ({ id, ...payments.state.cards.get(id) })) }
    },
  },
  {
    method: 'POST',
    path: '/payments/customers/:id/portal',
    run({ payments }, { ids, body }) {
      const customer = found(payments.state.customers.get(ids[0] ?? ''), 'customer')
      const act = body.oneOf('action', ['cancel', 'resume']) === 'cancel' ? cancelInPortal : resumeInPortal
      const subscription = found(act(payments, customer, body.text('subscription')), 'subscription to do that to')
      const { id, status, cancel_at, cancel_at_period_end } = subscription
      return { id, status, cancel_at, cancel_at_period_end }
    },
  },
  {
    method: 'POST',
    path: '/payments/invoices/:id/pay',
    run({ payments }, { ids, body }) {
      const invoice = found(payments.state.invoices.get(ids[0] ?? ''), 'invoice')
      const failure = payHostedInvoice(payments, invoice, body.text('card'))
      const view = { id: invoice.id, status: invoice.status }
      return failure === undefined ? view : { ...view, error: plain(failureOf(failure)) }
    },
  },
]

function overview({ payments }: ControlParts): JsonObject {
  const { account, clock, deliveries, settings, state } = payments
  return {
    url: payments.url(),
    account: account.name,
    callback_url: deliveries.callback.url ?? null,
    enabled_events: deliveries.callback.enabledEvents,
    clock: clockView(clock.now(), clock.mode),
    settings: { retry_after_days: settings.retryAfterDays, after_retries: settings.afterRetries },
    counts: Object.fromEntries(Object.entries(KINDS).map(([kind, name]) => [kind, state[name].size])),
    due: [...state.due].map(([what, at]) => ({ what, at: new Date(at * 1_000).toISOString() })),
  }
}

/** The methods that the customer's next payments would be made with. */
function methodsOf(payments: Payments, customer: Customer) {
  const own = [...payments.state.subscriptions.values()].filter((one) => one.customer === customer.id)
  const methods = [undefined, ...own].map((subscription) => defaultMethod(payments, subscription, customer.id))
  return [...new Set(methods.filter((method) => method !== undefined))]
}

/** What the bank will say from now on, whether or not the customer is there. */
function setBehaviour(payments: Payments, customer: Customer, body: Reader): void {
  const behaviour = body.oneOf('behaviour', ['succeeds', 'declines', 'requires_action'])
  const decline = body.oneOf('decline_code', DECLINES, 'generic_decline')
  const verdict: Verdict = behaviour === 'declines' ? decline : behaviour
  const methods = methodsOf(payments, customer)
  if (methods.length === 0) throw new ControlError(400, 'The customer has no card')
  const onSession: Verdict = verdict === 'requires_action' ? 'succeeds' : verdict
  for (const { id } of methods) payments.state.cards.set(id, { onSession, offSession: verdict })
}

/** Objects of the provider are JSON already; their types only say more than that. */
function plain(value: object): Json {
  return JSON.parse(JSON.stringify(value)) as Json
}
