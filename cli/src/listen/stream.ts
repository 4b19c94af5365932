import type { Hub } from '@hubline/sdk'
import { LISTENER_SECRET_HEADER } from '../generated/definitions.gen.ts'

export type DeliveryLine = {
  type: 'delivery'
  id: string
  event: string
  headers: Record<string, string>
  body: string
}
export type EndLine = { type: 'end'; reason: string; gone: boolean; message: string }
/** A line of the stream. What a newer hub may send besides is `other`. */
type ListenerLine = { type: 'heartbeat' | 'other' } | DeliveryLine | EndLine

/** The hub sends a heartbeat at least every ten seconds. Without one, the connection is dead. */
const SILENCE_MS = 30_000
/** Far more than a delivery has. A line without an end must not fill the memory. */
const LINE_LENGTH_MAX = 32 * 1024 * 1024
/** Other headers are not for a hub to set in a request from this machine. */
const DELIVERY_HEADER = /^(?:x-hub-[\w-]+|content-type|user-agent)$/i

/** The lines of a new stream, until the hub ends it. It throws if the connection breaks, is silent, or is no stream of a hub. */
export async function* readStream(
  hub: Hub,
  { id, secret }: { id: string; secret: string },
  signal: AbortSignal,
): AsyncGenerator<ListenerLine> {
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(new Error('The hub sent nothing for 30 seconds.')), SILENCE_MS)
  try {
    const response = await hub.listeners.stream(id, {
      headers: { [LISTENER_SECRET_HEADER]: secret },
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
      if (rest.length > LINE_LENGTH_MAX) throw new Error('The hub sent a line that is longer than 32 MiB.')
      for (const line of lines) if (line !== '') yield parseLine(line)
    }
  } finally {
    clearTimeout(timer)
  }
}

function parseLine(text: string): ListenerLine {
  const line = parseObject(text)
  if (line.type === 'heartbeat') return { type: 'heartbeat' }
  if (line.type === 'end') {
    return { type: 'end', reason: toText(line.reason), gone: line.gone === true, message: toText(line.message) }
  }
  if (line.type !== 'delivery') return { type: 'other' }
  const { id, event, headers, body } = line
  if (typeof id !== 'string' || typeof event !== 'string' || typeof body !== 'string') throw unreadable()
  return { type: 'delivery', id, event, headers: toHeaders(headers), body }
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {
    // The failure is the same as for another value.
  }
  throw unreadable()
}

function toHeaders(value: unknown): Record<string, string> {
  if (typeof value !== 'object' || value === null) throw unreadable()
  const headers = Object.entries(value).filter(([name]) => DELIVERY_HEADER.test(name))
  if (!headers.every(([, text]) => typeof text === 'string' && /^[\x20-\x7e]*$/.test(text))) throw unreadable()
  return Object.fromEntries(headers)
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function unreadable(): Error {
  return new Error('The hub sent a line that cannot be read.')
}
