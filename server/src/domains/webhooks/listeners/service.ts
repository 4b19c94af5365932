import { randomBytes, randomUUID } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import { hashToken } from '../../../kernel/crypto/tokens.ts'
import type { Pool, Tx } from '../../../kernel/db/pool.ts'
import { AppError, notFound } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Logger } from '../../../kernel/logger.ts'
import type { Audit } from '../../audit/service.ts'
import type { Principal } from '../../auth/principal.ts'
import type { Scope } from '../../auth/scopes.ts'
import type { Auth } from '../../auth/service.ts'
import { lockOrganization } from '../../organizations/service.ts'
import { buildUserAgent } from '../attempts/delivery-request.ts'
import {
  type LockOpenChannels,
  parseChannelIds,
  refuseConflict,
  refuseUnknownChannels,
} from '../endpoints/channel-selection.ts'
import { FAN_OUT_SECONDS_MAX } from '../endpoints/cleanup.ts'
import { loadPayloads } from '../engine/store.ts'
import type { PayloadCache } from '../publishing/payload-cache.ts'
import type { WakeUps } from '../wake-ups.ts'
import { createListenerNotifications } from './notifications.ts'
import { type CreateListener, EXPIRES_AFTER_SECONDS, type ListenerView, UNACKNOWLEDGED_MAX } from './schemas.ts'
import * as store from './store.ts'
import { attachListener, createStream, type Stream } from './stream.ts'

const LISTENERS_MAX = 5
/** A stream's credential must have these scopes for as long as it is open. */
const STREAM_SCOPES: readonly Scope[] = ['webhooks:write', 'messages:read']
/** Limits the payloads that one stream holds at once; a larger one is sent alone. */
const PAYLOAD_BYTES_MAX = 1024 * 1024
const DELETE_BATCH_SIZE = 10_000

type Dependencies = {
  sql: Pool
  now: Clock
  logger: Logger
  auth: Pick<Auth, 'hasScopes'>
  audit: Audit
  lockOpenChannels: LockOpenChannels
  payloads: PayloadCache
  listenerWakeUps: WakeUps<string>
  publicUrl: string
  version: string
}

export type Listeners = ReturnType<typeof createListeners>

/**
 * Listeners: streams of deliveries to a developer's machine, instead of requests to an endpoint.
 *
 * A listener is live from its creation on, with or without a stream. It gets a delivery of each event that it receives,
 * and a delivery stays until it is acknowledged. A stream sends every delivery that is there, so that a client which
 * attaches again gets what it has not acknowledged.
 *
 * A live listener ends when it is deleted, when it has no stream for 60 seconds, or when more than 1,000 deliveries are
 * not acknowledged. That is final. One stream is attached to a listener: a newer one replaces it, in any process.
 */
