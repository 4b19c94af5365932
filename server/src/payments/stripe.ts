import type Stripe from 'stripe'
import { attempt } from './errors.ts'
import type { PaymentCallback, Payments } from './payments.ts'
import { createMissingPrices, findPrices } from './stripe-catalog.ts'
import { createClient, type StripeOptions } from './stripe-client.ts'
import { ensurePortal, openPortal } from './stripe-portal.ts'
import { change, fetchCustomer, preview } from './stripe-subscriptions.ts'

const TEST_CARD = 'pm_card_visa'

/** How old a signature may be: an event counts once and its body is not believed, so its age does no harm. */
const ANY_AGE = 0

/** Stripe, or a double of it at `url`. */
export function createStripe(options: StripeOptions): Payments {
  const { stripe, close } = createClient(options)
  return {
    createCustomer: ({ organizationId, name }, idempotencyKey) =>
      attempt(async () => {
        const metadata = { organization_id: organizationId }
        const { id } = await stripe.customers.create({ name, metadata }, { idempotencyKey })
        return { id }
      }),

    fetchCustomer: (customerId) => attempt(() => fetchCustomer(stripe, customerId)),

    findPrices: (keys) => attempt(() => findPrices(stripe, keys)),

    setUp: (catalogue) =>
      attempt(async () => ({
        prices: await createMissingPrices(stripe, catalogue),
        portal: await ensurePortal(stripe),
      })),

    openCheckout: ({ organizationId, customerId, price, returnUrl }, idempotencyKey) =>
      attempt(async () => {
        const session = await stripe.checkout.sessions.create(
          {
            mode: 'subscription',
            customer: customerId,
            client_reference_id: organizationId,
            line_items: [{ price, quantity: 1 }],
            // Only a card can be charged at once, as every later change needs it to be.
            allowed_payment_method_types: ['card'],
            subscription_data: { metadata: { organization_id: organizationId } },
            success_url: returnUrl,
            cancel_url: returnUrl,
          },
          { idempotencyKey },
        )
        return { id: session.id, url: session.url ?? '' }
      }),

    closeCheckout: (id) => attempt(() => stripe.checkout.sessions.expire(id)),

    openPortal: (portal) => attempt(() => openPortal(stripe, portal)),

    preview: (wanted) => attempt(() => preview(stripe, wanted)),

    change: (wanted, key) => attempt(() => change(stripe, wanted, key)),

    withdraw: (invoiceId) => attempt(() => stripe.invoices.voidInvoice(invoiceId)),

    subscribeWithTestCard: ({ customerId, price }, idempotencyKey) =>
      attempt(async () => {
        const card = await stripe.paymentMethods.attach(TEST_CARD, { customer: customerId })
        const purchase = { customer: customerId, items: [{ price, quantity: 1 }], default_payment_method: card.id }
        return stripe.subscriptions.create(purchase, { idempotencyKey })
      }),

    readCallback: (bytes, signature) => readCallback(stripe, bytes, signature, options.webhookSecret),

    async [Symbol.asyncDispose]() {
      close()
    },
  }
}

/** Anybody can send anything: what the provider's own reader cannot make an event of, for whatever reason, is none. */
function readCallback(stripe: Stripe, bytes: Buffer, signature: string, secret: string): PaymentCallback | undefined {
  try {
    const { id, type, data } = stripe.webhooks.constructEvent(bytes, signature, secret, ANY_AGE)
    const isEvent = [id, type].every((text) => typeof text === 'string' && /^[\w.]{1,255}$/.test(text))
    return isEvent ? { id, type, customerId: customerOf(data.object) } : undefined
  } catch {
    return undefined
  }
}

/** Whom an event is about, as far as that can be told. */
function customerOf(object: object): string | null {
  if ('object' in object && object.object === 'customer' && 'id' in object) return String(object.id)
  const customer = 'customer' in object ? object.customer : null
  if (typeof customer === 'string') return customer
  return typeof customer === 'object' && customer !== null && 'id' in customer ? String(customer.id) : null
}
