/** The longest time that a timer of JavaScript can wait; a longer one would be over at once. */
const TIMER_MAX_MS = 2 ** 31 - 1

/** Ends a request when its time is over or its caller aborts it. */
export type Deadline = {
  signal: AbortSignal
  isOver: () => boolean
  /** The response has begun: only the caller's signal counts from now on. */
  stopClock: () => void
  /** Forgets the caller's signal, which may live for much longer than the request. */
  end: () => void
}

export function startDeadline(timeoutMs: number, callersSignal: AbortSignal | undefined): Deadline {
  const controller = new AbortController()
  let isOver = false
  function endTime(): void {
    isOver = true
    controller.abort()
  }
  const timer = timeoutMs > TIMER_MAX_MS ? undefined : setTimeout(endTime, timeoutMs)
  const abort = () => controller.abort(callersSignal?.reason)
  callersSignal?.addEventListener('abort', abort)
  return {
    signal: controller.signal,
    isOver: () => isOver,
    stopClock: () => clearTimeout(timer),
    end() {
      clearTimeout(timer)
      callersSignal?.removeEventListener('abort', abort)
    },
  }
}

/** Resolves after a time, or rejects as soon as the caller aborts. */
export async function wait(waitMs: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  let abort = () => {}
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    await new Promise<void>((resolve, reject) => {
      abort = () => reject(signal?.reason)
      timer = setTimeout(resolve, waitMs)
      signal?.addEventListener('abort', abort)
    })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}
