import { createHmac } from 'node:crypto'
import type { Received } from '../../../../test/receiver.ts'

/** Verifies a signature as a receiver does by the contract: the version decides what the HMAC covers. */
export function isSignedWith({ headers, body }: Received, secret: string): boolean {
  const isNative = headers['x-hub-signature-version'] === 'v2'
  const prefix = isNative ? `${headers['x-hub-timestamp']}.${headers['x-hub-delivery-id']}.` : ''
  const content = Buffer.concat([Buffer.from(prefix), body])
  const hex = createHmac('sha256', Buffer.from(secret)).update(content).digest('hex')
  return headers['x-hub-signature-256'] === `sha256=${hex}`
}
