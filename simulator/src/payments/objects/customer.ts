/** What a customer has that this double never fills. */
const UNUSED = {
  address: null,
  customer_account: null,
  default_source: null,
  livemode: false,
  shipping: null,
  tax_exempt: 'none',
  test_clock: null,
}

export type Customer = typeof UNUSED & {
  id: string
  object: 'customer'
  /** Below zero the customer has credit, above it they owe; it is settled by the next invoice. */
  balance: number
  created: number
  currency: string | null
  delinquent: boolean
  description: string | null
  email: string | null
  invoice_prefix: string
  invoice_settings: {
    custom_fields: null
    default_payment_method: string | null
    footer: null
    rendering_options: null
  }
  metadata: Record<string, string>
  name: string | null
  next_invoice_sequence: number
  phone: string | null
  preferred_locales: string[]
}

type Given = Pick<
  Customer,
  'id' | 'created' | 'description' | 'email' | 'invoice_prefix' | 'metadata' | 'name' | 'phone'
>

export function customerObject(given: Given): Customer {
  return {
    ...UNUSED,
    object: 'customer',
    balance: 0,
    currency: null,
    delinquent: false,
    invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
    next_invoice_sequence: 1,
    preferred_locales: [],
    ...given,
  }
}
