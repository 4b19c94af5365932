import { createHash } from 'node:crypto'

const LENGTH_MAX = 254
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'

/** The pattern that browsers use, with a domain of at least two labels: mail to a bare host name is not delivered. */
const EMAIL = new RegExp(`^[a-z0-9.!#$%&'*+/=?^_\`{|}~-]+@${LABEL}(?:\\.${LABEL})+$`, 'i')

export function isEmail(text: string): boolean {
  return text.length <= LENGTH_MAX && EMAIL.test(text)
}

/** One spelling for one mailbox: people type capitals and spaces. */
export function normalizeEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase()
}

/** For counting attempts of a mailbox without storing its address. */
export function hashEmail(email: string): string {
  return createHash('sha256').update(normalizeEmail(email)).digest('base64url')
}
