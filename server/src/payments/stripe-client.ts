import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import Stripe from 'stripe'

export type StripeOptions = {
  secretKey: string
  webhookSecret: string
  /** In place of Stripe's own address: that of a double. */
  url: string | undefined
}

const TIMEOUT_MS = 20_000
const RETRIES = 1

export function createClient({ secretKey, url }: StripeOptions) {
  const double = url === undefined ? undefined : new URL(url)
  const isPlain = double?.protocol === 'http:'
  const agent = isPlain ? new HttpAgent({ keepAlive: true }) : new HttpsAgent({ keepAlive: true })
  const stripe = new Stripe(secretKey, {
    timeout: TIMEOUT_MS,
    maxNetworkRetries: RETRIES,
    telemetry: false,
    httpAgent: agent,
    ...(double && {
      host: double.hostname,
      port: double.port || (isPlain ? '80' : '443'),
      protocol: isPlain ? ('http' as const) : ('https' as const),
    }),
  })
  return { stripe, close: () => agent.destroy() }
}
