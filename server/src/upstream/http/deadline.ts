/** One moment after which a call is over, whatever it is waiting for. */
export type Deadline = Disposable & {
  signal: AbortSignal
  /** Starts the wait anew, because something moved. */
  extend(): void
  /** Stops the wait while nobody is waiting. */
  rest(): void
}

/**
 * Ends `ms` after the start or the last extension, and at `ceilingMs` in any
 * case, so that a peer who lets one byte through at a time cannot hold a
 * connection for ever.
 */
export function startDeadline(ms: number, ceilingMs?: number): Deadline {
  const controller = new AbortController()
  const expire = (after: number) => controller.abort(new DOMException(`No answer within ${after} ms`, 'TimeoutError'))
  const ceiling = ceilingMs === undefined ? undefined : setTimeout(expire, ceilingMs, ceilingMs)
  let timer = setTimeout(expire, ms, ms)
  let isOver = false
  return {
    signal: controller.signal,
    extend() {
      // A chunk that arrives after the end must not leave a timer behind.
      if (isOver) return
      clearTimeout(timer)
      timer = setTimeout(expire, ms, ms)
    },
    rest() {
      clearTimeout(timer)
    },
    [Symbol.dispose]() {
      isOver = true
      clearTimeout(timer)
      clearTimeout(ceiling)
    },
  }
}
