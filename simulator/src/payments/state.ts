import { BoundedMap } from '../bounded-map.ts'
import type { Random } from '../random.ts'
import type * as objects from './objects.ts'

const ENTRIES_MAX = 50_000

/** The result of a charge: on a page the customer is present (`onSession`), a renewal is charged `offSession`. */
export interface CardBehavior {
  onSession: ChargeResult
  offSession: ChargeResult
}
export type ChargeResult = 'succeeds' | 'requires_action' | 'generic_decline'

/** The price and quantity of a subscription item, which may not be in effect yet. */
export interface ItemTerms {
  id: string
  price: objects.Price
  quantity: number
}

/** The amount charged for an item over a period; a later credit is a share of it. */
export interface ItemCharge {
  amount: number
  period: objects.Period
}

/** New terms with their charges for the rest of the period, which wait until the invoice is paid. */
export interface ItemChange {
  items: ItemTerms[]
  charges: [itemId: string, charge: ItemCharge][]
}

/** The response that a repeated Idempotency-Key gets. */
export interface SavedResponse {
  path: string
  fingerprint: string
  status: number
  body: string
  requestId: string
  savedAt: number
}

/** Everything that a state file keeps over a restart. */
export function createPaymentState() {
  const bounded = <V>() => new BoundedMap<V>({ entriesMax: ENTRIES_MAX })
  const maps = {
    customers: bounded<objects.Customer>(),
    /** A deleted customer can still be retrieved; every other request for it is refused. */
    deletedCustomers: bounded<objects.DeletedCustomer>(),
    products: bounded<objects.Product>(),
    prices: bounded<objects.Price>(),
    paymentMethods: bounded<objects.PaymentMethod>(),
    /** The results of charges, by payment method. */
    cards: bounded<CardBehavior>(),
    checkoutSessions: bounded<objects.CheckoutSession>(),
    /** The items that each checkout session sells, and the metadata of its subscription. */
    orders: bounded<{ items: { price: objects.Price; quantity: number }[]; metadata: Record<string, string> }>(),
    subscriptions: bounded<objects.Subscription>(),
    /** By subscription item, for its current period. */
    itemCharges: bounded<ItemCharge>(),
    /** By subscription. */
    pendingUpdates: bounded<{ invoice: string; change: ItemChange }>(),
    invoices: bounded<objects.Invoice>(),
    portalConfigurations: bounded<objects.PortalConfiguration>(),
    portalSessions: bounded<objects.PortalSession>(),
    /** When each portal session was first opened, in seconds. */
    portalOpenedAt: bounded<number>(),
    events: bounded<objects.PaymentEvent>(),
    responses: bounded<SavedResponse>(),
    /** Scheduled work as `kind:id`, with the second at which it is due. */
    due: bounded<number>(),
  }
  return {
    ...maps,
    maps,
    clear(): void {
      for (const map of Object.values(maps)) map.clear()
    },
  }
}

export type PaymentState = ReturnType<typeof createPaymentState>

export type NewId = (prefix: string) => string

/** After a restart the seed produces the ids of the restored objects again, so a used id is skipped. */
export function createIds(random: Random, { maps }: PaymentState): NewId {
  return (prefix) => {
    for (;;) {
      const id = `${prefix}_${random.text(24)}`
      if (!Object.values(maps).some((map) => map.has(id))) return id
    }
  }
}
