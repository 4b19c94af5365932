import type { Pool } from '../../kernel/db/pool.ts'
import { hashEmail } from '../../kernel/email.ts'
import { toAddressKey } from '../../kernel/net/ip.ts'
import { perQuarterHour, requireWithinLimit } from '../../kernel/rate-limit/limit.ts'
import { countRequest, deleteWindow, findExhaustedWindow } from '../../kernel/rate-limit/store.ts'

const PER_PERSON_AND_ADDRESS = perQuarterHour('sign-in', 10)
const PER_ADDRESS = perQuarterHour('sign-in-address', 100)
/** High, because an attacker could use it to lock a person out. */
const PER_PERSON = perQuarterHour('sign-in-person', 200)
/** Low: only a client that knows the password gets this far, and a code has six digits. */
const CODES_PER_PERSON = perQuarterHour('sign-in-code', 5)

type Attempt = { email: string; ip: string | null }

/**
 * Counts an attempt to prove an identity with a password or a code, and refuses it over a limit. The narrowest limit comes
 * first: an attempt that it refuses does not count against the limits that other people or addresses share. An address
 * over its limit is refused before, so that it cannot fill the table with a row for each e-mail that it tries.
 */
export async function countSignInAttempt(sql: Pool, { email, ip }: Attempt): Promise<void> {
  const [person, address] = [hashEmail(email), toAddressKey(ip)]
  const exhausted = await findExhaustedWindow(sql, PER_ADDRESS, address)
  if (exhausted) requireWithinLimit(PER_ADDRESS, exhausted)
  requireWithinLimit(
    PER_PERSON_AND_ADDRESS,
    await countRequest(sql, PER_PERSON_AND_ADDRESS, buildAttemptSubject(email, ip)),
  )
  requireWithinLimit(PER_ADDRESS, await countRequest(sql, PER_ADDRESS, address))
  requireWithinLimit(PER_PERSON, await countRequest(sql, PER_PERSON, person))
}

/** A success resets the count of one person from one address. */
export async function resetSignInAttempts(sql: Pool, { email, ip }: Attempt): Promise<void> {
  await deleteWindow(sql, PER_PERSON_AND_ADDRESS, buildAttemptSubject(email, ip))
}

/** Counts a code of a second factor before it is compared, from all addresses together. */
export async function countCodeAttempt(sql: Pool, userId: string): Promise<void> {
  requireWithinLimit(CODES_PER_PERSON, await countRequest(sql, CODES_PER_PERSON, userId))
}

/** A right code resets the count: only wrong ones remain in it. */
export async function resetCodeAttempts(sql: Pool, userId: string): Promise<void> {
  await deleteWindow(sql, CODES_PER_PERSON, userId)
}

function buildAttemptSubject(email: string, ip: string | null): string {
  return `${hashEmail(email)}:${toAddressKey(ip)}`
}
