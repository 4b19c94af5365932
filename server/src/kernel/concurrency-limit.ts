import { AppError, type Reason } from './errors.ts'

type InFlightReason = Extract<Reason<'RATE_LIMITED'>, `${string}_in_flight`>

const RETRY_SECONDS = 5

type Options = {
  /** Limit of all owners together. */
  totalMax?: number
  /** After which a refused client may try again. */
  retrySeconds?: number
}

/**
 * Limits how many operations of one owner are in flight in this process. A slow
 * client can hold a connection or disk space for a long time, and a limit on
 * requests per second does not bound how many of those run together.
 */
export function createConcurrencyLimit(max: number, reason: InFlightReason, options: Options = {}) {
  const { totalMax = Number.POSITIVE_INFINITY, retrySeconds = RETRY_SECONDS } = options
  const inFlight = new Map<string, number>()
  let total = 0

  function release(owner: string): void {
    const remaining = (inFlight.get(owner) ?? 1) - 1
    if (remaining > 0) inFlight.set(owner, remaining)
    else inFlight.delete(owner)
    total--
  }

  return {
    /** Throws RATE_LIMITED at the limit. Disposing of the result more than once releases only once. */
    acquire(owner: string): Disposable {
      const count = inFlight.get(owner) ?? 0
      if (count >= max) {
        throw new AppError('RATE_LIMITED', reason, { parameters: { limit: max }, retryAfterSeconds: retrySeconds })
      }
      if (total >= totalMax)
        throw new AppError('RATE_LIMITED', 'too_many_in_flight', { retryAfterSeconds: retrySeconds })
      inFlight.set(owner, count + 1)
      total++
      let isAcquired = true
      return {
        [Symbol.dispose]() {
          if (isAcquired) release(owner)
          isAcquired = false
        },
      }
    },
  }
}
