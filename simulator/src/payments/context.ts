import type { Clock } from '../clock.ts'
import type { Random } from '../random.ts'
import type { Deliveries } from './deliveries.ts'
import type { BillingSettings } from './dunning.ts'
import type { Events } from './events.ts'
import type { NewId } from './ids.ts'
import type { Schedule } from './schedule.ts'
import type { PaymentState } from './state.ts'

export interface PaymentAccount {
  secretKey: string
  webhookSecret: string
  /** The merchant's name, as pages and invoices show it. */
  name: string
}

/** What every endpoint works with. */
export interface Payments {
  readonly account: PaymentAccount
  readonly settings: BillingSettings
  readonly clock: Clock
  readonly random: Random
  readonly state: PaymentState
  readonly schedule: Schedule
  readonly events: Events
  readonly deliveries: Deliveries
  readonly newId: NewId
  /** Where the simulator is reached, without a trailing slash. */
  url(): string
}

/** The provider counts in whole seconds. */
export function nowOf({ clock }: Pick<Payments, 'clock'>): number {
  return Math.floor(clock.now() / 1_000)
}
