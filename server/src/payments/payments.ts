import type { PaymentResult } from './errors.ts'

/** A monthly price that the hub sells. Its lookup key at the provider begins with `hubline_`. */
export type CatalogItem = { lookupKey: string; name: string; unitAmount: number; currency: string }

export const PRICE_INTERVALS = ['day', 'week', 'month', 'year'] as const
type PriceInterval = (typeof PRICE_INTERVALS)[number]

/** A price and its interval: every `intervalCount` months, for instance. */
export type Price = {
  unitAmount: number
  currency: string
  interval: PriceInterval
  intervalCount: number
}

export type SubscriptionItem = {
  id: string
  /** The lookup key of the item in the catalog; null for a price that is not from the hub's catalog. */
  lookupKey: string | null
  quantity: number
  /** Null for a price without a fixed amount. */
  price: Price | null
}

export type ProviderSubscription = {
  id: string
  customerId: string
  status: string
  createdAt: string
  currency: string
  items: SubscriptionItem[]
  periodStart: string | null
  periodEnd: string | null
  cancelsAt: string | null
  /** True if any invoice of the subscription was ever paid. */
  hasEverPaid: boolean
  latestInvoiceId: string | null
  /** A change that takes effect when its invoice is paid: only the items that it changes. */
  pendingUpdate: { invoiceId: string; items: SubscriptionItem[] } | null
}

/** Everything at the provider that decides what a customer is entitled to. */
export type CustomerState = {
  subscriptions: ProviderSubscription[]
  openCheckouts: { id: string }[]
  /** The customer was deleted at the provider, and its subscriptions with it. */
  isDeleted: boolean
}

/** An item with an `id` is changed; an item with only a `price` is added. */
type ItemChange = { id?: string; price?: string; quantity: number }

export type SubscriptionChange = {
  customerId: string
  subscriptionId: string
  items: ItemChange[]
  prorationDate: string
  /** The latest invoice before the change: an invoice with another id is the one of the change. */
  latestInvoiceId: string | null
}

/** In minor units; a credit is negative. */
export type Amount = { amountDue: number; currency: string }

/** `isApplied` is false while the invoice of the change is unpaid; a person pays it at `payUrl`. */
export type ChangeResult = Amount & { isApplied: boolean; payUrl: string | null }

/** The statuses of a finalized invoice. A draft has no number, and its amounts may change. */
export const INVOICE_STATUSES = ['open', 'paid', 'uncollectible', 'void'] as const
/** Amounts are in minor units. */
export type ProviderInvoice = {
  id: string
  number: string | null
  status: InvoiceStatus
  total: number
  amountDue: number
  currency: string
  createdAt: string
  /** When the provider charges it next by itself; null if it does not. */
  nextAttemptAt: string | null
  /** The time that its lines charge for. */
  periodStart: string | null
  periodEnd: string | null
  /** Pages of the provider; null where it has none. */
  hostedUrl: string | null
  pdfUrl: string | null
}

export type InvoiceStatus = (typeof INVOICE_STATUSES)[number]

/** A checkout that a person has come back from. `lookupKeys` are those of what was bought. */
export type CheckoutResult = { isPaid: boolean; lookupKeys: string[]; amountTotal: number; currency: string }

export type InvoiceList = {
  customerId: string
  limit: number
  startingAfter: string | null
  status?: InvoiceStatus | undefined
}

/** `nextId` is where the next page starts; null on the last one. */
export type InvoicePage = { invoices: ProviderInvoice[]; nextId: string | null }

export type PaymentEvent = { id: string; type: string; customerId: string | null }

/**
 * The operations of a payment provider. No call throws for a failure of the provider. The provider performs
 * writes with the same idempotency key once.
 */
export type Payments = AsyncDisposable & {
  createCustomer(
    customer: { organizationId: string; name: string },
    idempotencyKey: string,
  ): Promise<PaymentResult<{ id: string }>>
  /** The ids of an organization's customers, without deleted ones. Empty where the provider has no search. */
  findCustomers(organizationId: string): Promise<PaymentResult<string[]>>
  fetchCustomerState(customerId: string): Promise<PaymentResult<CustomerState>>

  /** The ids of active prices by their lookup keys. A price that does not exist is missing from the map. */
  findPrices(lookupKeys: readonly string[]): Promise<PaymentResult<Map<string, string>>>
  /** Returns the active prices of lookup keys. A price that does not exist, or has no fixed amount, is missing. */
  fetchPrices(lookupKeys: readonly string[]): Promise<PaymentResult<Map<string, Price>>>
  /** Newest first, after the invoice `startingAfter`. */
  listInvoices(list: InvoiceList): Promise<PaymentResult<InvoicePage>>
  /** Creates the missing prices and the portal configuration. Existing ones stay unchanged. */
  createCatalog(
    catalog: readonly CatalogItem[],
  ): Promise<PaymentResult<{ prices: Record<string, string>; portal: string }>>

  createCheckoutSession(
    checkout: { organizationId: string; customerId: string; price: string; returnUrl: string },
    idempotencyKey: string,
  ): Promise<PaymentResult<{ id: string; url: string }>>
  /** Undefined if there is no such session. */
  findCheckout(id: string): Promise<PaymentResult<CheckoutResult | undefined>>
  expireCheckoutSession(id: string): Promise<PaymentResult<unknown>>
  openPortal(portal: { customerId: string; returnUrl: string }): Promise<PaymentResult<{ url: string }>>

  previewChange(change: SubscriptionChange): Promise<PaymentResult<Amount>>
  /** Charges immediately. The items change only once the invoice is paid. */
  changeSubscription(change: SubscriptionChange, idempotencyKey: string): Promise<PaymentResult<ChangeResult>>
  /** Ends a subscription at once. Nothing is refunded. */
  cancelSubscription(id: string): Promise<PaymentResult<unknown>>
  /** Voids the unpaid invoice of a pending change, and with it the change. */
  voidInvoice(invoiceId: string): Promise<PaymentResult<unknown>>
  /** Subscribes with the provider's test card, which only the simulator and test accounts accept. */
  subscribeWithTestCard(
    purchase: { customerId: string; price: string },
    idempotencyKey: string,
  ): Promise<PaymentResult<unknown>>

  /** The event in a signed request body; undefined if the signature or the body is invalid. */
  constructEvent(bytes: Buffer, signature: string): PaymentEvent | undefined
}
