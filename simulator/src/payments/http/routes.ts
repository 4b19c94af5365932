import { CHECKOUT_ENDPOINTS } from '../endpoints/checkout.ts'
import { CUSTOMER_ENDPOINTS } from '../endpoints/customers.ts'
import { EVENT_ENDPOINTS } from '../endpoints/events.ts'
import { INVOICE_ENDPOINTS } from '../endpoints/invoices.ts'
import { PAYMENT_METHOD_ENDPOINTS } from '../endpoints/payment-methods.ts'
import { PORTAL_CONFIGURATION_ENDPOINTS } from '../endpoints/portal-configurations.ts'
import { PORTAL_SESSION_ENDPOINTS } from '../endpoints/portal-sessions.ts'
import { PREVIEW_ENDPOINTS } from '../endpoints/previews.ts'
import { PRICE_ENDPOINTS } from '../endpoints/prices.ts'
import { PRODUCT_ENDPOINTS } from '../endpoints/products.ts'
import { SUBSCRIPTION_ITEM_ENDPOINTS } from '../endpoints/subscription-items.ts'
import { SUBSCRIPTION_ENDPOINTS } from '../endpoints/subscriptions.ts'
import type { Endpoint } from './endpoint.ts'

/** The whole API. A path with a fixed word comes before one in which anything may stand there. */
export const ENDPOINTS: readonly Endpoint[] = [
  ...CUSTOMER_ENDPOINTS,
  ...PRODUCT_ENDPOINTS,
  ...PRICE_ENDPOINTS,
  ...CHECKOUT_ENDPOINTS,
  ...SUBSCRIPTION_ENDPOINTS,
  ...SUBSCRIPTION_ITEM_ENDPOINTS,
  ...PREVIEW_ENDPOINTS,
  ...INVOICE_ENDPOINTS,
  ...PAYMENT_METHOD_ENDPOINTS,
  ...PORTAL_CONFIGURATION_ENDPOINTS,
  ...PORTAL_SESSION_ENDPOINTS,
  ...EVENT_ENDPOINTS,
]

export function endpointAt(method: string, pathname: string): { endpoint: Endpoint; id: string } | undefined {
  for (const endpoint of ENDPOINTS) {
    const id = endpoint.method === method ? idIn(endpoint.path, pathname) : undefined
    if (id !== undefined) return { endpoint, id }
  }
  return undefined
}

/** The open part of a path, empty where it has none; undefined when it is another path. */
function idIn(pattern: string, pathname: string): string | undefined {
  const [expected, given] = [pattern, pathname].map((path) => path.split('/').filter(Boolean))
  if (!expected || !given || expected.length !== given.length) return undefined
  const open = expected.findIndex((segment) => segment.startsWith(':'))
  const isMatch = expected.every((segment, index) => index === open || segment === given[index])
  if (!isMatch) return undefined
  return open < 0 ? '' : decoded(given[open] ?? '')
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    // A broken escape names no object, and is refused as such.
    return segment
  }
}
