import { setTimeout as sleep } from 'node:timers/promises'

/** Waits for a wake-up, for the end of the request or for a time. A wake-up before the wait ends it at once. */
export function createWaiter(signal: AbortSignal) {
  let waiting = new AbortController()
  const wake = () => waiting.abort()
  signal.addEventListener('abort', wake, { once: true })
  return {
    wake,
    async wait(ms: number): Promise<void> {
      // Only a wake-up rejects.
      await sleep(ms, undefined, { signal: waiting.signal }).catch(() => undefined)
      waiting = new AbortController()
    },
  }
}
