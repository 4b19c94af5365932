import type { Metadata } from '../http/params.ts'
import type { ItemTerms } from '../objects/subscription.ts'
import type { Debit } from '../proration.ts'

/** What becomes of one item: null takes it away. */
export interface ItemChange {
  id: string
  isNew: boolean
  terms: ItemTerms | null
}

/** What an update does to a subscription, complete, so that it can wait for a payment. */
export interface Change {
  items: ItemChange[]
  /** The new charges for the rest of the period, by item; an item without one keeps what it was charged. */
  debits: [itemId: string, debit: Debit | null][]
  metadata: Metadata | null | undefined
  cancelAtPeriodEnd: boolean | undefined
}
