import { AppError } from './errors.ts'

const WAIT_SECONDS = 5

export type Places = ReturnType<typeof createPlaces>

/**
 * How many of one owner's things may be under way at once in this process. What
 * takes as long as its client wants holds a connection or disk for as long, and
 * a limit on requests a second does not bound how many of those come together.
 */
export function createPlaces(max: number, what: string) {
  const taken = new Map<string, number>()

  function giveBack(owner: string): void {
    const left = (taken.get(owner) ?? 1) - 1
    if (left > 0) taken.set(owner, left)
    else taken.delete(owner)
  }

  return {
    /** Refuses where all are taken. A place is given back once, however often it is disposed of. */
    take(owner: string): Disposable {
      const count = taken.get(owner) ?? 0
      if (count >= max) {
        const message = `There may be ${max} ${what} under way at once. Try again when one has ended.`
        throw new AppError('RATE_LIMITED', message, { retryAfterSeconds: WAIT_SECONDS })
      }
      taken.set(owner, count + 1)
      let isHeld = true
      return {
        [Symbol.dispose]() {
          if (isHeld) giveBack(owner)
          isHeld = false
        },
      }
    },
  }
}
