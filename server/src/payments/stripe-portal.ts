import type Stripe from 'stripe'
import { METADATA_KEY } from './stripe-catalog.ts'

const NAME = 'Hubline'

/** The portal must not change plans and quantities: the hub checks first that the new limits cover what is in use. */
const FEATURES: Stripe.BillingPortal.ConfigurationCreateParams.Features = {
  customer_update: { enabled: true, allowed_updates: ['address', 'email', 'name', 'tax_id'] },
  invoice_history: { enabled: true },
  payment_method_update: { enabled: true },
  subscription_cancel: { enabled: true, mode: 'at_period_end' },
  subscription_update: { enabled: false },
}

/** Finds or creates the hub's portal configuration: an account's default may allow plan changes. */
export async function ensurePortal(stripe: Stripe): Promise<string> {
  const list = await stripe.billingPortal.configurations.list({ active: true, limit: 100 })
  const existing = list.data.find(({ metadata }) => metadata?.[METADATA_KEY] === 'portal')
  if (existing) return existing.id
  const created = await stripe.billingPortal.configurations.create(
    { name: NAME, features: FEATURES, metadata: { [METADATA_KEY]: 'portal' } },
    // Two processes may find it missing at the same time.
    { idempotencyKey: `${METADATA_KEY}-portal` },
  )
  return created.id
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
