import { createHmac } from 'node:crypto'

/** How the signature of a post is spoilt; `none` leaves it as it is. */
export const CORRUPTIONS = ['none', 'signature', 'body', 'timestamp', 'header'] as const
export type Corruption = (typeof CORRUPTIONS)[number]

/** Receivers accept a signature for five minutes. */
const STALE_SECONDS = 600

export interface SignedPost {
  body: string
  headers: Record<string, string>
}

/** Signs a body as the provider does, or in one of the ways that a receiver must refuse. */
export function signedPost(body: string, secret: string, signedAt: number, corruption: Corruption): SignedPost {
  const t = corruption === 'timestamp' ? signedAt - STALE_SECONDS : signedAt
  const v1 = hmac(corruption === 'signature' ? `${secret} but wrong` : secret, `${t}.${body}`)
  // Test mode adds a signature of a scheme that nobody can check: it is there to be ignored.
  const v0 = hmac(`${secret} v0`, `${t}.${body}`)
  return {
    body: corruption === 'body' ? body.replace('"object"', '"objekt"') : body,
    headers: corruption === 'header' ? {} : { 'stripe-signature': `t=${t},v1=${v1},v0=${v0}` },
  }
}

function hmac(secret: string, content: string): string {
  return createHmac('sha256', secret).update(content).digest('hex')
}
