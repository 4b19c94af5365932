import { type LiveEvent, readStream } from './stream.ts'

/** `live` while the stream is open; `polling` once it could not be opened again. */
export type LiveState = 'connecting' | 'live' | 'reconnecting' | 'polling'

const POLL_MS = 5000
/** The waits before the stream is opened again; after the last one the pages poll. */
const RETRY_MS = [500, 1000, 2000]

/** The event of the window that ends a wait. */
export const RETRY = 'hubline-retry'

/** Reads a stream, and opens it again whenever it ends, until the signal says stop. */
export async function follow(
  url: string,
  signal: AbortSignal,
  announce: (state: LiveState, retryAt?: number) => void,
  tell: (event: LiveEvent) => void,
): Promise<void> {
  let failures = 0
  let lastId = ''
  while (!signal.aborted) {
    try {
      await readStream(url, lastId, signal, {
        onOpen() {
          // Changes before the stream may have been missed.
          tell({ kind: 'reload' })
          failures = 0
          announce('live')
        },
        onEvent(event, id) {
          lastId = id
          tell(event)
        },
      })
    } catch {
      failures += 1
    }
    if (signal.aborted) return
    const retryMs = RETRY_MS[failures]
    announce(retryMs === undefined ? 'polling' : 'reconnecting', Date.now() + (retryMs ?? POLL_MS))
    if (retryMs === undefined) tell({ kind: 'reload' })
    await wait(retryMs ?? POLL_MS, signal)
  }
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    function end(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      removeEventListener(RETRY, end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
    addEventListener(RETRY, end)
  })
}
