import type Stripe from 'stripe'
import { isMissing } from './errors.ts'
import type { CheckoutResult } from './payments.ts'
import { readLookupKey } from './stripe-catalog.ts'
import { SHORT_WAIT } from './stripe-client.ts'

/** Stripe puts the id of the session in its place. */
const SESSION_ID = '{CHECKOUT_SESSION_ID}'

type Checkout = { organizationId: string; customerId: string; price: string; returnUrl: string }

export async function createCheckoutSession(
  stripe: Stripe,
  { organizationId, customerId, price, returnUrl }: Checkout,
  idempotencyKey: string,
): Promise<{ id: string; url: string }> {
  const session = await stripe.checkout.sessions.create(
    {
      mode: 'subscription',
      customer: customerId,
      client_reference_id: organizationId,
      line_items: [{ price, quantity: 1 }],
      // Later changes are charged immediately, which only a card allows.
      allowed_payment_method_types: ['card'],
      subscription_data: { metadata: { organization_id: organizationId } },
      success_url: `${returnUrl}?checkout=${SESSION_ID}`,
      cancel_url: `${returnUrl}?checkout=canceled`,
    },
    { idempotencyKey },
  )
  return { id: session.id, url: session.url ?? '' }
}

export async function findCheckout(stripe: Stripe, id: string): Promise<CheckoutResult | undefined> {
  try {
    const expanded = { expand: ['line_items'] }
    const session = await stripe.checkout.sessions.retrieve(id, expanded, SHORT_WAIT)
    return {
      isPaid: session.status === 'complete' && session.payment_status !== 'unpaid',
      lookupKeys: (session.line_items?.data ?? []).flatMap(({ price }) => (price ? (readLookupKey(price) ?? []) : [])),
      amountTotal: session.amount_total ?? 0,
      currency: session.currency ?? '',
    }
  } catch (err) {
    if (isMissing(err, 'session') || isMissing(err, 'id')) return undefined
    throw err
  }
}
