import type { Clock } from '../../../kernel/clock.ts'
import { resealColumn } from '../../../kernel/crypto/reseal.ts'
import type { Sealing } from '../../../kernel/crypto/sealing.ts'
import { afterCommit, type Pool, type Tx } from '../../../kernel/db/pool.ts'
import { AppError, notFound } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import { URL_LENGTH_MAX } from '../../../kernel/net/destination-url.ts'
import type { Destinations } from '../../../kernel/net/destinations.ts'
import { REDACTED_CHANGE } from '../../audit/changes.ts'
import type { Initiator } from '../../audit/initiator.ts'
import type { Audit } from '../../audit/service.ts'
import type { Principal } from '../../auth/principal.ts'
import type { Quotas } from '../../billing/quotas/service.ts'
import type { EventKind } from '../../events/catalog.ts'
import type { MediaUrls } from '../attempts/media-urls.ts'
import type { DeliveryFormat } from '../attempts/signature.ts'
import type { EndpointKey, WakeUps } from '../wake-ups.ts'
import { toAuditUrl } from './audit-url.ts'
import {
  type LockOpenChannels,
  lockListedChannels,
  parseChannelIds,
  refuseConflict,
  refuseUnknownChannels,
  reserveChannelIds,
  updateChannels,
} from './channel-selection.ts'
import * as channelsStore from './channels-store.ts'
import { listEndpointChanges } from './endpoint-changes.ts'
import { clearFailures } from './health-store.ts'
import { newSecret } from './new-secret.ts'
import * as pausesStore from './pauses-store.ts'
import type { CreateWebhook, Pause, PayloadMode, RotateSecret, UpdateWebhook, Webhook } from './schemas.ts'
import { PREVIOUS_SECRET, SECRET, toPreviousSecretPlace, toSecretPlace } from './secret-place.ts'
import * as store from './store.ts'

/** For the statement that reads quotas. */
export const { buildEndpointCount } = store

const DISABLE_BATCH_SIZE = 500
/** A check of a channel names at most this many paused endpoints. */
const NAMES_MAX = 10
export const SECRET_WARNING = 'Store the secret now: it cannot be shown again.'

type NewWebhook = {
  name: string
  url: string
  eventTypes: readonly EventKind[]
  payloadMode: PayloadMode
  deliveryFormat: DeliveryFormat
  mediaUrls: MediaUrls
  allChannels: boolean
  channelIds: readonly string[]
  /** Chosen by the caller, for a receiver that already has one; else the hub creates it. */
  secret?: string | undefined
}

type Dependencies = {
  sql: Pool
  now: Clock
  sealing: Sealing
  destinations: Destinations
  quotas: Quotas
  audit: Audit
  lockOpenChannels: LockOpenChannels
  wakeUps: WakeUps
  /** For how long events are kept. */
  eventDays: number
  /** Makes the worker of this process read the endpoint again before it attempts anything. */
  forgetEndpoint: (endpoint: EndpointKey) => void
}

type EndpointChange = Omit<Parameters<Audit['record']>[1], 'target'> & { id: string }

export type Endpoints = ReturnType<typeof createEndpoints>

/**
 * Webhook endpoints: where an organization's events are delivered to.
 *
 * active: gets a delivery of each event that it subscribes to. Every endpoint
 * starts as active.
 *
 * paused: by a person, or by the hub after twenty consecutive failures. New
 * events create no deliveries for it, and its queued deliveries are held.
 *
 * disabled: by a person. New events create no deliveries for it, and its queued
 * deliveries are canceled.
 *
 * A person may change any state to any other. A change to active resets the
 * failure count and resumes held deliveries. Deletion, in any state, is final.
 */
