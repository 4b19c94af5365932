import type { Json } from '../json.ts'
import { ACCOUNT_ROUTES } from './account-routes.ts'
import type { ControlParts, ControlRoute } from './context.ts'
import { CONVERSATION_ROUTES } from './conversation-routes.ts'
import { CUSTOMER_ROUTES } from './customer-routes.ts'
import { PAYMENT_ROUTES } from './payment-routes.ts'
import { ControlError, createReader } from './reader.ts'
import { STATE_ROUTES } from './state-routes.ts'
import { WEBHOOK_ROUTES } from './webhook-routes.ts'

export const CONTROL_ROUTES: readonly ControlRoute[] = [
  ...STATE_ROUTES,
  ...ACCOUNT_ROUTES,
  ...CONVERSATION_ROUTES,
  ...CUSTOMER_ROUTES,
  ...WEBHOOK_ROUTES,
  ...PAYMENT_ROUTES,
]

export type Control = ReturnType<typeof createControl>

/** The control API: acts for customers, for Meta and for the network. */
export function createControl(parts: ControlParts) {
  return {
    parts,

    /**
     * Runs one control request. On a manual clock it returns after all webhooks
     * that the request caused have been sent.
     */
    async run(method: string, path: string, body?: Json): Promise<Json> {
      const url = new URL(path, 'http://control')
      for (const route of CONTROL_ROUTES) {
        const ids = route.method === method ? matchPath(route.path, url.pathname) : undefined
        if (!ids) continue
        const result = await route.run(parts, { ids, body: createReader(body), query: url.searchParams })
        if (method !== 'GET') await parts.graph.clock.settle()
        return result
      }
      throw new ControlError(404, `There is no ${method} ${url.pathname} in the control API`)
    },
  }
}

/** The values of the `:name` segments, or undefined if the path does not match. */
function matchPath(pattern: string, pathname: string): string[] | undefined {
  const [expected, actual] = [pattern, pathname].map((text) => text.split('/').filter(Boolean))
  if (!expected || !actual || expected.length !== actual.length) return undefined
  const isMatch = expected.every((segment, index) => segment.startsWith(':') || segment === actual[index])
  if (!isMatch) return undefined
  return actual.filter((_, index) => expected[index]?.startsWith(':')).map(decodeURIComponent)
}
