import { createHmac } from 'node:crypto'

/** The headers that the contract adds to every delivery. */
export const DELIVERY_HEADERS = {
  deliveryId: 'X-Hub-Delivery-Id',
  timestamp: 'X-Hub-Timestamp',
  signatureVersion: 'X-Hub-Signature-Version',
  signature: 'X-Hub-Signature-256',
} as const

export const DELIVERY_FORMATS = ['native', 'compat'] as const
export type DeliveryFormat = (typeof DELIVERY_FORMATS)[number]

/** What a signature covers, and its key. `timestamp` is in seconds since the Unix epoch, as in the header. */
type SignatureInput = { deliveryId: string; timestamp: number; payload: Buffer; secret: string }

/** The value of `X-Hub-Signature-Version`, and what the HMAC covers before the payload. */
const SIGNATURE_FORMATS = {
  native: {
    version: 'v2',
    buildPrefix: ({ timestamp, deliveryId }: SignatureInput) => `${timestamp}.${deliveryId}.`,
  },
  compat: { version: 'compat-v1', buildPrefix: () => '' },
} as const satisfies Record<DeliveryFormat, object>

export const SIGNATURE_VERSIONS = Object.values(SIGNATURE_FORMATS).map(({ version }) => version)

/** Signs the payload as bytes: it must be sent exactly as given here. */
export function buildSignatureHeaders(format: DeliveryFormat, input: SignatureInput) {
  const { version, buildPrefix } = SIGNATURE_FORMATS[format]
  const hmac = createHmac('sha256', input.secret).update(buildPrefix(input)).update(input.payload)
  return {
    [DELIVERY_HEADERS.deliveryId]: input.deliveryId,
    [DELIVERY_HEADERS.timestamp]: String(input.timestamp),
    [DELIVERY_HEADERS.signatureVersion]: version,
    [DELIVERY_HEADERS.signature]: `sha256=${hmac.digest('hex')}`,
  }
}
