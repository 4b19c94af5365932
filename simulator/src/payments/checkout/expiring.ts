import type { Payments } from '../context.ts'
import type { CheckoutSession } from '../objects/checkout-session.ts'

export function expireSession({ events, schedule }: Payments, session: CheckoutSession): void {
  schedule.cancel('checkout', session.id)
  session.status = 'expired'
  session.url = null
  events.emit('checkout.session.expired', session)
}
