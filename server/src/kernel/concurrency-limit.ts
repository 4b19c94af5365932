import { AppError } from './errors.ts'

const WAIT_SECONDS = 5

/**
 * Limits how many operations of one owner are in flight in this process. A slow
 * client can hold a connection or disk space for a long time, and a limit on
 * requests per second does not bound how many of those run together.
 */
export function createConcurrencyLimit(max: number, what: string) {
  const inFlight = new Map<string, number>()

  function release(owner: string): void {
    const remaining = (inFlight.get(owner) ?? 1) - 1
    if (remaining > 0) inFlight.set(owner, remaining)
    else inFlight.delete(owner)
  }

  return {
    /** Throws RATE_LIMITED at the limit. Disposing of the result more than once releases only once. */
    acquire(owner: string): Disposable {
      const count = inFlight.get(owner) ?? 0
      if (count >= max) {
        const message = `At most ${max} ${what} may be in flight at once. Try again when one has ended.`
        throw new AppError('RATE_LIMITED', message, { retryAfterSeconds: WAIT_SECONDS })
      }
      inFlight.set(owner, count + 1)
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
