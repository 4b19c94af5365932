import { INVOICE_ENDPOINTS } from '../billing/invoice-endpoints.ts'
import { CATALOG_ENDPOINTS } from '../catalog.ts'
import { CHECKOUT_ENDPOINTS } from '../checkout.ts'
import { CUSTOMER_ENDPOINTS } from '../customer-endpoints.ts'
import { PORTAL_ENDPOINTS } from '../portal.ts'
import { SUBSCRIPTION_ENDPOINTS } from '../subscriptions/endpoints.ts'
import type { Endpoint } from './endpoint.ts'

const ENDPOINTS: readonly Endpoint[] = [
  ...CUSTOMER_ENDPOINTS,
  ...CATALOG_ENDPOINTS,
  ...CHECKOUT_ENDPOINTS,
  ...SUBSCRIPTION_ENDPOINTS,
  ...INVOICE_ENDPOINTS,
  ...PORTAL_ENDPOINTS,
]

export function findEndpoint(method: string, pathname: string): { endpoint: Endpoint; id: string } | undefined {
  for (const endpoint of ENDPOINTS) {
    const id = endpoint.method === method ? matchPath(endpoint.path, pathname) : undefined
    if (id !== undefined) return { endpoint, id }
  }
  return undefined
}

/** The segment at `:id`, or '' for a path without one; undefined if the path is another. */
function matchPath(pattern: string, pathname: string): string | undefined {
  const [expected, actual] = [pattern.split('/'), pathname.split('/')]
  if (expected.length !== actual.length) return undefined
  const at = expected.indexOf(':id')
  const isMatch = expected.every((segment, index) => index === at || segment === actual[index])
  return isMatch ? (actual[at] ?? '') : undefined
}
