import { BoundedMap } from '../bounded-map.ts'
import type { CardBehaviour } from './cards.ts'
import type { Price, Product } from './objects/catalogue.ts'
import type { CheckoutSession, Order } from './objects/checkout-session.ts'
import type { Customer } from './objects/customer.ts'
import type { PaymentEvent } from './objects/event.ts'
import type { Invoice } from './objects/invoice.ts'
import type { NewLine } from './objects/invoice-line.ts'
import type { InvoicePayment, PaymentIntent, PaymentMethod } from './objects/payment.ts'
import type { PortalConfiguration, PortalSession } from './objects/portal.ts'
import type { Subscription } from './objects/subscription.ts'
import type { Debit } from './proration.ts'
import type { Change } from './subscriptions/change.ts'

const ENTRIES_MAX = 50_000

/** A proration that waits for the next renewal. */
export interface PendingItem {
  id: string
  customer: string
  subscription: string
  line: NewLine
}

export interface SavedAnswer {
  path: string
  fingerprint: string
  status: number
  body: string
  requestId: string
  savedAt: number
}

/** Everything the provider remembers. All of it survives a restart where a file keeps the world. */
export function createPaymentState() {
  const bounded = <V>() => new BoundedMap<V>({ entriesMax: ENTRIES_MAX })
  const maps = {
    customers: bounded<Customer>(),
    products: bounded<Product>(),
    prices: bounded<Price>(),
    paymentMethods: bounded<PaymentMethod>(),
    /** How each payment method behaves, which the provider would learn from the bank. */
    cards: bounded<CardBehaviour>(),
    paymentIntents: bounded<PaymentIntent>(),
    checkoutSessions: bounded<CheckoutSession>(),
    orders: bounded<Order>(),
    subscriptions: bounded<Subscription>(),
    /** What was charged for the current period of an item, by the item's id. */
    debits: bounded<Debit>(),
    /** What waits for the payment of an invoice, by the subscription's id. */
    pendingChanges: bounded<{ invoice: string; change: Change }>(),
    invoices: bounded<Invoice>(),
    invoicePayments: bounded<InvoicePayment>(),
    invoiceItems: bounded<PendingItem>(),
    portalConfigurations: bounded<PortalConfiguration>(),
    portalSessions: bounded<PortalSession>(),
    /** When each portal session was first opened, by its id. */
    portalVisits: bounded<number>(),
    events: bounded<PaymentEvent>(),
    answers: bounded<SavedAnswer>(),
    /** What is to happen, and at which second. */
    due: bounded<number>(),
  }
  return {
    ...maps,
    maps,
    has: (id: string) => Object.values(maps).some((map) => map.has(id)),
    clear(): void {
      for (const map of Object.values(maps)) map.clear()
    },
  }
}

export type PaymentState = ReturnType<typeof createPaymentState>
