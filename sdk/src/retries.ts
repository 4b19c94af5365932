/** The details of a failed attempt. */
export type FailedAttempt = {
  code: string
  /** The hub's own reason for a refusal. */
  reason: string | null
  status: number | null
  /** False where the request certainly did not reach the hub. */
  isSent: boolean
  retryAfterMs: number | undefined
}

/** The effect of repeating the request. */
export type Repetition = {
  /** The same request twice has the effect of one: a GET, PUT or DELETE, or an Idempotency-Key. */
  isRepeatable: boolean
  isKeyed: boolean
}

const WAIT_MIN_MS = 500
const WAIT_MAX_MS = 8_000
/** The hub's windows are a second to an hour long. A caller does not expect a request that takes an hour. */
const RETRY_AFTER_MAX_MS = 60_000

/** The hub refused before it changed anything, so that any request may be repeated. */
const UNCHANGED = new Set(['RATE_LIMITED', 'OVERLOADED'])
/** A person has to release the hold of a hub, which takes longer than a caller waits. */
const HELD = 'held'
const TRANSIENT_STATUSES = new Set([408, 429, 500, 502, 503, 504])

/**
 * Returns the wait before the same request is made again, or undefined if it must not be. SEND_RESULT_UNKNOWN is a
 * 409 like other conflicts: the hub knows the outcome later, or never, and only a person can decide.
 */
export function decideWait(attempt: number, failed: FailedAttempt, repetition: Repetition): number | undefined {
  if (!mayRepeat(failed, repetition)) return undefined
  if (failed.retryAfterMs === undefined) return addJitter(Math.min(WAIT_MIN_MS * 2 ** (attempt - 1), WAIT_MAX_MS))
  return failed.retryAfterMs > RETRY_AFTER_MAX_MS ? undefined : failed.retryAfterMs
}

function mayRepeat({ code, reason, status, isSent }: FailedAttempt, { isRepeatable, isKeyed }: Repetition): boolean {
  if (reason === HELD) return false
  if (!isSent || UNCHANGED.has(code)) return true
  // The other request with this key is an earlier attempt of this one, whose response was lost.
  if (code === 'OPERATION_IN_PROGRESS') return isKeyed
  return isRepeatable && (status === null || status < 300 || TRANSIENT_STATUSES.has(status))
}

/** From a half to the whole of the wait, so that clients that failed together do not come back together. */
function addJitter(waitMs: number): number {
  return waitMs / 2 + (Math.random() * waitMs) / 2
}

/** `Retry-After` is a number of seconds or a date. A date is compared with the server's own clock where it tells it. */
export function parseRetryAfter(headers: Headers, now = Date.now()): number | undefined {
  const value = headers.get('retry-after')?.trim()
  if (!value) return undefined
  if (/^\d+$/.test(value)) return Number(value) * 1000
  if (!/^[A-Za-z]{3}/.test(value)) return undefined
  const [at, serverNow] = [Date.parse(value), Date.parse(headers.get('date') ?? '')]
  return Number.isNaN(at) ? undefined : Math.max(0, at - (Number.isNaN(serverNow) ? now : serverNow))
}
