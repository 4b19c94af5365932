import { createHmac, timingSafeEqual } from 'node:crypto'
import { DELIVERY_HEADERS } from '../attempts/signature.ts'

type Signed = {
  headers: Record<string, unknown>
  /** Null once it is gone. */
  body: Buffer | null
  /** Undefined if it cannot be unsealed. */
  secret: string | undefined
  receivedAt: Date
}

/** Verifies a request as a receiver has to: from its headers, its body and the secret alone. */
export function verify({ headers, body, secret, receivedAt }: Signed) {
  const timestamp = String(headers[DELIVERY_HEADERS.timestamp])
  const prefix = `${timestamp}.${headers[DELIVERY_HEADERS.deliveryId]}.`
  const computed =
    body === null || secret === undefined
      ? null
      : createHmac('sha256', secret).update(prefix).update(body).digest('hex')
  return {
    computed,
    is_equal: computed !== null && isEqual(`sha256=${computed}`, String(headers[DELIVERY_HEADERS.signature])),
    age_seconds: Math.max(0, Math.floor(receivedAt.getTime() / 1000) - Number(timestamp)),
  }
}

function isEqual(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}
