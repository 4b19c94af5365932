/** Stripe's objects with the fields that the hub reads, a page shows or a rule needs. `shapes.test.ts` checks them. */

/** The SDK version that the hub uses requests this version. */
export const API_VERSION = '2026-10-28.endive'

export interface List<T> {
  object: 'list'
  data: T[]
  has_more: boolean
  url: string
}

/** Unix time in seconds. */
export interface Period {
  start: number
  end: number
}

export interface Customer {
  id: string
  object: 'customer'
  /** Credit is negative, debt is positive; the next invoice takes it into account. */
  balance: number
  created: number
  email: string | null
  invoice_prefix: string
  invoice_settings: { default_payment_method: string | null }
  metadata: Record<string, string>
  name: string | null
  next_invoice_sequence: number
}

export interface Product {
  id: string
  object: 'product'
  created: number
  name: string
}

export interface Price {
  id: string
  object: 'price'
  active: boolean
  created: number
  currency: string
  lookup_key: string | null
  metadata: Record<string, string>
  product: string
  recurring: { interval: 'month'; interval_count: 1 }
  type: 'recurring'
  unit_amount: number
}

export interface PaymentMethod {
  id: string
  object: 'payment_method'
  card: { brand: string; last4: string }
  created: number
  customer: string
  type: 'card'
}

export interface CheckoutSession {
  id: string
  object: 'checkout.session'
  amount_total: number
  cancel_url: string | null
  client_reference_id: string | null
  created: number
  currency: string
  customer: string
  expires_at: number
  invoice: string | null
  mode: 'subscription'
  payment_status: 'paid' | 'unpaid'
  status: 'open' | 'complete' | 'expired'
  subscription: string | null
  success_url: string
  /** Only an open session has a page. */
  url: string | null
}

export type SubscriptionStatus = 'incomplete' | 'incomplete_expired' | 'active' | 'past_due' | 'unpaid' | 'canceled'

export interface SubscriptionItem {
  id: string
  object: 'subscription_item'
  created: number
  current_period_end: number
  current_period_start: number
  price: Price
  quantity: number
  subscription: string
}

export interface Subscription {
  id: string
  object: 'subscription'
  billing_cycle_anchor: number
  cancel_at: number | null
  cancel_at_period_end: boolean
  canceled_at: number | null
  cancellation_details: { reason: 'cancellation_requested' | 'payment_failed' | null }
  created: number
  currency: string
  customer: string
  default_payment_method: string
  ended_at: number | null
  items: List<SubscriptionItem>
  latest_invoice: string | null
  metadata: Record<string, string>
  pending_update: { expires_at: number; subscription_items: SubscriptionItem[] } | null
  status: SubscriptionStatus
}

export interface InvoiceLine {
  id: string
  object: 'line_item'
  amount: number
  currency: string
  description: string
  parent: {
    subscription_item_details: { proration: boolean; subscription: string; subscription_item: string }
    type: 'subscription_item_details'
  }
  period: Period
  pricing: { price_details: { price: string; product: string }; type: 'price_details' }
  quantity: number
}

export interface Invoice {
  id: string
  object: 'invoice'
  amount_due: number
  amount_paid: number
  amount_remaining: number
  attempt_count: number
  /** Whether Stripe finalizes and collects by itself. */
  auto_advance: boolean
  billing_reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update' | 'upcoming'
  created: number
  currency: string
  customer: string
  ending_balance: number | null
  hosted_invoice_url: string | null
  lines: List<InvoiceLine>
  next_payment_attempt: number | null
  number: string | null
  parent: { subscription_details: { subscription: string }; type: 'subscription_details' }
  starting_balance: number
  status: 'draft' | 'open' | 'paid' | 'void'
  total: number
}

interface PortalFeature {
  enabled: boolean
}

export interface PortalConfiguration {
  id: string
  object: 'billing_portal.configuration'
  active: boolean
  created: number
  features: {
    customer_update: PortalFeature & { allowed_updates: string[] }
    invoice_history: PortalFeature
    payment_method_update: PortalFeature
    subscription_cancel: PortalFeature & { mode: 'at_period_end' }
    subscription_update: PortalFeature
  }
  metadata: Record<string, string>
  name: string | null
}

export interface PortalSession {
  id: string
  object: 'billing_portal.session'
  configuration: string
  created: number
  customer: string
  return_url: string | null
  url: string
}

export type EventType =
  | 'checkout.session.completed'
  | 'checkout.session.expired'
  | 'customer.created'
  | 'customer.updated'
  | 'customer.subscription.created'
  | 'customer.subscription.updated'
  | 'customer.subscription.deleted'
  | 'customer.subscription.pending_update_applied'
  | 'customer.subscription.pending_update_expired'
  | 'invoice.created'
  | 'invoice.finalized'
  | 'invoice.paid'
  | 'invoice.payment_action_required'
  | 'invoice.payment_failed'
  | 'invoice.payment_succeeded'
  | 'invoice.voided'
  | 'payment_method.attached'
  | 'price.created'
  | 'price.updated'
  | 'product.created'

export interface PaymentEvent {
  id: string
  object: 'event'
  api_version: string
  created: number
  data: { object: object; previous_attributes?: Record<string, unknown> }
  pending_webhooks: number
  type: EventType
}
