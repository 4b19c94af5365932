const UNUSED_OF_CARD = {
  checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
  display_brand: null,
  funding: 'credit',
  generated_from: null,
  regulated_status: 'unregulated',
  three_d_secure_usage: { supported: true },
  wallet: null,
}

export interface CardFace {
  brand: string
  country: string
  exp_month: number
  exp_year: number
  fingerprint: string
  last4: string
}

export interface PaymentMethod {
  id: string
  object: 'payment_method'
  allow_redisplay: 'limited'
  billing_details: { address: null; email: string | null; name: string | null; phone: null; tax_id: null }
  card: typeof UNUSED_OF_CARD & CardFace & { networks: { available: string[]; preferred: null } }
  created: number
  customer: string | null
  customer_account: null
  livemode: false
  metadata: Record<string, string>
  type: 'card'
}

type GivenMethod = Pick<PaymentMethod, 'id' | 'created' | 'customer'> & {
  face: CardFace
  email: string | null
  name: string | null
}

export function paymentMethodObject({ id, created, customer, face, email, name }: GivenMethod): PaymentMethod {
  return {
    id,
    object: 'payment_method',
    allow_redisplay: 'limited',
    billing_details: { address: null, email, name, phone: null, tax_id: null },
    card: { ...UNUSED_OF_CARD, ...face, networks: { available: [face.brand], preferred: null } },
    created,
    customer,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: 'card',
  }
}

const UNUSED_OF_INTENT = {
  allowed_payment_method_types: null,
  amount_capturable: 0,
  application: null,
  application_fee_amount: null,
  automatic_payment_methods: null,
  canceled_at: null as number | null,
  cancellation_reason: null as 'void_invoice' | null,
  capture_method: 'automatic',
  confirmation_method: 'automatic',
  customer_account: null,
  excluded_payment_method_types: null,
  latest_charge: null,
  livemode: false,
  managed_payments: null,
  metadata: {} as Record<string, string>,
  on_behalf_of: null,
  payment_method_configuration_details: null,
  payment_method_options: {},
  payment_method_types: ['card'],
  payment_record: null,
  processing: null,
  receipt_email: null,
  review: null,
  setup_future_usage: 'off_session',
  shipping: null,
  source: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  transfer_data: null,
  transfer_group: null,
}

export interface PaymentFailure {
  code: string
  decline_code?: string
  doc_url: string
  message: string
  type: 'card_error' | 'invalid_request_error'
}

export type PaymentIntent = typeof UNUSED_OF_INTENT & {
  id: string
  object: 'payment_intent'
  amount: number
  amount_received: number
  client_secret: string
  created: number
  currency: string
  customer: string
  description: string
  last_payment_error: PaymentFailure | null
  next_action: { type: 'use_stripe_sdk'; use_stripe_sdk: Record<string, string> } | null
  payment_method: string | null
  status: 'requires_payment_method' | 'requires_action' | 'succeeded' | 'canceled'
}

type GivenIntent = Pick<
  PaymentIntent,
  'id' | 'amount' | 'client_secret' | 'created' | 'currency' | 'customer' | 'description'
>

export function paymentIntentObject(given: GivenIntent): PaymentIntent {
  return {
    ...UNUSED_OF_INTENT,
    object: 'payment_intent',
    amount_received: 0,
    last_payment_error: null,
    next_action: null,
    payment_method: null,
    status: 'requires_payment_method',
    ...given,
  }
}

export interface InvoicePayment {
  id: string
  object: 'invoice_payment'
  amount_paid: number | null
  amount_requested: number
  created: number
  currency: string
  invoice: string
  is_default: true
  livemode: false
  payment: { payment_intent: string; type: 'payment_intent' }
  status: 'open' | 'paid' | 'canceled'
  status_transitions: { canceled_at: number | null; paid_at: number | null }
}

type GivenPayment = Pick<InvoicePayment, 'id' | 'amount_requested' | 'created' | 'currency' | 'invoice'>

export function invoicePaymentObject(given: GivenPayment, paymentIntent: string): InvoicePayment {
  return {
    object: 'invoice_payment',
    amount_paid: null,
    is_default: true,
    livemode: false,
    payment: { payment_intent: paymentIntent, type: 'payment_intent' },
    status: 'open',
    status_transitions: { canceled_at: null, paid_at: null },
    ...given,
  }
}
