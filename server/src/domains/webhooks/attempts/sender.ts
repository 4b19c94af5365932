import { createSecureContext, type SecureContext } from 'node:tls'
import { type Clock, systemClock } from '../../../kernel/clock.ts'
import type { Destinations } from '../../../kernel/net/destinations.ts'
import { Attempt, type AttemptSettings } from './attempt.ts'
import { createConnectionPool } from './connection-pool.ts'
import { buildUserAgent, type DeliveryRequest } from './delivery-request.ts'
import { inspect } from './inspector.ts'
import type { SendResult } from './send-result.ts'
import { createTlsSessions } from './tls-sessions.ts'

export const DEADLINE_MS = 10_000
const BODY_MS = 1000
const IDLE_MS = 15_000
const CONNECTIONS_PER_ORIGIN = 512
const IDLE_CONNECTIONS = 1024

/** The share of the deadline for one of several addresses, so that an address that is down leaves time for the next. */
const ADDRESS_SHARE = 0.25

export type SenderOptions = {
  destinations: Destinations
  /** The hub's, for `User-Agent`. */
  version: string
  now?: Clock
  deadlineMs?: number
  bodyMs?: number
  idleMs?: number
  connectionsPerOrigin?: number
  idleConnections?: number
  /** Replaces the system's root certificates in tests. */
  ca?: string | string[]
}

export type Sender = ReturnType<typeof createSender>

/** Makes attempts. It neither retries nor records them. */
export function createSender({
  destinations,
  version,
  now = systemClock,
  deadlineMs = DEADLINE_MS,
  bodyMs = BODY_MS,
  idleMs = IDLE_MS,
  connectionsPerOrigin = CONNECTIONS_PER_ORIGIN,
  idleConnections = IDLE_CONNECTIONS,
  ca,
}: SenderOptions) {
  let secureContext: SecureContext | undefined
  const connections = createConnectionPool({
    perOriginMax: connectionsPerOrigin,
    idleMax: idleConnections,
    getSecureContext: () => (secureContext ??= createSecureContext(ca ? { ca } : {})),
    sessions: createTlsSessions({ now }),
    addressTimeoutMs: Math.ceil(deadlineMs * ADDRESS_SHARE),
    idleMs,
  })
  const settings: AttemptSettings = { connections, userAgent: buildUserAgent(version), now, deadlineMs, bodyMs }
  const drained = Promise.withResolvers<void>()
  let inFlight = 0
  let isClosed = false

  return {
    /**
     * Resolves for any behavior of the receiver. Rejects only for a failure of this process: a bug, or no descriptors or
     * memory left. Such an attempt says nothing about the receiver.
     */
    async send(request: DeliveryRequest): Promise<SendResult> {
      if (isClosed) throw new Error('The sender is closed')
      inFlight++
      try {
        const { inspectorAnswer } = request
        if (inspectorAnswer) return await inspect(request, inspectorAnswer, settings)
        const attempt = new Attempt(request, settings)
        destinations
          .check(request.url)
          .then((vetting) => attempt.onVetted(vetting))
          .catch((err) => attempt.reject(err))
        return await attempt.result
      } finally {
        inFlight--
        if (isClosed && inFlight === 0) drained.resolve()
      }
    },

    /** Waits for the attempts in flight, which end at their deadline at the latest. */
    async [Symbol.asyncDispose](): Promise<void> {
      isClosed = true
      connections.close()
      if (inFlight > 0) await drained.promise
    },
  }
}
