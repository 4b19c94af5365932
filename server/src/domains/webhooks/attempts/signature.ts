import { createHmac } from 'node:crypto'

export type DeliveryFormat = keyof typeof FORMATS

/** What a signature is made of. `timestamp` is in seconds of the Unix epoch, as the header has it. */
export type Signed = { deliveryId: string; timestamp: number; body: Buffer; secret: string }

/** The version that a receiver reads first, and what the HMAC covers before the raw body. */
const FORMATS = {
  native: { version: 'v2', prefixOf: ({ timestamp, deliveryId }: Signed) => `${timestamp}.${deliveryId}.` },
  compat: { version: 'compat-v1', prefixOf: () => '' },
}

/** The headers by which a receiver tells that a delivery is ours. They sign the very bytes of `body`. */
export function signatureHeaders(format: DeliveryFormat, signed: Signed) {
  const { version, prefixOf } = FORMATS[format]
  const hmac = createHmac('sha256', signed.secret).update(prefixOf(signed)).update(signed.body)
  return {
    'X-Hub-Delivery-Id': signed.deliveryId,
    'X-Hub-Timestamp': String(signed.timestamp),
    'X-Hub-Signature-Version': version,
    'X-Hub-Signature-256': `sha256=${hmac.digest('hex')}`,
  }
}
