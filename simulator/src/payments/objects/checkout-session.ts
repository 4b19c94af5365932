import type { Price } from './catalogue.ts'

const UNUSED = {
  adaptive_pricing: { enabled: false },
  after_expiration: null,
  allow_promotion_codes: null,
  automatic_tax: { enabled: false, liability: null, provider: null, status: null },
  billing_address_collection: null,
  client_secret: null,
  collected_information: null,
  consent: null,
  consent_collection: null,
  currency_conversion: null,
  custom_fields: [] as [],
  custom_text: { after_submit: null, shipping_address: null, submit: null, terms_of_service_acceptance: null },
  customer_account: null,
  discounts: [] as [],
  integration_identifier: null,
  invoice_creation: null,
  livemode: false,
  managed_payments: null,
  origin_context: null,
  payment_intent: null,
  payment_link: null,
  payment_method_collection: 'always',
  payment_method_configuration_details: null,
  payment_method_options: { card: { request_three_d_secure: 'automatic' } },
  payment_method_types: ['card'],
  permissions: null,
  phone_number_collection: { enabled: false },
  recovered_from: null,
  saved_payment_method_options: {
    allow_redisplay_filters: ['always'],
    payment_method_remove: null,
    payment_method_save: null,
  },
  setup_intent: null,
  shipping_address_collection: null,
  shipping_cost: null,
  shipping_options: [] as [],
  submit_type: null,
  total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
  ui_mode: 'hosted_page',
  wallet_options: null,
}

export type CheckoutSession = typeof UNUSED & {
  id: string
  object: 'checkout.session'
  allowed_payment_method_types: string[] | null
  amount_subtotal: number
  amount_total: number
  cancel_url: string | null
  client_reference_id: string | null
  created: number
  currency: string
  customer: string | null
  customer_creation: 'always' | null
  customer_details: {
    address: null
    business_name: null
    email: string | null
    individual_name: null
    name: string | null
    phone: null
    tax_exempt: 'none'
    tax_ids: [] | null
  } | null
  customer_email: string | null
  expires_at: number
  invoice: string | null
  locale: string | null
  metadata: Record<string, string>
  mode: 'subscription'
  payment_status: 'paid' | 'unpaid' | 'no_payment_required'
  status: 'open' | 'complete' | 'expired'
  subscription: string | null
  success_url: string
  /** Only an open session has an address. */
  url: string | null
}

type Given = Pick<
  CheckoutSession,
  | ('id' | 'allowed_payment_method_types' | 'amount_total' | 'cancel_url' | 'client_reference_id' | 'created')
  | ('currency' | 'customer' | 'customer_email' | 'expires_at' | 'locale' | 'metadata' | 'success_url' | 'url')
>

export function checkoutSessionObject(given: Given): CheckoutSession {
  return {
    ...UNUSED,
    object: 'checkout.session',
    amount_subtotal: given.amount_total,
    customer_creation: given.customer === null ? 'always' : null,
    customer_details: null,
    invoice: null,
    mode: 'subscription',
    payment_status: 'unpaid',
    status: 'open',
    subscription: null,
    ...given,
  }
}

/** What is being bought, kept beside the session, which shows it only when asked to. */
export interface Order {
  items: { lineId: string; price: Price; quantity: number; metadata: Record<string, string> }[]
  subscription: { description: string | null; metadata: Record<string, string> }
}

export function lineItemsOf(order: Order, productName: (price: Price) => string) {
  return order.items.map(({ lineId, price, quantity, metadata }) => ({
    id: lineId,
    object: 'item' as const,
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: price.unit_amount * quantity,
    amount_tax: 0,
    amount_total: price.unit_amount * quantity,
    currency: price.currency,
    description: productName(price),
    metadata,
    price,
    quantity,
  }))
}
