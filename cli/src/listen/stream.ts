import type { Hub } from '@hubline/sdk'

/** A line of the stream. A delivery has the second group of members, the end the third. */
export type ListenerLine = {
  type: 'heartbeat' | 'delivery' | 'end'
  id?: string
  event?: string
  headers?: Record<string, string>
  body?: string
  reason?: string
  gone?: boolean
  message?: string
}

/** The hub sends a heartbeat at least every ten seconds. Without one, the connection is dead. */
const SILENCE_MS = 30_000

export const SECRET_HEADER = 'x-hub-listener-secret'

/** The lines of a new stream, until the hub ends it. A connection that breaks, or that is silent for long, throws. */
export async function* readStream(
  hub: Hub,
  { id, secret }: { id: string; secret: string },
  signal: AbortSignal,
): AsyncGenerator<ListenerLine> {
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(new Error('The hub sent nothing for 30 seconds.')), SILENCE_MS)
  try {
    const response = await hub.listeners.stream(id, {
      headers: { [SECRET_HEADER]: secret },
      signal: AbortSignal.any([signal, silence.signal]),
      timeoutMs: SILENCE_MS,
      retries: 0,
    })
    if (!response.body) return
    const decoder = new TextDecoder()
    let rest = ''
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      timer.refresh()
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line !== '') yield JSON.parse(line)
    }
  } finally {
    clearTimeout(timer)
  }
}
