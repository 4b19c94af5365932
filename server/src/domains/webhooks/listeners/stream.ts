import type { Clock } from '../../../kernel/clock.ts'
import type { Pool } from '../../../kernel/db/pool.ts'
import { createWaiter } from '../../../kernel/http/streaming/waiter.ts'
import { buildRequestHeaders } from '../attempts/delivery-request.ts'
import { END_MESSAGES, type EndReason, EXPIRES_AFTER_SECONDS, GONE, type ListenerLine } from './schemas.ts'
import * as store from './store.ts'

/** The intervals at which a stream renews its listener, checks its credential, and looks for what no notification announced. */
const POLL_MS = 5000
/** Long after the last renewal: a process that is killed leaves the client 60 seconds in any case. */
const LEASE_SECONDS = EXPIRES_AFTER_SECONDS + 30
/** Deliveries whose payloads are in memory at once. */
const BATCH_SIZE = 100

type Dependencies = {
  sql: Pool
  now: Clock
  userAgent: string
  /** By event id: the payload; null if there is no room for it now. An event that has expired is missing. */
  loadPayloads: (organizationId: string, eventIds: string[]) => Promise<ReadonlyMap<string, Buffer | null>>
  unacknowledgedMax: number
}

type Attachment = {
  organizationId: string
  id: string
  attachment: string
  secret: string
  /** Returns true if the credential still has the scopes of a stream. */
  isAuthorized: () => Promise<boolean>
  /** Aborted when the client has disconnected. */
  signal: AbortSignal
}

export type Stream = {
  lines: AsyncGenerator<string>
  wake: () => void
  stop: () => void
  /** Leaves the client 60 seconds to attach again. The end of `lines` does it too, but not before their first one is read. */
  detach: () => Promise<void>
}

/**
 * Sends what a listener has not acknowledged: each delivery once in one stream, and again in the next. The rows of the
 * database are the whole state, so any process can go on where another one ended.
 */
export function createStream(dependencies: Dependencies, attached: Attachment): Stream {
  const { sql, now, userAgent, loadPayloads, unacknowledgedMax } = dependencies
  const { organizationId, secret, signal, isAuthorized } = attached
  const wakeUp = createWaiter(signal)
  let isStopping = false
  let sent = new Set<string>()

  async function* write(): AsyncGenerator<string> {
    let renewedAt = performance.now()
    yield toLine({ type: 'heartbeat' })
    while (!signal.aborted) {
      const found = isStopping ? 'stopping' : await findUnsent()
      if (!Array.isArray(found)) {
        yield toLine({ type: 'end', reason: found, gone: GONE.includes(found), message: END_MESSAGES[found] })
        return
      }
      for (let i = 0; i < found.length; i += BATCH_SIZE) yield* writeBatch(found.slice(i, i + BATCH_SIZE))
      if (performance.now() - renewedAt >= POLL_MS) {
        renewedAt = performance.now()
        await store.renew(sql, { ...attached, seconds: LEASE_SECONDS })
        yield toLine({ type: 'heartbeat' })
      }
      await wakeUp.wait(POLL_MS)
    }
  }

  /** Returns the deliveries that this stream has not sent yet, or why it ends. The credential is checked before each read, not by time. */
  async function findUnsent(): Promise<store.PendingDelivery[] | EndReason> {
    if (!(await isAuthorized())) return 'unauthorized'
    const pending = await store.listPending(sql, { ...attached, limit: unacknowledgedMax + 1 })
    if (!pending) return (await store.findEndReason(sql, attached)) ?? 'replaced'
    if (pending.length > unacknowledgedMax) {
      await store.end(sql, { ...attached, reason: 'too_many_unacknowledged', secretHash: null })
      return 'too_many_unacknowledged'
    }
    sent = new Set(pending.map(({ id }) => id).filter((id) => sent.has(id)))
    return pending.filter(({ id }) => !sent.has(id))
  }

  async function* writeBatch(deliveries: store.PendingDelivery[]): AsyncGenerator<string> {
    const payloads = await loadPayloads(
      organizationId,
      deliveries.map(({ event_id }) => event_id),
    )
    for (const delivery of deliveries) {
      const payload = payloads.get(delivery.event_id)
      if (payload) {
        sent.add(delivery.id)
        yield toDeliveryLine(delivery, payload)
      }
      // The next read finds it again.
      if (payload === null) wakeUp.wake()
    }
    const expired = deliveries.filter(({ event_id }) => !payloads.has(event_id)).map(({ id }) => id)
    if (expired.length > 0) await store.deletePending(sql, attached, expired)
  }

  function toDeliveryLine({ id, event_id, event_kind }: store.PendingDelivery, payload: Buffer): string {
    const request = { url: '', deliveryId: id, payload, secret, deliveryFormat: 'native' as const }
    const headers = buildRequestHeaders(request, userAgent, now())
    return toLine({ type: 'delivery', id, event: event_kind, event_id, headers, body: payload.toString() })
  }

  async function* writeAndDetach(): AsyncGenerator<string> {
    try {
      yield* write()
    } finally {
      await detach()
    }
  }

  function detach(): Promise<void> {
    return store.renew(sql, { ...attached, seconds: EXPIRES_AFTER_SECONDS })
  }

  return {
    lines: writeAndDetach(),
    wake: wakeUp.wake,
    stop() {
      isStopping = true
      wakeUp.wake()
    },
    detach,
  }
}

export function attachListener(sql: Pool, attached: Omit<Attachment, 'isAuthorized' | 'signal'>, secretHash: Buffer) {
  return store.attach(sql, { ...attached, secretHash, leaseSeconds: LEASE_SECONDS })
}

function toLine(line: ListenerLine): string {
  return `${JSON.stringify(line)}\n`
}
