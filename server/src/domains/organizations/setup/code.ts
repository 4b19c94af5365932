import { timingSafeEqual } from 'node:crypto'
import { newLetterCode } from '../../../kernel/crypto/letter-code.ts'

/** A code with 91 random bits. */
export function newSetupCode(): string {
  return newLetterCode({ groups: 4, groupLength: 5 })
}

/** Compares with every hash, in the same time wherever they differ. */
export function matchesSetupCode(given: Buffer, hashes: readonly Buffer[]): boolean {
  return hashes.filter((hash) => timingSafeEqual(hash, given)).length > 0
}