export function createListeners(dependencies: Dependencies) {
  const { sql, now, logger, auth, audit, lockOpenChannels, payloads, listenerWakeUps, publicUrl, version } =
    dependencies
  const streams = new Map<Stream, string>()
  let isStopping = false
  const notifications = createListenerNotifications({ sql, logger, onNotification: wakeStreams })
  const streamDependencies = {
    sql,
    now,
    userAgent: buildUserAgent(version),
    loadPayloads: readPayloads,
    unacknowledgedMax: UNACKNOWLEDGED_MAX,
  }

  listenerWakeUps.listen((listenerIds) => {
    wakeStreams(listenerIds)
    notifications.notify(listenerIds)
  })

  function wakeStreams(listenerIds: string[]): void {
    for (const [stream, listenerId] of streams) if (listenerIds.includes(listenerId)) stream.wake()
  }

  async function readPayloads(organizationId: string, eventIds: string[]): Promise<ReadonlyMap<string, Buffer | null>> {
    const missing = eventIds.filter((id) => !payloads.get(id)).map((id) => ({ organizationId, id }))
    const loaded = missing.length === 0 ? [] : await loadPayloads(sql, missing, PAYLOAD_BYTES_MAX)
    const cached = eventIds.flatMap((id): [string, Buffer][] => {
      const payload = payloads.get(id)
      return payload ? [[id, payload.body]] : []
    })
    return new Map<string, Buffer | null>([...cached, ...loaded.map(({ id, body }) => [id, body] as const)])
  }

  /** Throws unless the organization may have one more. Other creations wait until the caller's transaction ends. */
  async function reserve(tx: Tx, organizationId: string): Promise<void> {
    await lockOrganization(tx, organizationId)
    const used = await store.countListeners(tx, organizationId)
    if (used < LISTENERS_MAX) return
    throw new AppError('QUOTA_EXCEEDED', 'listeners_of_organization', {
      parameters: { limit: LISTENERS_MAX },
      details: { quota: 'listeners', limit: LISTENERS_MAX, used },
    })
  }

  return {
    async create({ organizationId, initiator }: Principal, body: CreateListener) {
      const channelIds = parseChannelIds(body.channel_ids)
      refuseConflict(body.all_channels, channelIds)
      const id = newId(now())
      const secret = body.secret ?? `whsec_${randomBytes(32).toString('base64url')}`
      await sql.begin(async (tx) => {
        await reserve(tx, organizationId)
        refuseUnknownChannels(channelIds, await lockOpenChannels(tx, { organizationId, channelIds }))
        await store.insertListener(tx, {
          organizationId,
          id,
          secretHash: hashToken(secret),
          eventTypes: body.event_types,
          payloadMode: body.payload_mode,
          channelIds: body.all_channels ? null : channelIds,
          lifeSeconds: EXPIRES_AFTER_SECONDS,
        })
        await audit.record(tx, { organizationId, initiator, action: 'listener.created', ...toTarget(id) })
      })
      return {
        listener: { id, expires_after_seconds: EXPIRES_AFTER_SECONDS },
        secret,
        stream_url: `${publicUrl}/api/v1/listeners/${id}/stream`,
      }
    },

    async list(organizationId: string): Promise<ListenerView[]> {
      const listeners = await store.listLive(sql, organizationId)
      return listeners.map(({ event_types: events, channel_ids, ...listener }) => ({
        ...listener,
        events,
        all_channels: channel_ids === null,
        channel_ids: channel_ids ?? [],
      }))
    },

    /** The lines of a new stream, which replaces the one that is attached. `signal` is aborted at the client's disconnect. */
    async attach(
      principal: Principal,
      id: string,
      secret: string,
      signal: AbortSignal,
    ): Promise<AsyncIterable<string>> {
      const attached = { organizationId: principal.organizationId, id, attachment: randomUUID(), secret }
      if (!(await attachListener(sql, attached, hashToken(secret)))) throw notFound('listener_not_found')
      notifications.listen()
      const isAuthorized = () => auth.hasScopes(principal, STREAM_SCOPES)
      const stream = createStream(streamDependencies, { ...attached, isAuthorized, signal })
      if (signal.aborted) {
        // The client left during the statement, and nothing reads the lines.
        await stream.detach()
        return stream.lines
      }
      streams.set(stream, id)
      if (isStopping) stream.stop()
      signal.addEventListener('abort', () => streams.delete(stream), { once: true })
      return stream.lines
    },

    async acknowledge({ organizationId }: Principal, id: string, secret: string, deliveryIds: readonly string[]) {
      const key = { organizationId, id, secretHash: hashToken(secret) }
      const acknowledged = await store.acknowledge(sql, { ...key, deliveryIds })
      if (acknowledged === undefined) throw notFound('listener_not_found')
      return { acknowledged }
    },

    async delete({ organizationId, initiator }: Principal, id: string, secret: string) {
      const ended = { organizationId, id, reason: 'deleted' as const, secretHash: hashToken(secret) }
      await sql.begin(async (tx) => {
        if (!(await store.end(tx, ended))) throw notFound('listener_not_found')
        await audit.record(tx, { organizationId, initiator, action: 'listener.deleted', ...toTarget(id) })
        listenerWakeUps.wakeAfterCommit(tx, [id])
      })
      return { deleted: true as const }
    },

    /** Ends every listener of an organization, in any process. */
    async endAll(organizationId: string): Promise<void> {
      await sql.begin(async (tx) => {
        const ended = await store.endOfOrganization(tx, { organizationId, reason: 'deleted' })
        if (ended.length > 0) listenerWakeUps.wakeAfterCommit(tx, ended)
      })
    },

    countStreams: () => streams.size,

    /** Ends the streams of this process, with a last line. Their listeners live on for 60 seconds. */
    endStreams(): void {
      isStopping = true
      for (const stream of streams.keys()) stream.stop()
    },

    async clearEnded(): Promise<void> {
      await store.endExpired(sql)
      while ((await store.deleteOfEnded(sql, DELETE_BATCH_SIZE)) === DELETE_BATCH_SIZE);
      await store.deleteEnded(sql, FAN_OUT_SECONDS_MAX)
    },

    [Symbol.asyncDispose]: () => notifications.stop(),
  }
}

function toTarget(id: string) {
  return { target: { type: 'listener', id } }
}
