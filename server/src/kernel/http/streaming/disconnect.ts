import type { FastifyReply } from 'fastify'

/** Aborted when the client has disconnected, also if it did so before the handler began. */
export function watchDisconnect({ raw }: FastifyReply): AbortSignal {
  const disconnect = new AbortController()
  if (raw.destroyed) disconnect.abort()
  else raw.once('close', () => disconnect.abort())
  return disconnect.signal
}
