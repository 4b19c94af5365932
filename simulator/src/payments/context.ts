import type { Clock } from '../clock.ts'
import type { Random } from '../random.ts'
import type { Events } from './events.ts'
import type { Schedule } from './schedule.ts'
import type { NewId, PaymentState } from './state.ts'
import type { PaymentWebhooks } from './webhooks.ts'

/** Settings for collecting failed renewals; at Stripe these are settings of the account. */
export interface BillingSettings {
  /** Days from each failed attempt to the next. After the last one `afterRetries` applies. */
  retryAfterDays: number[]
  afterRetries: 'cancel' | 'unpaid' | 'past_due'
}

export interface Payments {
  /** The merchant; pages show its name. */
  readonly account: { secretKey: string; webhookSecret: string; name: string }
  readonly settings: BillingSettings
  readonly clock: Clock
  readonly random: Random
  readonly state: PaymentState
  readonly schedule: Schedule
  readonly events: Events
  readonly webhooks: PaymentWebhooks
  readonly newId: NewId
  /** The address of the simulator, without a trailing slash. */
  url(): string
  /** Stores the state: a purchase must survive the end of the process once it is answered. */
  save(): void
}

export function nowInSeconds({ clock }: Pick<Payments, 'clock'>): number {
  return Math.floor(clock.now() / 1_000)
}
