export type Throttled = { call: () => void; cancel: () => void }

/**
 * Runs `waitMs` after the first of any number of calls, and never twice at a time. A call during a run leads to one more
 * run: the run may have read what the call is about before it changed.
 */
export function throttle(waitMs: number, run: () => Promise<unknown>): Throttled {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isRunning = false
  let isCalled = false

  function call(): void {
    isCalled = true
    if (!isRunning) timer ??= setTimeout(() => void start(), waitMs)
  }
  async function start(): Promise<void> {
    timer = undefined
    isCalled = false
    isRunning = true
    // A run that fails is made up for by the next call.
    await run().catch(() => undefined)
    isRunning = false
    if (isCalled) call()
  }
  function cancel(): void {
    clearTimeout(timer)
    timer = undefined
    isCalled = false
  }
  return { call, cancel }
}