export function createEndpoints(dependencies: Dependencies) {
  const { sql, now, sealing, destinations, quotas, audit, lockOpenChannels, wakeUps, forgetEndpoint } = dependencies
  const { eventDays } = dependencies

  /** Resolves the host name, so it must run before a transaction, not inside one. */
  async function requireAllowedDestination(url: string): Promise<void> {
    const checked = await destinations.check(url)
    if (checked.ok) return
    if (checked.reason !== 'url_too_long') throw new AppError('WEBHOOK_URL_NOT_ALLOWED', checked.reason)
    throw new AppError('WEBHOOK_URL_NOT_ALLOWED', checked.reason, { parameters: { maximum: URL_LENGTH_MAX } })
  }

  async function get(organizationId: string, id: string, db: Pool | Tx = sql): Promise<Webhook> {
    const webhook = await store.findEndpoint(db, { organizationId, id })
    if (!webhook) throw notFound('webhook_not_found')
    return webhook
  }

  async function create(
    tx: Tx,
    organizationId: string,
    webhook: NewWebhook,
    initiator: Initiator,
  ): Promise<{ id: string; secret: string }> {
    await quotas.reserve(tx, organizationId, 'webhook_endpoints')
    await reserveChannelIds(tx, organizationId, webhook.channelIds.length)
    const id = newId(now())
    const secret = webhook.secret ?? newSecret()
    const sealedSecret = sealing.seal(secret, toSecretPlace(organizationId, id))
    await store.insertEndpoint(tx, { ...webhook, organizationId, id, sealedSecret })
    const details = { name: webhook.name, url: toAuditUrl(webhook.url) }
    await recordChange(tx, { organizationId, id, initiator, action: 'webhook.created', details })
    return { id, secret }
  }

  async function recordChange(tx: Tx, { id, ...change }: EndpointChange): Promise<void> {
    await audit.record(tx, { ...change, target: { type: 'webhook', id } })
    afterCommit(tx, () => forgetEndpoint({ organizationId: change.organizationId, endpointId: id }))
  }

  async function recordPause(
    tx: Tx,
    key: EndpointKey,
    { before, after, actor }: { before: Webhook; after: Webhook; actor: Initiator['actor'] },
  ): Promise<void> {
    if (before.status === after.status) return
    if (before.status === 'paused') await pausesStore.endPause(tx, key, { endedBy: actor, eventDays })
    if (after.status === 'paused') await pausesStore.beginPauses(tx, [key], { cause: 'person', actor })
  }

  function sealAsPrevious(sealed: string, organizationId: string, id: string): string | null {
    const plain = sealing.open(sealed, toSecretPlace(organizationId, id))
    return plain === undefined ? null : sealing.seal(plain, toPreviousSecretPlace(organizationId, id))
  }

  return {
    requireAllowedDestination,
    create,

    /** Newest first, from the one before `before` on. */
    async list(organizationId: string, step: { before: string | null; limit: number }): Promise<Webhook[]> {
      return store.listEndpoints(sql, { organizationId, ...step })
    },

    get: (organizationId: string, id: string) => get(organizationId, id),

    /** The newest 100 times in which the endpoint was paused. */
    async listPauses(organizationId: string, id: string): Promise<Pause[]> {
      await get(organizationId, id)
      return pausesStore.listPauses(sql, { organizationId, endpointId: id }, eventDays)
    },

    async register({ organizationId, initiator }: Principal, body: CreateWebhook) {
      const channelIds = parseChannelIds(body.channel_ids)
      refuseConflict(body.all_channels, channelIds)
      await requireAllowedDestination(body.url)
      return sql.begin(async (tx) => {
        refuseUnknownChannels(channelIds, await lockOpenChannels(tx, { organizationId, channelIds }))
        const webhook = {
          name: body.name,
          url: body.url,
          eventTypes: body.event_types,
          payloadMode: body.payload_mode,
          deliveryFormat: body.delivery_format,
          mediaUrls: body.media_urls,
          allChannels: body.all_channels,
          channelIds,
        }
        const { id, secret } = await create(tx, organizationId, webhook, initiator)
        return { webhook: await get(organizationId, id, tx), secret, warning: SECRET_WARNING }
      })
    },

    /** Omitted fields keep their values. A row lock serializes the changes of one endpoint. */
    async update({ organizationId, initiator }: Principal, id: string, body: UpdateWebhook): Promise<Webhook> {
      const key = { organizationId, id }
      if (body.url !== undefined) {
        await get(organizationId, id)
        await requireAllowedDestination(body.url)
      }
      return sql.begin(async (tx) => {
        if (body.status === 'active') await clearFailures(tx, { organizationId, endpointId: id })
        const listed = await lockListedChannels(tx, organizationId, body, lockOpenChannels)
        if (!(await store.lockEndpoint(tx, key))) throw notFound('webhook_not_found')
        const before = await get(organizationId, id, tx)
        await updateChannels(tx, key, before, body.all_channels, listed)
        await store.updateEndpoint(tx, key, body)
        const after = await get(organizationId, id, tx)
        const url = body.url !== undefined && { url: toAuditUrl(body.url) }
        const details = { ...body, ...url, changes: listEndpointChanges(before, after) }
        await recordChange(tx, { organizationId, id, initiator, action: 'webhook.updated', details })
        await recordPause(tx, { organizationId, endpointId: id }, { before, after, actor: initiator.actor })
        const isResumed = body.status === 'active' && before.status !== 'active'
        if (isResumed) wakeUps.wakeAfterCommit(tx, [{ organizationId, endpointId: id }])
        return after
      })
    },

    async delete({ organizationId, initiator }: Principal, id: string) {
      const key = { organizationId, id }
      return sql.begin(async (tx) => {
        await clearFailures(tx, { organizationId, endpointId: id })
        const deleted = await store.deleteEndpoint(tx, key)
        if (!deleted) throw notFound('webhook_not_found')
        const details = { name: deleted.name, url: toAuditUrl(deleted.url) }
        await recordChange(tx, { organizationId, id, initiator, action: 'webhook.deleted', details })
        return { deleted: true as const }
      })
    },

    /**
     * The old secret is invalid at once, or after the overlap: until then deliveries carry a signature of each. An endpoint
     * has one previous secret at most. One that no key of the ring opens cannot sign, so there is no overlap then.
     */
    async rotateSecret({ organizationId, initiator }: Principal, id: string, body: RotateSecret) {
      const { overlap_seconds: overlapSeconds = 0 } = body
      const secret = newSecret()
      const sealedSecret = sealing.seal(secret, toSecretPlace(organizationId, id))
      return sql.begin(async (tx) => {
        const replaced = await store.lockSecret(tx, { organizationId, id })
        if (replaced === undefined) throw notFound('webhook_not_found')
        const sealedPrevious = overlapSeconds > 0 ? sealAsPrevious(replaced, organizationId, id) : null
        const until = await store.replaceSecret(tx, {
          organizationId,
          id,
          sealedSecret,
          sealedPrevious,
          overlapSeconds,
        })
        const valid = until !== null && { previous_valid_until: until }
        const details = { changes: { secret: REDACTED_CHANGE }, ...valid }
        await recordChange(tx, { organizationId, id, initiator, action: 'webhook.secret_rotated', details })
        return { secret, warning: SECRET_WARNING, ...valid }
      })
    },

    /** Disables every endpoint of an organization, which cancels their open deliveries. */
    async disableAll(organizationId: string): Promise<void> {
      while ((await store.markAllDisabled(sql, { organizationId, limit: DISABLE_BATCH_SIZE })) > 0);
    },

    /** An endpoint without channels stays, and receives nothing. */
    async unlinkChannel(tx: Tx, channel: { organizationId: string; channelId: string }): Promise<void> {
      await channelsStore.unlinkChannel(tx, channel)
    },

    /** Finds the endpoints that get the events of a channel. */
    async findReceivers(channel: { organizationId: string; channelId: string }) {
      return channelsStore.findReceivers(sql, { ...channel, namesMax: NAMES_MAX })
    },

    /** Returns true if an active endpoint at this address gets the events of a channel. */
    async isReceiving(channel: { organizationId: string; channelId: string }, url: string): Promise<boolean> {
      const urls = [...new Set([url, URL.parse(url)?.href ?? url])]
      return channelsStore.existsActive(sql, { ...channel, urls })
    },

    async reseal() {
      const current = await resealColumn(sql, sealing, SECRET)
      const previous = await resealColumn(sql, sealing, PREVIOUS_SECRET)
      return {
        resealed: current.resealed + previous.resealed,
        unreadable: current.unreadable + previous.unreadable,
      }
    },
  }
}
