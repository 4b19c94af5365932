import type Stripe from 'stripe'
import { MARK } from './stripe-catalog.ts'

const NAME = 'Hubline'

/**
 * Card, invoices and cancellation are the portal's; plans and quantities are
 * not, since the hub has a say in those: what is in use must still fit.
 */
const FEATURES: Stripe.BillingPortal.ConfigurationCreateParams.Features = {
  customer_update: { enabled: true, allowed_updates: ['address', 'email', 'name', 'tax_id'] },
  invoice_history: { enabled: true },
  payment_method_update: { enabled: true },
  subscription_cancel: { enabled: true, mode: 'at_period_end' },
  subscription_update: { enabled: false },
}

/** The portal's configuration, which is made where it is missing: an account has no default that would fit. */
export async function ensurePortal(stripe: Stripe): Promise<string> {
  const list = await stripe.billingPortal.configurations.list({ active: true, limit: 100 })
  const own = list.data.find(({ metadata }) => metadata?.[MARK] === 'portal')
  if (own) return own.id
  const made = await stripe.billingPortal.configurations.create(
    { name: NAME, features: FEATURES, metadata: { [MARK]: 'portal' } },
    // Two may find it missing at once.
    { idempotencyKey: `${MARK}-portal` },
  )
  return made.id
}

export async function openPortal(
  stripe: Stripe,
  { customerId, returnUrl }: { customerId: string; returnUrl: string },
): Promise<{ url: string }> {
  const configuration = await ensurePortal(stripe)
  const { url } = await stripe.billingPortal.sessions.create({
    customer: customerId,
    configuration,
    return_url: returnUrl,
  })
  return { url }
}
