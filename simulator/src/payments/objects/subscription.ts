import { type Price, planOf } from './catalogue.ts'
import { type List, listObject } from './list.ts'

export type SubscriptionStatus = 'incomplete' | 'incomplete_expired' | 'active' | 'past_due' | 'unpaid' | 'canceled'

export interface SubscriptionItem {
  id: string
  object: 'subscription_item'
  billing_thresholds: null
  created: number
  current_period_end: number
  current_period_start: number
  current_trial: null
  discounts: string[]
  metadata: Record<string, string>
  plan: ReturnType<typeof planOf>
  price: Price
  quantity: number
  subscription: string
  tax_rates: []
}

export interface PendingUpdate {
  billing_cycle_anchor: null
  cancel_at_period_end: boolean | null
  discount: null
  discounts: null
  expires_at: number
  metadata: Record<string, string> | null
  subscription_items: SubscriptionItem[] | null
  trial_end: null
  trial_from_plan: null
}

const UNUSED = {
  application: null,
  application_fee_percent: null,
  automatic_tax: { disabled_reason: null, enabled: false, liability: null },
  billing_cycle_anchor_config: null,
  billing_schedules: [] as [],
  billing_thresholds: null,
  collection_method: 'charge_automatically',
  customer_account: null,
  days_until_due: null,
  default_source: null,
  default_tax_rates: [] as [],
  discounts: [] as string[],
  invoice_settings: {
    account_tax_ids: null,
    custom_fields: null,
    description: null,
    footer: null,
    issuer: { type: 'self' },
  },
  livemode: false,
  managed_payments: null,
  next_pending_invoice_item_invoice: null,
  on_behalf_of: null,
  pause_collection: null,
  payment_settings: {
    payment_method_options: null,
    payment_method_types: null,
    save_default_payment_method: 'off',
  },
  pending_invoice_item_interval: null,
  pending_setup_intent: null,
  schedule: null,
  test_clock: null,
  transfer_data: null,
  trial_end: null,
  trial_settings: { end_behavior: { billing_cycle_anchor: null, missing_payment_method: 'create_invoice' } },
  trial_start: null,
}

export type Subscription = typeof UNUSED & {
  id: string
  object: 'subscription'
  billing_cycle_anchor: number
  billing_mode: { flexible: { proration_discounts: 'included' }; type: 'flexible'; updated_at: number }
  cancel_at: number | null
  cancel_at_period_end: boolean
  canceled_at: number | null
  cancellation_details: {
    comment: string | null
    feedback: string | null
    feedback_option: null
    reason: 'cancellation_requested' | 'payment_failed' | null
  }
  created: number
  currency: string
  customer: string
  default_payment_method: string | null
  description: string | null
  ended_at: number | null
  items: List<SubscriptionItem>
  latest_invoice: string | null
  metadata: Record<string, string>
  pending_update: PendingUpdate | null
  start_date: number
  status: SubscriptionStatus
}

type Given = Pick<
  Subscription,
  'id' | 'created' | 'currency' | 'customer' | 'default_payment_method' | 'description' | 'metadata' | 'status'
>

export function subscriptionObject(given: Given): Subscription {
  const { id, created } = given
  return {
    ...UNUSED,
    object: 'subscription',
    billing_cycle_anchor: created,
    billing_mode: { flexible: { proration_discounts: 'included' }, type: 'flexible', updated_at: created },
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
    ended_at: null,
    items: listObject([], `/v1/subscription_items?subscription=${id}`),
    latest_invoice: null,
    pending_update: null,
    start_date: created,
    ...given,
  }
}

export interface ItemTerms {
  id: string
  price: Price
  quantity: number
  metadata: Record<string, string>
}

export interface Period {
  start: number
  end: number
}

export function itemObject(subscription: string, terms: ItemTerms, period: Period, created: number): SubscriptionItem {
  return {
    id: terms.id,
    object: 'subscription_item',
    billing_thresholds: null,
    created,
    current_period_end: period.end,
    current_period_start: period.start,
    current_trial: null,
    discounts: [],
    metadata: terms.metadata,
    plan: planOf(terms.price),
    price: terms.price,
    quantity: terms.quantity,
    subscription,
    tax_rates: [],
  }
}

/** Without mixed intervals all items share one period. */
export function periodOf(subscription: Subscription): Period {
  const [first] = subscription.items.data
  return { start: first?.current_period_start ?? 0, end: first?.current_period_end ?? 0 }
}

export function isEnded({ status }: Subscription): boolean {
  return status === 'canceled' || status === 'incomplete_expired'
}
