import type { Clock } from '../clock.ts'
import { createRandom } from '../random.ts'
import type { Signal } from '../signal.ts'
import { nowOf, type PaymentAccount, type Payments } from './context.ts'
import { createDeliveries } from './deliveries.ts'
import { happen } from './due.ts'
import { type BillingSettings, DEFAULT_SETTINGS } from './dunning.ts'
import { createEvents } from './events.ts'
import { createIds } from './ids.ts'
import { createSchedule } from './schedule.ts'
import type { PaymentState } from './state.ts'

export interface PaymentOptions {
  /** The key that the API takes; it begins with `sk_test_`. */
  secretKey?: string
  /** What webhooks are signed with; it begins with `whsec_`. */
  webhookSecret?: string
  /** Where webhooks go, e.g. `http://127.0.0.1:8080/hooks/billing`. */
  callbackUrl?: string
  /** The merchant's name on pages and invoices. */
  accountName?: string
  settings?: Partial<BillingSettings>
}

interface Parts {
  clock: Clock
  seed: string
  signal: Signal
  state: PaymentState
  timings: { webhookBatchMs: number; webhookTimeoutMs: number }
  url: () => string
  /** Told when time alone has changed something, so that it can be kept. */
  changed: () => void
}

/** The payment provider: its state, its clockwork and its messenger. */
export function createPayments(options: PaymentOptions, parts: Parts): Payments {
  const { clock, seed, signal, state, timings, url, changed } = parts
  const random = createRandom(`${seed}:payments`)
  const account = accountOf(options, seed)
  const newId = createIds(random, state)
  const deliveries = createDeliveries({ clock, random, state, account, timings, signal })
  const events = createEvents({ state, deliveries, newId, now: () => nowOf({ clock }) })
  const schedule = createSchedule(clock, state.due, (kind, id) => {
    happen(payments, kind, id)
    changed()
  })
  const settings = { ...DEFAULT_SETTINGS, ...options.settings }
  const payments: Payments = { account, settings, clock, random, state, schedule, events, deliveries, newId, url }
  if (options.callbackUrl !== undefined) deliveries.callBack(options.callbackUrl)
  schedule.resume()
  deliveries.resume()
  return payments
}

/** Drawn apart from the world, which a reset begins anew, so that the keys outlive it. */
function accountOf(options: PaymentOptions, seed: string): PaymentAccount {
  const random = createRandom(`${seed}:payment account`)
  const made = { secretKey: `sk_test_${random.text(24)}`, webhookSecret: `whsec_${random.text(32)}` }
  return {
    secretKey: options.secretKey ?? made.secretKey,
    webhookSecret: options.webhookSecret ?? made.webhookSecret,
    name: options.accountName ?? 'Hubline (simulated)',
  }
}

/** Back to the empty world that the seed began with. The callback stays, since the hub is still there. */
export function resetPayments(payments: Payments): void {
  payments.state.clear()
  payments.deliveries.clear()
  payments.random.restart()
  Object.assign(payments.settings, DEFAULT_SETTINGS)
}
