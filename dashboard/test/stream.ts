import type { TestContext } from 'node:test'

/** The events of the browser's window, until the test ends. */
export function openWindow(t: TestContext): EventTarget {
  const target = new EventTarget()
  const names = ['addEventListener', 'removeEventListener'] as const
  for (const name of names) Object.assign(globalThis, { [name]: target[name].bind(target) })
  t.after(() => {
    for (const name of names) Reflect.deleteProperty(globalThis, name)
  })
  return target
}

export type OpenedStream = {
  lastEventId: string | null
  write: (text: string | Uint8Array) => void
  /** Ends the stream as a hub that stops does. */
  end: () => void
  /** Ends the stream as a broken network does. */
  break: () => void
}

/** A hub that serves streams, or refuses them while `status` says so. Each request is one of `opened`. */
export function serveStreams(t: TestContext) {
  const hub = { status: 200, opened: [] as OpenedStream[] }
  t.mock.method(globalThis, 'fetch', async (_url: string, { headers, signal }: RequestInit) => {
    signal?.throwIfAborted()
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined
    const body = new ReadableStream<Uint8Array>({
      start(created) {
        controller = created
      },
    })
    const fail = (reason: unknown) => controller?.error(reason)
    signal?.addEventListener('abort', () => fail(signal.reason))
    hub.opened.push({
      lastEventId: new Headers(headers).get('last-event-id'),
      write: (text) => controller?.enqueue(typeof text === 'string' ? new TextEncoder().encode(text) : text),
      end: () => controller?.close(),
      break: () => fail(new TypeError('network error')),
    })
    return new Response(body, { status: hub.status })
  })
  return hub
}

/** Lets all that is under way go on, as far as it can without a timer. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
}
