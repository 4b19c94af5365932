import { createHmac } from 'node:crypto'
import type { Received } from '../../../../test/receiver.ts'

/**
 * Whether a request is signed with a secret, as a receiver tells by the contract
 * alone: it reads the version, and computes the HMAC of the content this names.
 */
export function isSignedWith({ headers, body }: Received, secret: string): boolean {
  const isNative = headers['x-hub-signature-version'] === 'v2'
  const prefix = isNative ? `${headers['x-hub-timestamp']}.${headers['x-hub-delivery-id']}.` : ''
  const content = Buffer.concat([Buffer.from(prefix), body])
  const hex = createHmac('sha256', Buffer.from(secret)).update(content).digest('hex')
  return headers['x-hub-signature-256'] === `sha256=${hex}`
}
