import { createHash, randomInt } from 'node:crypto'

/** Letters that are hard to confuse, and no digits: the log redacts what looks like a phone number. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ'

/** A code with 4.6 random bits a letter, in groups that a person can copy from a log or a mail. */
export function newLetterCode({ groups, groupLength }: { groups: number; groupLength: number }): string {
  const group = () => Array.from({ length: groupLength }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
  return Array.from({ length: groups }, group).join('-')
}

/** Case, spaces and hyphens do not count. */
export function hashLetterCode(code: string): Buffer {
  return createHash('sha256').update(code.replace(/[\s-]/g, '').toUpperCase()).digest()
}
