import type { Payments } from '../context.ts'
import { lineItemsOf } from '../objects/checkout-session.ts'
import { productName } from '../wording.ts'

/** What a session sells, in the order it was given. */
export function lineItemsOfSession(payments: Payments, sessionId: string) {
  const order = payments.state.orders.get(sessionId)
  return order ? lineItemsOf(order, (price) => productName(payments, price)) : []
}
