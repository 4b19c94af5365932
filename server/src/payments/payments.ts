import type { Result } from './errors.ts'

/** One thing that is sold by the month. `key` is its name here and at the provider; it begins with `hubline_`. */
export type CatalogueItem = { key: string; name: string; unitAmount: number; currency: string }

export type SubscriptionItem = {
  id: string
  /** Null where the price is none of ours. */
  key: string | null
  quantity: number
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
  /** Whether an invoice of it was ever paid. */
  isPaid: boolean
  latestInvoiceId: string | null
  /** A change that waits for its invoice to be paid: what it would set, of the items that it changes. */
  pending: { invoiceId: string; items: SubscriptionItem[] } | null
}

/** All that the provider knows of a customer and that decides what the customer may use. */
export type CustomerState = { subscriptions: ProviderSubscription[]; openCheckouts: { id: string }[] }

/** Items to set: one that is named by its id changes, one that is named by its price alone is added. */
export type ItemChange = { id?: string; price?: string; quantity: number }

export type SubscriptionChange = {
  customerId: string
  subscriptionId: string
  items: ItemChange[]
  prorationDate: string
  /** Of before the change, by which the invoice of the change is told from it. */
  latestInvoiceId: string | null
}

/** In minor units; what is credited is negative. */
export type Amount = { amountDue: number; currency: string }

/** `isApplied` is false while the invoice of the change waits for its payment; `payUrl` is where a person pays it. */
export type Changed = Amount & { isApplied: boolean; payUrl: string | null }

export type PaymentCallback = { id: string; type: string; customerId: string | null }

/**
 * What the hub asks of a payment provider. Every call ends in a value. The `key`
 * of a write is the caller's: the same write under the same key is done once.
 */
export type Payments = AsyncDisposable & {
  createCustomer(customer: { organizationId: string; name: string }, key: string): Promise<Result<{ id: string }>>
  fetchCustomer(customerId: string): Promise<Result<CustomerState>>

  /** The prices that are for sale, by the keys of their items. One that is not there is not in the map. */
  findPrices(keys: readonly string[]): Promise<Result<Map<string, string>>>
  /** Makes what is missing of the catalogue and of the portal. What is there stays as it is. */
  setUp(catalogue: readonly CatalogueItem[]): Promise<Result<{ prices: Record<string, string>; portal: string }>>

  openCheckout(
    checkout: { organizationId: string; customerId: string; price: string; returnUrl: string },
    key: string,
  ): Promise<Result<{ id: string; url: string }>>
  closeCheckout(id: string): Promise<Result<unknown>>
  openPortal(portal: { customerId: string; returnUrl: string }): Promise<Result<{ url: string }>>

  preview(change: SubscriptionChange): Promise<Result<Amount>>
  /** Charges at once, and changes nothing before the charge is paid. */
  change(change: SubscriptionChange, key: string): Promise<Result<Changed>>
  /** Takes back a change that waits for the payment of this invoice. */
  withdraw(invoiceId: string): Promise<Result<unknown>>
  /** Buys with the provider's test card, which only a double and a test account take. */
  subscribeWithTestCard(purchase: { customerId: string; price: string }, key: string): Promise<Result<unknown>>

  /** A callback that the provider has signed; undefined where it has not. */
  readCallback(bytes: Buffer, signature: string): PaymentCallback | undefined
}
