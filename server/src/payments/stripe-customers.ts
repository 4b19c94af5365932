import Stripe from 'stripe'
import { isMissing } from './errors.ts'

const METADATA_KEY = 'organization_id'
/** More customers than an organization ever gets. */
const SEARCH_LIMIT = 20

export async function createCustomer(
  stripe: Stripe,
  { organizationId, name }: { organizationId: string; name: string },
  idempotencyKey: string,
): Promise<{ id: string }> {
  const metadata = { [METADATA_KEY]: organizationId }
  const { id } = await stripe.customers.create({ name, metadata }, { idempotencyKey })
  return { id }
}

/** Stripe refuses searches of accounts in India. */
export async function findCustomers(stripe: Stripe, organizationId: string): Promise<string[]> {
  try {
    const query = `metadata['${METADATA_KEY}']:'${organizationId}'`
    const found = await stripe.customers.search({ query, limit: SEARCH_LIMIT })
    return found.data.map(({ id }) => id)
  } catch (err) {
    if (err instanceof Stripe.errors.StripeInvalidRequestError) return []
    throw err
  }
}

/** A deleted customer can still be retrieved. A customer of another account is missing. */
export async function isDeletedCustomer(stripe: Stripe, id: string): Promise<boolean> {
  try {
    return (await stripe.customers.retrieve(id)).deleted === true
  } catch (err) {
    if (isMissing(err, 'id')) return false
    throw err
  }
}
