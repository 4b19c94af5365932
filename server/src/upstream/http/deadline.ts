/** The time limit of a call, whether it waits for a connection, a response or a body. */
export type Deadline = Disposable & {
  signal: AbortSignal
  /** Restarts the wait after progress. */
  extend(): void
  /** Stops the wait until the next `extend`. */
  pause(): void
}

/**
 * Expires `ms` after the start or the last extension, and at `maxMs` in any
 * case: a peer that sends one byte at a time cannot hold a connection forever.
 */
export function startDeadline(ms: number, maxMs?: number): Deadline {
  const controller = new AbortController()
  const expire = (after: number) => controller.abort(new DOMException(`No response within ${after} ms`, 'TimeoutError'))
  const maxTimer = maxMs === undefined ? undefined : setTimeout(expire, maxMs, maxMs)
  let timer = setTimeout(expire, ms, ms)
  let isDisposed = false
  return {
    signal: controller.signal,
    extend() {
      // A chunk that arrives after the end must not leave a timer behind.
      if (isDisposed) return
      clearTimeout(timer)
      timer = setTimeout(expire, ms, ms)
    },
    pause() {
      clearTimeout(timer)
    },
    [Symbol.dispose]() {
      isDisposed = true
      clearTimeout(timer)
      clearTimeout(maxTimer)
    },
  }
}
