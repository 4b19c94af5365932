import type { Period } from './subscription.ts'

export interface InvoiceLine {
  id: string
  object: 'line_item'
  amount: number
  currency: string
  description: string
  discount_amounts: []
  discountable: boolean
  discounts: string[]
  invoice: string
  livemode: false
  metadata: Record<string, string>
  parent: {
    invoice_item_details: null
    subscription_item_details: {
      invoice_item: string | null
      proration: boolean
      proration_details: { credited_items: { invoice: string; invoice_line_items: string[] } | null }
      subscription: string
      subscription_item: string
    }
    type: 'subscription_item_details'
  }
  period: Period
  pretax_credit_amounts: []
  pricing: {
    price_details: { price: string; product: string }
    type: 'price_details'
    unit_amount_decimal: string
  }
  quantity: number
  quantity_decimal: string
  subscription: string
  subtotal: number
  taxes: []
}

export interface NewLine {
  amount: number
  description: string
  period: Period
  price: { id: string; product: string; currency: string; unit_amount_decimal: string }
  quantity: number
  subscription: string
  subscriptionItem: string
  metadata: Record<string, string>
  /** Set for prorations, which are made of an invoice item. */
  proration?: { invoiceItem: string; credits?: { invoice: string; line: string } | undefined }
}

export function lineObject(id: string, invoice: string, line: NewLine): InvoiceLine {
  const { amount, description, period, price, quantity, subscription, metadata, proration } = line
  const credits = proration?.credits
  const credited = credits ? { invoice: credits.invoice, invoice_line_items: [credits.line] } : null
  return {
    id,
    object: 'line_item',
    amount,
    currency: price.currency,
    description,
    discount_amounts: [],
    discountable: proration === undefined,
    discounts: [],
    invoice,
    livemode: false,
    metadata,
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: proration?.invoiceItem ?? null,
        proration: proration !== undefined,
        proration_details: { credited_items: credited },
        subscription,
        subscription_item: line.subscriptionItem,
      },
      type: 'subscription_item_details',
    },
    period,
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: price.id, product: price.product },
      type: 'price_details',
      unit_amount_decimal: price.unit_amount_decimal,
    },
    quantity,
    quantity_decimal: String(quantity),
    subscription,
    subtotal: amount,
    taxes: [],
  }
}
