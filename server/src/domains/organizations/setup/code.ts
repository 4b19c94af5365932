import { createHash, randomInt, timingSafeEqual } from 'node:crypto'

/** Letters that are hard to confuse, and no digits: the log redacts what looks like a phone number. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ'
const GROUPS = 4
const GROUP_LENGTH = 5

/** A code with 91 random bits, in groups that a person can copy from a log. */
export function newSetupCode(): string {
  const group = () => Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return Array.from({ length: GROUPS }, group).join('-')
}

/** Case and spaces do not count. */
export function hashSetupCode(code: string): Buffer {
  return createHash('sha256').update(code.replace(/\s/g, '').toUpperCase()).digest()
}

/** Compares with every hash, in the same time wherever they differ. */
export function matchesSetupCode(code: string, hashes: readonly Buffer[]): boolean {
  const given = hashSetupCode(code)
  return hashes.filter((hash) => timingSafeEqual(hash, given)).length > 0
}
