import type Stripe from 'stripe'
import { captureFailure } from './errors.ts'
import type { PaymentEvent, Payments } from './payments.ts'
import { createMissingPrices, fetchPrices, findPrices } from './stripe-catalog.ts'
import { createCheckoutSession, findCheckout } from './stripe-checkout.ts'
import { createStripeClient, type StripeOptions } from './stripe-client.ts'
import { createCustomer, findCustomers } from './stripe-customers.ts'
import { listInvoices } from './stripe-invoices.ts'
import { ensurePortal, openPortal } from './stripe-portal.ts'
import { changeSubscription, fetchCustomerState, previewChange } from './stripe-subscriptions.ts'

const TEST_CARD = 'pm_card_visa'

/** 0 disables the age check of signatures: each event is handled once and its body is not trusted, so an old one is harmless. */
const SIGNATURE_TOLERANCE_SECONDS = 0

/** Payments through Stripe, or through a simulator of it at `url`. */
export function createStripePayments(options: StripeOptions): Payments {
  const { stripe, close } = createStripeClient(options)
  return {
    createCustomer: (customer, idempotencyKey) =>
      captureFailure(() => createCustomer(stripe, customer, idempotencyKey)),

    findCustomers: (organizationId) => captureFailure(() => findCustomers(stripe, organizationId)),

    fetchCustomerState: (customerId) => captureFailure(() => fetchCustomerState(stripe, customerId)),

    findPrices: (lookupKeys) => captureFailure(() => findPrices(stripe, lookupKeys)),

    fetchPrices: (lookupKeys) => captureFailure(() => fetchPrices(stripe, lookupKeys)),

    listInvoices: (list) => captureFailure(() => listInvoices(stripe, options.pagesUrl ?? options.url, list)),

    createCatalog: (catalog) =>
      captureFailure(async () => ({
        prices: await createMissingPrices(stripe, catalog),
        portal: await ensurePortal(stripe),
      })),

    createCheckoutSession: (checkout, idempotencyKey) =>
      captureFailure(() => createCheckoutSession(stripe, checkout, idempotencyKey)),

    findCheckout: (id) => captureFailure(() => findCheckout(stripe, id)),

    expireCheckoutSession: (id) => captureFailure(() => stripe.checkout.sessions.expire(id)),

    openPortal: (portal) => captureFailure(() => openPortal(stripe, portal)),

    previewChange: (change) => captureFailure(() => previewChange(stripe, change)),

    changeSubscription: (change, idempotencyKey) =>
      captureFailure(() => changeSubscription(stripe, change, idempotencyKey)),

    cancelSubscription: (id) => captureFailure(() => stripe.subscriptions.cancel(id)),

    voidInvoice: (invoiceId) => captureFailure(() => stripe.invoices.voidInvoice(invoiceId)),

    subscribeWithTestCard: ({ customerId, price }, idempotencyKey) =>
      captureFailure(async () => {
        const card = await stripe.paymentMethods.attach(TEST_CARD, { customer: customerId })
        const purchase = { customer: customerId, items: [{ price, quantity: 1 }], default_payment_method: card.id }
        return stripe.subscriptions.create(purchase, { idempotencyKey })
      }),

    constructEvent: (bytes, signature) => constructEvent(stripe, bytes, signature, options.webhookSecret),

    async [Symbol.asyncDispose]() {
      close()
    },
  }
}

/** Any client can post to the callback address: undefined for every body that the SDK rejects. */
function constructEvent(stripe: Stripe, bytes: Buffer, signature: string, secret: string): PaymentEvent | undefined {
  try {
    const { id, type, data } = stripe.webhooks.constructEvent(bytes, signature, secret, SIGNATURE_TOLERANCE_SECONDS)
    const isEvent = [id, type].every((text) => typeof text === 'string' && /^[\w.]{1,255}$/.test(text))
    return isEvent ? { id, type, customerId: readCustomerId(data.object) } : undefined
  } catch {
    return undefined
  }
}

/** The customer of the event's object; null if it has none. */
function readCustomerId(object: object): string | null {
  if ('object' in object && object.object === 'customer' && 'id' in object) return String(object.id)
  const customer = 'customer' in object ? object.customer : null
  if (typeof customer === 'string') return customer
  return typeof customer === 'object' && customer !== null && 'id' in customer ? String(customer.id) : null
}
