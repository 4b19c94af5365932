import { BoundedMap } from '../bounded-map.ts'
import type { Random } from '../random.ts'
import type {
  CheckoutSession,
  Customer,
  Invoice,
  InvoiceLine,
  PaymentEvent,
  PaymentMethod,
  Period,
  PortalConfiguration,
  PortalSession,
  Price,
  Product,
  Subscription,
} from './objects.ts'

const ENTRIES_MAX = 50_000

/** The result of a charge: on a page the customer is present (`onSession`), a renewal is charged `offSession`. */
export interface CardBehavior {
  onSession: ChargeResult
  offSession: ChargeResult
}
export type ChargeResult = 'succeeds' | 'requires_action' | 'generic_decline' | 'insufficient_funds' | 'expired_card'

/** The price and quantity of a subscription item, which may not be in effect yet. */
export interface ItemTerms {
  id: string
  price: Price
  quantity: number
}

/** The amount charged for an item over a period; a later credit is a share of it. */
export interface ItemCharge {
  amount: number
  period: Period
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
    customers: bounded<Customer>(),
    products: bounded<Product>(),
    prices: bounded<Price>(),
    paymentMethods: bounded<PaymentMethod>(),
    /** By payment method. */
    cards: bounded<CardBehavior>(),
    checkoutSessions: bounded<CheckoutSession>(),
    /** What each checkout session sells, and the metadata of its subscription. */
    orders: bounded<{ items: { price: Price; quantity: number }[]; metadata: Record<string, string> }>(),
    subscriptions: bounded<Subscription>(),
    /** By subscription item, for its current period. */
    itemCharges: bounded<ItemCharge>(),
    /** By subscription. */
    pendingUpdates: bounded<{ invoice: string; change: ItemChange }>(),
    /** Prorations that the next renewal invoices, by subscription. */
    pendingLines: bounded<InvoiceLine[]>(),
    invoices: bounded<Invoice>(),
    portalConfigurations: bounded<PortalConfiguration>(),
    portalSessions: bounded<PortalSession>(),
    /** When each portal session was first opened, in seconds. */
    portalOpenedAt: bounded<number>(),
    events: bounded<PaymentEvent>(),
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

/** The prefix of each kind of id and the number of random characters after it. */
const ID_FORMATS = {
  customer: ['cus_', 14],
  product: ['prod_', 14],
  price: ['price_1', 23],
  paymentMethod: ['pm_1', 23],
  checkoutSession: ['cs_test_a1', 56],
  subscription: ['sub_1', 23],
  subscriptionItem: ['si_', 14],
  invoice: ['in_1', 23],
  preview: ['upcoming_in_1', 23],
  invoiceLine: ['il_1', 23],
  portalConfiguration: ['bpc_1', 23],
  portalSession: ['bps_1', 23],
  event: ['evt_1', 23],
  request: ['req_', 14],
} as const

export type NewId = (kind: keyof typeof ID_FORMATS) => string

/** After a restart the seed produces the ids of the restored objects again, so a used id is skipped. */
export function createIds(random: Random, { maps }: PaymentState): NewId {
  return (kind) => {
    const [prefix, length] = ID_FORMATS[kind]
    for (;;) {
      const id = `${prefix}${random.text(length)}`
      if (!Object.values(maps).some((map) => map.has(id))) return id
    }
  }
}
