import { createHash } from 'node:crypto'
import type { Pool } from '../../kernel/db/pool.ts'
import { normalizeEmail } from '../../kernel/email.ts'
import { type Limit, requireWithinLimit } from '../../kernel/rate-limit/limit.ts'
import { countRequest, deleteWindow } from '../../kernel/rate-limit/store.ts'

const WINDOW_SECONDS = 15 * 60
const PER_PERSON_AND_ADDRESS: Limit = { bucket: 'sign-in', requests: 10, windowSeconds: WINDOW_SECONDS }
const PER_ADDRESS: Limit = { bucket: 'sign-in-address', requests: 100, windowSeconds: WINDOW_SECONDS }
/** High, because an attacker could use it to lock a person out. */
const PER_PERSON: Limit = { bucket: 'sign-in-person', requests: 200, windowSeconds: WINDOW_SECONDS }

/**
 * Counts an attempt to prove an identity with a password or a code, and refuses it over a limit. The narrowest limit comes
 * first: an attempt that it refuses does not count against the limits that other people or addresses share.
 */
export async function countSignInAttempt(
  sql: Pool,
  { email, ip }: { email: string; ip: string | null },
): Promise<void> {
  const person = hashEmail(email)
  requireWithinLimit(PER_PERSON_AND_ADDRESS, await countRequest(sql, PER_PERSON_AND_ADDRESS, `${person}:${ip ?? ''}`))
  requireWithinLimit(PER_ADDRESS, await countRequest(sql, PER_ADDRESS, ip ?? ''))
  requireWithinLimit(PER_PERSON, await countRequest(sql, PER_PERSON, person))
}

/** A success resets the count of one person from one address. */
export async function resetSignInAttempts(
  sql: Pool,
  { email, ip }: { email: string; ip: string | null },
): Promise<void> {
  await deleteWindow(sql, PER_PERSON_AND_ADDRESS, `${hashEmail(email)}:${ip ?? ''}`)
}

function hashEmail(email: string): string {
  return createHash('sha256').update(normalizeEmail(email)).digest('base64url')
}
