import type { InspectorAnswer } from './inspector-answer.ts'
import { buildSignatureHeaders, type DeliveryFormat } from './signature.ts'

/** The secret that a rotation replaced. It signs too, up to a time in milliseconds. */
export type PreviousSecret = { secret: string; validUntilMs: number }

/** The request of an attempt, and its destination. */
export type DeliveryRequest = {
  url: string
  deliveryId: string
  payload: Buffer
  secret: string
  previousSecret?: PreviousSecret | undefined
  deliveryFormat: DeliveryFormat
  /** The endpoint is an inspector: the request stays inside the hub, and there is no URL. */
  inspectorAnswer?: InspectorAnswer | null
}

export function buildUserAgent(version: string): string {
  return `Hubline/${version}`
}

export function buildRequestHeaders(request: DeliveryRequest, userAgent: string, now: Date): Record<string, string> {
  const { deliveryId, payload, secret, previousSecret, deliveryFormat } = request
  const isOverlapping = previousSecret !== undefined && now.getTime() < previousSecret.validUntilMs
  const timestamp = Math.floor(now.getTime() / 1000)
  return {
    'Content-Type': 'application/json',
    'User-Agent': userAgent,
    'Accept-Encoding': 'identity',
    ...buildSignatureHeaders(deliveryFormat, {
      deliveryId,
      timestamp,
      payload,
      secret,
      ...(isOverlapping && { previousSecret: previousSecret.secret }),
    }),
  }
}
