import { createHash } from 'node:crypto'
import { invalidRequest } from '../../../kernel/errors.ts'
import { COMMON_PASSWORD_HASHES } from './common-passwords.gen.ts'
import { isPredictable } from './predictable-password.ts'

const HASH_BYTES = 4

let starts: Set<number> | undefined

/** Returns true for a password that guessing tries first: a frequent one, or one by a rule. Upper case does not make one of them rare. */
export function isCommonPassword(password: string): boolean {
  if (isPredictable(password)) return true
  starts ??= readStarts()
  return starts.has(createHash('sha256').update(password.normalize('NFC').toLowerCase()).digest().readUInt32BE(0))
}

/** `path` is where the password stands in the request. */
export function requireUncommonPassword(password: string, path: string): void {
  if (isCommonPassword(password)) throw invalidRequest('password_common', { path })
}

function readStarts(): Set<number> {
  const bytes = Buffer.from(COMMON_PASSWORD_HASHES, 'base64')
  const count = bytes.length / HASH_BYTES
  return new Set(Array.from({ length: count }, (_, index) => bytes.readUInt32BE(index * HASH_BYTES)))
}
