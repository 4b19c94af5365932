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
  email: string | null
  invoice_settings: { default_payment_method: string | null }
  metadata: Record<string, string>
  name: string | null
  next_invoice_sequence: number
}

export interface DeletedCustomer {
  id: string
  object: 'customer'
  deleted: true
}

export interface Product {
  id: string
  object: 'product'
  name: string
}

export interface Price {
  id: string
  object: 'price'
  active: boolean
  currency: string
  lookup_key: string | null
  metadata: Record<string, string>
  product: string
  recurring: { interval: 'month'; interval_count: 1 }
  unit_amount: number
}

export interface PaymentMethod {
  id: string
  object: 'payment_method'
  card: { brand: string; last4: string }
  customer: string
}

export interface CheckoutSession {
  id: string
  object: 'checkout.session'
  amount_total: number
  cancel_url: string | null
  client_reference_id: string | null
  currency: string
  customer: string
  expires_at: number
  status: 'open' | 'complete' | 'expired'
  subscription: string | null
  success_url: string
  /** Only an open session has a page. */
  url: string | null
}

export interface SubscriptionItem {
  id: string
  object: 'subscription_item'
  current_period_end: number
  current_period_start: number
  price: Price
  quantity: number
}

export interface Subscription {
  id: string
  object: 'subscription'
  billing_cycle_anchor: number
  cancel_at: number | null
  cancel_at_period_end: boolean
  created: number
  currency: string
  customer: string
  default_payment_method: string
  items: List<SubscriptionItem>
  latest_invoice: string | null
  metadata: Record<string, string>
  pending_update: { expires_at: number; subscription_items: SubscriptionItem[] } | null
  status: 'active' | 'past_due' | 'unpaid' | 'canceled'
}

export interface InvoiceLine {
  id: string
  object: 'line_item'
  amount: number
  description: string
  period: Period
  pricing: { price_details: { price: string; product: string }; type: 'price_details' }
  quantity: number
}

export interface Invoice {
  id: string
  object: 'invoice'
  amount_due: number
  amount_paid: number
  attempt_count: number
  /** True if Stripe finalizes and collects by itself. */
  auto_advance: boolean
  billing_reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update' | 'upcoming'
  created: number
  currency: string
  customer: string
  ending_balance: number | null
  hosted_invoice_url: string | null
  /** The simulator makes no PDFs. */
  invoice_pdf: null
  lines: List<InvoiceLine>
  next_payment_attempt: number | null
  number: string | null
  parent: { subscription_details: { subscription: string }; type: 'subscription_details' }
  starting_balance: number
  status: 'draft' | 'open' | 'paid' | 'void'
  total: number
}

export interface PortalConfiguration {
  id: string
  object: 'billing_portal.configuration'
  active: boolean
  features: {
    customer_update: { allowed_updates: string[]; enabled: boolean }
    invoice_history: { enabled: boolean }
    payment_method_update: { enabled: boolean }
    subscription_cancel: { enabled: boolean; mode: 'at_period_end' }
    subscription_update: { enabled: boolean }
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

type InvoiceEvent = 'created' | 'finalized' | 'paid' | 'payment_failed' | 'payment_succeeded' | 'voided'
type SubscriptionEvent = 'created' | 'updated' | 'deleted' | 'pending_update_applied' | 'pending_update_expired'

export type EventType =
  | `checkout.session.${'completed' | 'expired'}`
  | `customer.${'created' | 'updated' | 'deleted'}`
  | `customer.subscription.${SubscriptionEvent}`
  | `invoice.${InvoiceEvent | 'payment_action_required'}`
  | 'payment_method.attached'
  | `price.${'created' | 'updated'}`
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
