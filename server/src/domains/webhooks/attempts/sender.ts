import { createSecureContext, type SecureContext } from 'node:tls'
import { type Clock, systemClock } from '../../../kernel/clock.ts'
import type { Destinations } from '../../../kernel/net/vet.ts'
import { Attempt, type AttemptSettings } from './attempt.ts'
import { createConnections } from './connections.ts'
import type { Outcome, Parcel } from './outcome.ts'
import { createTlsSessions } from './tls-sessions.ts'

const DEADLINE_MS = 10_000
const BODY_MS = 1000
const IDLE_MS = 15_000
const CONNECTIONS_PER_ORIGIN = 512
const IDLE_CONNECTIONS = 1024

/** A dead address among several must leave time for the others. */
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
  /** Certificates to trust in place of the usual roots, in tests. */
  ca?: string | string[]
}

export type Sender = ReturnType<typeof createSender>

/** Makes attempts to deliver, without a thought for what becomes of their outcomes. */
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
  let context: SecureContext | undefined
  const connections = createConnections({
    perOriginMax: connectionsPerOrigin,
    idleMax: idleConnections,
    secureContext: () => (context ??= createSecureContext(ca ? { ca } : {})),
    sessions: createTlsSessions({ now }),
    addressMs: Math.ceil(deadlineMs * ADDRESS_SHARE),
    idleMs,
  })
  const settings: AttemptSettings = { connections, userAgent: `Hubline/${version}`, now, deadlineMs, bodyMs }
  const closing = Promise.withResolvers<void>()
  let underWay = 0
  let isClosed = false

  return {
    /**
     * Whatever a receiver does is an outcome. It rejects only for what is ours: a mistake, or a process that has run
     * out of descriptors or memory; such an attempt says nothing about the receiver.
     */
    async send(parcel: Parcel): Promise<Outcome> {
      if (isClosed) throw new Error('The sender is closed')
      underWay++
      try {
        const attempt = new Attempt(parcel, settings)
        destinations
          .check(parcel.url)
          .then((checked) => attempt.proceed(checked))
          .catch((err) => attempt.fail(err))
        return await attempt.outcome
      } finally {
        underWay--
        if (isClosed && underWay === 0) closing.resolve()
      }
    },

    /** Waits for what is under way, which its deadline ends. */
    async [Symbol.asyncDispose](): Promise<void> {
      isClosed = true
      connections.close()
      if (underWay > 0) await closing.promise
    },
  }
}
