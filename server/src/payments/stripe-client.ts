import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import Stripe from 'stripe'

export type StripeOptions = {
  secretKey: string
  webhookSecret: string
  /** The address of a simulator, in place of Stripe's API. */
  url: string | undefined
  /** The base of the addresses of its pages, if that is another one. */
  pagesUrl?: string
}

const TIMEOUT_MS = 20_000
const RETRIES = 1

/** For what a person waits for on a page: a provider that is slow is shown as one that does not respond. */
export const SHORT_WAIT = { timeout: 5_000, maxNetworkRetries: 0 }

export function createStripeClient({ secretKey, url }: StripeOptions) {
  const simulator = url === undefined ? undefined : new URL(url)
  const isPlain = simulator?.protocol === 'http:'
  const agent = isPlain ? new HttpAgent({ keepAlive: true }) : new HttpsAgent({ keepAlive: true })
  const stripe = new Stripe(secretKey, {
    timeout: TIMEOUT_MS,
    maxNetworkRetries: RETRIES,
    telemetry: false,
    httpAgent: agent,
    ...(simulator && {
      host: simulator.hostname,
      port: simulator.port || (isPlain ? '80' : '443'),
      protocol: isPlain ? ('http' as const) : ('https' as const),
    }),
  })
  return { stripe, close: () => agent.destroy() }
}
