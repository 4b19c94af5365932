import type { Socket } from 'node:net'
import type { ConnectionSlots } from './connection-slots.ts'

/** The server ends a statement at its own timeout, and its response needs time to arrive. */
const RESPONSE_MARGIN_SHARE = 1 / 6

/**
 * Closes connections whose server is gone without a word, as after a failover or behind a firewall that forgot them.
 * TCP alone notices after a quarter of an hour, and the callers would wait as long.
 *
 * When any work of the pool has been running for longer than a statement may, each connection that received nothing in
 * that time is closed: its statement fails, and the driver opens another. An idle connection among them is no loss.
 */
export function closeSilentConnections(slots: ConnectionSlots, statementTimeoutMs: number) {
  const marginMs = statementTimeoutMs * RESPONSE_MARGIN_SHARE
  const silenceMsMax = statementTimeoutMs + marginMs
  const lastReads = new Map<Socket, { bytes: number; at: number }>()
  let isWatching = false

  function check(): void {
    isWatching = false
    const now = performance.now()
    const oldestMs = slots.findOldestMs()
    for (const [socket, last] of lastReads) {
      if (socket.destroyed) lastReads.delete(socket)
      else if (socket.bytesRead !== last.bytes) lastReads.set(socket, { bytes: socket.bytesRead, at: now })
      else if (oldestMs !== undefined && oldestMs > silenceMsMax && now - last.at > silenceMsMax) socket.destroy()
    }
    if (oldestMs !== undefined) watch()
  }

  /** Called when work begins. Checks go on until none is running. */
  function watch(): void {
    if (isWatching || statementTimeoutMs === 0) return
    isWatching = true
    setTimeout(check, marginMs).unref()
  }

  return {
    watch,
    track(socket: Socket): Socket {
      lastReads.set(socket, { bytes: socket.bytesRead, at: performance.now() })
      return socket
    },
  }
}
