import { type FailureReason, refusedCharge } from '../billing/failures.ts'
import type { Payments } from '../context.ts'
import { createCustomer } from '../endpoints/customers.ts'
import { invalid } from '../http/errors.ts'
import type { CheckoutSession, Order } from '../objects/checkout-session.ts'
import type { Customer } from '../objects/customer.ts'
import { attach, checkCard } from '../payment-methods.ts'
import { startSubscription } from '../subscriptions/starting.ts'

export interface Payer {
  card: string
  email: string | undefined
  name: string | undefined
}

/**
 * What the person does on the page: pays, and so begins the subscription. A
 * refused card changes nothing; the page stays open for another one.
 */
export function payCheckout(payments: Payments, session: CheckoutSession, payer: Payer): FailureReason | undefined {
  const order = payments.state.orders.get(session.id)
  if (session.status !== 'open' || !order) throw invalid(`This Checkout Session is ${session.status}.`)
  const checked = checkCard(payer.card)
  if ('refusal' in checked) return checked.refusal
  const customer = customerFor(payments, session, payer)
  const method = attach(payments, customer, checked.card)
  const { subscription, failure } = startSubscription(payments, {
    customer,
    items: order.items,
    defaultPaymentMethod: method.id,
    description: order.subscription.description,
    metadata: { ...order.subscription.metadata },
    presence: 'onSession',
    collects: true,
  })
  if (failure !== undefined) throw refusedCharge(failure)
  complete(payments, session, customer, { subscription: subscription.id, invoice: subscription.latest_invoice })
  return undefined
}

function customerFor(payments: Payments, session: CheckoutSession, payer: Payer): Customer {
  const known = payments.state.customers.get(session.customer ?? '')
  if (known) return known
  return createCustomer(payments, { email: session.customer_email ?? payer.email, name: payer.name })
}

function complete(
  payments: Payments,
  session: CheckoutSession,
  customer: Customer,
  bought: { subscription: string; invoice: string | null },
): void {
  payments.schedule.cancel('checkout', session.id)
  Object.assign(session, { ...bought, customer: customer.id, status: 'complete', payment_status: 'paid', url: null })
  session.customer_details = {
    address: null,
    business_name: null,
    email: customer.email,
    individual_name: null,
    name: customer.name,
    phone: null,
    tax_exempt: 'none',
    tax_ids: [],
  }
  payments.events.emit('checkout.session.completed', session)
}

/** Where the person goes after paying. */
export function successUrl(session: CheckoutSession): string {
  return session.success_url.replaceAll('{CHECKOUT_SESSION_ID}', session.id)
}

export function totalOf(order: Order): number {
  return order.items.reduce((sum, { price, quantity }) => sum + price.unit_amount * quantity, 0)
}
