import { randomBytes } from 'node:crypto'

export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64url')}`
}
