import type { ChangeNotifier } from '../change-notifier.ts'
import type { Clock } from '../clock.ts'
import { createRandom } from '../random.ts'
import { expireSession } from './checkout.ts'
import { type BillingSettings, nowInSeconds, type Payments } from './context.ts'
import { createEvents } from './events.ts'
import { createSchedule, type DueKind } from './schedule.ts'
import { createIds, type PaymentState } from './state.ts'
import { collectInvoice, finalizeAndCollect } from './subscriptions/collection.ts'
import { completePeriod } from './subscriptions/periods.ts'
import { discardPendingUpdate } from './subscriptions/updates.ts'
import { createPaymentWebhooks } from './webhooks.ts'

export interface PaymentOptions {
  /** The API key; it starts with `sk_test_`. */
  secretKey?: string
  /** Signs webhooks; it starts with `whsec_`. */
  webhookSecret?: string
  /** The destination of webhooks, such as `http://127.0.0.1:8080/hooks/billing`. */
  callbackUrl?: string
  /** The merchant's name on pages. */
  accountName?: string
  settings?: Partial<BillingSettings>
}

interface Parts {
  clock: Clock
  seed: string
  notifier: ChangeNotifier
  state: PaymentState
  timings: { webhookBatchMs: number; webhookTimeoutMs: number }
  url: () => string
  /** Called after scheduled work has changed the state. */
  changed: () => void
  /** Stores the state: a purchase must survive the end of the process once it is answered. */
  save: () => void
}

const DEFAULT_SETTINGS: BillingSettings = { retryAfterDays: [3, 5, 7], afterRetries: 'cancel' }

export function createPayments(options: PaymentOptions, parts: Parts): Payments {
  const { clock, seed, notifier, state, timings, url, changed, save } = parts
  const random = createRandom(`${seed}:payments`)
  const account = createAccount(options, seed)
  const newId = createIds(random, state)
  const webhooks = createPaymentWebhooks({ clock, random, state, secret: account.webhookSecret, timings, notifier })
  const events = createEvents({ state, webhooks, newId, now: () => nowInSeconds({ clock }) })
  const schedule = createSchedule(clock, state.due, (kind, id) => {
    runDue(payments, kind, id)
    changed()
  })
  const settings = { ...DEFAULT_SETTINGS, ...options.settings }
  const payments: Payments = { account, settings, clock, random, state, schedule, events, webhooks, newId, url, save }
  if (options.callbackUrl !== undefined) webhooks.setCallback(options.callbackUrl)
  schedule.resume()
  webhooks.resume()
  return payments
}

/** The keys have a random source of their own, so that a reset does not change them. */
function createAccount(options: PaymentOptions, seed: string): Payments['account'] {
  const random = createRandom(`${seed}:payment account`)
  const generated = { secretKey: `sk_test_${random.text(24)}`, webhookSecret: `whsec_${random.text(32)}` }
  return {
    secretKey: options.secretKey ?? generated.secretKey,
    webhookSecret: options.webhookSecret ?? generated.webhookSecret,
    name: options.accountName ?? 'Hubline',
  }
}

/** Runs scheduled work; the object may be gone by then. */
function runDue(payments: Payments, kind: DueKind, id: string): void {
  const subscription = payments.state.subscriptions.get(id)
  const invoice = payments.state.invoices.get(id)
  const session = payments.state.checkoutSessions.get(id)
  if (subscription && kind === 'cycle') completePeriod(payments, subscription)
  if (subscription && kind === 'pending_update') discardPendingUpdate(payments, subscription)
  if (invoice && kind === 'finalize') finalizeAndCollect(payments, invoice)
  if (invoice?.status === 'open' && kind === 'retry') collectInvoice(payments, invoice)
  if (session && kind === 'checkout') expireSession(payments, session)
}

/** Back to the empty state of the seed. The callback stays, because the hub still listens. */
export function resetPayments(payments: Payments): void {
  payments.state.clear()
  payments.webhooks.clear()
  payments.random.restart()
  Object.assign(payments.settings, DEFAULT_SETTINGS)
}
