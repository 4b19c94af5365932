import { createHmac } from 'node:crypto'

/** The headers that the contract adds to every delivery. */
export const DELIVERY_HEADERS = {
  deliveryId: 'X-Hub-Delivery-Id',
  timestamp: 'X-Hub-Timestamp',
  signatureVersion: 'X-Hub-Signature-Version',
  signature: 'X-Hub-Signature-256',
} as const

/** Only during the overlap of a rotation: the signature with the secret that it replaced. */
export const PREVIOUS_SIGNATURE_HEADER = 'X-Hub-Signature-256-Previous'

export const DELIVERY_FORMATS = ['native', 'compat'] as const
export type DeliveryFormat = (typeof DELIVERY_FORMATS)[number]

/**
 * The signed content and its key; `previousSecret` is that of the second signature, if there is one. `timestamp` is in
 * seconds since the Unix epoch, as in the header.
 */
type SignatureInput = {
  deliveryId: string
  timestamp: number
  payload: Buffer
  secret: string
  previousSecret?: string | undefined
}

/** The HMAC covers this before the payload. */
const SIGNED_PREFIXES: Record<DeliveryFormat, (input: SignatureInput) => string> = {
  native: ({ timestamp, deliveryId }) => `${timestamp}.${deliveryId}.`,
  compat: () => '',
}

/** The value of `X-Hub-Signature-Version` for each format. */
export const SIGNATURE_VERSIONS = { native: 'v2', compat: 'compat-v1' } as const satisfies Record<
  DeliveryFormat,
  string
>

/** Signs the payload as bytes: it must be sent exactly as given here. */
export function buildSignatureHeaders(format: DeliveryFormat, input: SignatureInput) {
  const prefix = SIGNED_PREFIXES[format](input)
  const sign = (secret: string) =>
    `sha256=${createHmac('sha256', secret).update(prefix).update(input.payload).digest('hex')}`
  return {
    [DELIVERY_HEADERS.deliveryId]: input.deliveryId,
    [DELIVERY_HEADERS.timestamp]: String(input.timestamp),
    [DELIVERY_HEADERS.signatureVersion]: SIGNATURE_VERSIONS[format],
    [DELIVERY_HEADERS.signature]: sign(input.secret),
    ...(input.previousSecret !== undefined && { [PREVIOUS_SIGNATURE_HEADER]: sign(input.previousSecret) }),
  }
}
