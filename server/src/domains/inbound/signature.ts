import { createHmac, timingSafeEqual } from 'node:crypto'

/** Returns true if the bytes are signed with the app's secret, compared in constant time. */
export function isSigned(bytes: Buffer, header: string | string[] | undefined, appSecret: string): boolean {
  const [, hex] = (typeof header === 'string' && /^sha256=([0-9a-f]{64})$/i.exec(header)) || []
  if (hex === undefined) return false
  return timingSafeEqual(Buffer.from(hex, 'hex'), createHmac('sha256', appSecret).update(bytes).digest())
}

/** Compares texts of any length in constant time. */
export function isSameText(a: string, b: string): boolean {
  const digest = (text: string) => createHmac('sha256', 'compare').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}
