import { buildSignatureHeaders, type DeliveryFormat } from './signature.ts'

/** What an attempt sends, and where to. */
export type DeliveryRequest = {
  url: string
  deliveryId: string
  payload: Buffer
  secret: string
  deliveryFormat: DeliveryFormat
}

export function buildUserAgent(version: string): string {
  return `Hubline/${version}`
}

export function buildRequestHeaders(request: DeliveryRequest, userAgent: string, now: Date): Record<string, string> {
  const { deliveryId, payload, secret, deliveryFormat } = request
  const timestamp = Math.floor(now.getTime() / 1000)
  return {
    'Content-Type': 'application/json',
    'User-Agent': userAgent,
    'Accept-Encoding': 'identity',
    ...buildSignatureHeaders(deliveryFormat, { deliveryId, timestamp, payload, secret }),
  }
}
