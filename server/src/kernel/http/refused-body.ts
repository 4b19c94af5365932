import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'

/** How much of a refused body is discarded. A client that is still sending then has had time to read the response. */
const DISCARD = { bytesMax: 16 * 1024 * 1024, timeoutMs: 2000, idleMs: 300 }

/**
 * A response that ends only after more of the request was discarded. A connection that closes with unread bytes is
 * reset, and the client, which is still sending, may then lose the response. The client has the whole response at
 * once, by its Content-Length.
 */
export function toLingeringResponse(request: IncomingMessage, text: string): Readable {
  return Readable.from(respondAndDiscard(request, text), { objectMode: false })
}

async function* respondAndDiscard(request: IncomingMessage, text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
  await discardBody(request)
}

/** An upload stays connected to its form, which ends with it. */
async function discardBody(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return
  const { promise, resolve } = Promise.withResolvers<void>()
  const timers = [DISCARD.timeoutMs, DISCARD.idleMs].map((ms) => setTimeout(resolve, ms))
  let length = 0
  const count = (chunk: Buffer) => {
    length += chunk.length
    timers[1]?.refresh()
    if (length > DISCARD.bytesMax) resolve()
  }
  request.on('data', count).once('end', resolve).once('close', resolve).resume()
  await promise
  timers.forEach(clearTimeout)
  request.off('data', count).off('end', resolve).off('close', resolve)
}
