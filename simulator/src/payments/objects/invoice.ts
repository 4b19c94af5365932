import type { InvoiceLine } from './invoice-line.ts'
import { type List, listObject } from './list.ts'

export type InvoiceStatus = 'draft' | 'open' | 'paid' | 'void' | 'uncollectible'
export type BillingReason = 'subscription_create' | 'subscription_cycle' | 'subscription_update' | 'manual' | 'upcoming'

const UNUSED = {
  account_country: 'BR',
  account_tax_ids: null,
  amount_overpaid: 0,
  amount_shipping: 0,
  application: null,
  automatic_tax: { disabled_reason: null, enabled: false, liability: null, provider: null, status: null },
  collection_method: 'charge_automatically',
  custom_fields: null,
  customer_account: null,
  customer_address: null,
  customer_phone: null,
  customer_shipping: null,
  customer_tax_exempt: 'none',
  customer_tax_ids: [] as [],
  default_source: null,
  default_tax_rates: [] as [],
  description: null,
  discounts: [] as string[],
  due_date: null,
  footer: null,
  from_invoice: null,
  issuer: { type: 'self' },
  last_finalization_error: null,
  latest_revision: null,
  livemode: false,
  on_behalf_of: null,
  payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
  post_payment_credit_notes_amount: 0,
  pre_payment_credit_notes_amount: 0,
  receipt_number: null,
  rendering: null,
  shipping_cost: null,
  shipping_details: null,
  statement_descriptor: null,
  test_clock: null,
  total_discount_amounts: [] as [],
  total_pretax_credit_amounts: [] as [],
  total_taxes: [] as [],
}

export type Invoice = typeof UNUSED & {
  id: string
  object: 'invoice'
  account_name: string
  amount_due: number
  amount_paid: number
  amount_remaining: number
  attempt_count: number
  attempted: boolean
  auto_advance: boolean
  automatically_finalizes_at: number | null
  billing_reason: BillingReason
  created: number
  currency: string
  customer: string
  customer_email: string | null
  customer_name: string | null
  default_payment_method: string | null
  effective_at: number | null
  ending_balance: number | null
  hosted_invoice_url: string | null
  invoice_pdf: string | null
  lines: List<InvoiceLine>
  metadata: Record<string, string>
  next_payment_attempt: number | null
  number: string | null
  parent: {
    quote_details: null
    subscription_details: {
      metadata: Record<string, string>
      subscription: string
      subscription_proration_date?: number
    }
    type: 'subscription_details'
  }
  period_end: number
  period_start: number
  starting_balance: number
  status: InvoiceStatus
  status_transitions: {
    finalized_at: number | null
    marked_uncollectible_at: number | null
    paid_at: number | null
    voided_at: number | null
  }
  subtotal: number
  subtotal_excluding_tax: number
  total: number
  total_excluding_tax: number
  webhooks_delivered_at: number | null
}

type Given = Pick<
  Invoice,
  | ('id' | 'account_name' | 'amount_due' | 'billing_reason' | 'created' | 'currency' | 'customer' | 'customer_email')
  | ('customer_name' | 'parent' | 'period_end' | 'period_start' | 'starting_balance')
> & { lines: InvoiceLine[] }

export function invoiceObject({ lines, ...given }: Given): Invoice {
  const total = lines.reduce((sum, line) => sum + line.amount, 0)
  return {
    ...UNUSED,
    object: 'invoice',
    amount_paid: 0,
    amount_remaining: given.amount_due,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatically_finalizes_at: null,
    default_payment_method: null,
    effective_at: null,
    ending_balance: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    lines: listObject(lines, `/v1/invoices/${given.id}/lines`),
    metadata: {},
    next_payment_attempt: null,
    number: null,
    status: 'draft',
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal: total,
    subtotal_excluding_tax: total,
    total,
    total_excluding_tax: total,
    webhooks_delivered_at: null,
    ...given,
  }
}
