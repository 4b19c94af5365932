import { randomBytes } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import { resealColumn } from '../../../kernel/crypto/reseal.ts'
import type { Sealing } from '../../../kernel/crypto/sealing.ts'
import type { Pool, Tx } from '../../../kernel/db/pool.ts'
import { AppError, type Issue, invalidRequest, notFound } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Destinations } from '../../../kernel/net/vet.ts'
import type { Act } from '../../audit/act.ts'
import type { Audit } from '../../audit/service.ts'
import type { Principal } from '../../auth/principal.ts'
import type { Billing } from '../../billing/service.ts'
import type { EventKind } from '../../events/catalogue.ts'
import type { WakeUps } from '../wake-ups.ts'
import { auditedUrl } from './audited-url.ts'
import { contradictionIn } from './channel-choice.ts'
import * as links from './channels-store.ts'
import type { CreateWebhook, DeliveryFormat, PayloadMode, UpdateWebhook, Webhook } from './schemas.ts'
import { SECRET, secretPlace } from './secret-place.ts'
import * as secrets from './secrets-store.ts'
import * as store from './store.ts'

export const SECRET_WARNING = 'Store the secret now: it cannot be shown again.'

export type EndpointPlan = {
  name: string
  url: string
  eventTypes: readonly EventKind[]
  payloadMode: PayloadMode
  deliveryFormat: DeliveryFormat
  allChannels: boolean
  channelIds: readonly string[]
  /** The receiver's own choice; otherwise one is made. */
  secret?: string | undefined
}

type Dependencies = {
  sql: Pool
  now: Clock
  sealing: Sealing
  destinations: Destinations
  billing: Billing
  audit: Audit
  wakeUps: WakeUps
}

export type Endpoints = ReturnType<typeof createEndpoints>

/**
 * Where an organization's events are delivered to.
 *
 * active: gets a delivery of each event that it wants. Every endpoint begins so.
 *
 * paused: by a person, or by the hub after twenty failures in a row. Events make
 * no deliveries for it, and those under way wait.
 *
 * disabled: by a person. Events make no deliveries for it, and those under way
 * are canceled.
 *
 * A person may lead it from any state to any other; leading it to active clears
 * the failures and lets what waited go on. Deleting it, in any state, is for good.
 */
export function createEndpoints({ sql, now, sealing, destinations, billing, audit, wakeUps }: Dependencies) {
  /** Resolves the name, so it runs before any transaction and not inside one. */
  async function refuseDestination(url: string): Promise<void> {
    const checked = await destinations.check(url)
    if (!checked.ok) throw new AppError('WEBHOOK_URL_NOT_ALLOWED', checked.reason)
  }

  async function get(organizationId: string, id: string, within: Pool | Tx = sql): Promise<Webhook> {
    const webhook = await store.findEndpoint(within, { organizationId, id })
    if (!webhook) throw notFound('Webhook')
    return webhook
  }

  async function create(
    tx: Tx,
    organizationId: string,
    plan: EndpointPlan,
    act: Act,
  ): Promise<{ id: string; secret: string }> {
    await billing.reserve(tx, organizationId, 'webhook_endpoints')
    const id = newId(now())
    const secret = plan.secret ?? newSecret()
    const sealedSecret = sealing.seal(secret, secretPlace(organizationId, id))
    await store.insertEndpoint(tx, { ...plan, organizationId, id, sealedSecret })
    const details = { name: plan.name, url: auditedUrl(plan.url) }
    await audit.record(tx, { organizationId, act, action: 'webhook.created', ...target(id), details })
    return { id, secret }
  }

  /** Foreign, archived and absent channels are refused alike. */
  async function refuseUnknownChannels(tx: Tx, organizationId: string, channelIds: readonly string[]): Promise<void> {
    const open = new Set(await links.lockOpenChannels(tx, { organizationId, channelIds }))
    const issues = channelIds.flatMap((id, index) =>
      open.has(id) ? [] : [{ path: `/channel_ids/${index}`, message: 'is not a channel of this organization' }],
    )
    if (issues.length > 0) throw invalidWebhook('channel_ids names a channel that does not exist.', issues)
  }

  /**
   * The rule is about what results, and is asked only of who names either field:
   * an endpoint whose channels were all deleted can still be changed otherwise.
   */
  async function changeChannels(
    tx: Tx,
    key: { organizationId: string; id: string },
    before: { all_channels: boolean },
    body: UpdateWebhook,
  ): Promise<void> {
    if (body.all_channels === undefined && body.channel_ids === undefined) return
    const named = body.channel_ids && spelled(body.channel_ids)
    refuseContradiction(body.all_channels ?? before.all_channels, named ?? (await links.listChannelIds(tx, key)))
    if (!named) return
    await refuseUnknownChannels(tx, key.organizationId, named)
    await links.replaceChannels(tx, key, named)
  }

  return {
    refuseDestination,
    create,

    async list(organizationId: string): Promise<Webhook[]> {
      return store.listEndpoints(sql, organizationId)
    },

    get: (organizationId: string, id: string) => get(organizationId, id),

    async register({ organizationId, act }: Principal, body: CreateWebhook) {
      const channelIds = spelled(body.channel_ids)
      refuseContradiction(body.all_channels, channelIds)
      await refuseDestination(body.url)
      return sql.begin(async (tx) => {
        await refuseUnknownChannels(tx, organizationId, channelIds)
        const plan = {
          name: body.name,
          url: body.url,
          eventTypes: body.event_types,
          payloadMode: body.payload_mode,
          deliveryFormat: body.delivery_format,
          allChannels: body.all_channels,
          channelIds,
        }
        const { id, secret } = await create(tx, organizationId, plan, act)
        return { webhook: await get(organizationId, id, tx), secret, warning: SECRET_WARNING }
      })
    },

    /** What is left out keeps its value. Changes of one endpoint come one after the other, each upon the one before. */
    async update({ organizationId, act }: Principal, id: string, body: UpdateWebhook): Promise<Webhook> {
      const key = { organizationId, id }
      if (body.url !== undefined) {
        await get(organizationId, id)
        await refuseDestination(body.url)
      }
      return sql.begin(async (tx) => {
        if (body.status === 'active') await store.clearFailures(tx, key)
        const before = await store.lockEndpoint(tx, key)
        if (!before) throw notFound('Webhook')
        await changeChannels(tx, key, before, body)
        await store.updateEndpoint(tx, key, body)
        const details = { ...body, ...(body.url !== undefined && { url: auditedUrl(body.url) }) }
        await audit.record(tx, { organizationId, act, action: 'webhook.updated', ...target(id), details })
        const isResumed = body.status === 'active' && before.status !== 'active'
        if (isResumed) wakeUps.whenCommitted(tx, [{ organizationId, endpointId: id }])
        return get(organizationId, id, tx)
      })
    },

    async delete({ organizationId, act }: Principal, id: string) {
      const key = { organizationId, id }
      return sql.begin(async (tx) => {
        await store.clearFailures(tx, key)
        const gone = await store.deleteEndpoint(tx, key)
        if (!gone) throw notFound('Webhook')
        const details = { name: gone.name, url: auditedUrl(gone.url) }
        await audit.record(tx, { organizationId, act, action: 'webhook.deleted', ...target(id), details })
        return { deleted: true as const }
      })
    },

    /** The old secret is worth nothing from then on; there is no time in which both are. */
    async rotateSecret({ organizationId, act }: Principal, id: string) {
      const secret = newSecret()
      const sealedSecret = sealing.seal(secret, secretPlace(organizationId, id))
      return sql.begin(async (tx) => {
        const isRotated = await secrets.replaceSecret(tx, { organizationId, id, sealedSecret })
        if (!isRotated) throw notFound('Webhook')
        await audit.record(tx, { organizationId, act, action: 'webhook.secret_rotated', ...target(id) })
        return { secret, warning: SECRET_WARNING }
      })
    },

    /** An endpoint that is left without channels stays, and receives nothing. */
    async unlinkChannel(tx: Tx, channel: { organizationId: string; channelId: string }): Promise<void> {
      await links.unlinkChannel(tx, channel)
    },

    async countReceivers(channel: { organizationId: string; channelId: string }): Promise<number> {
      return links.countReceivers(sql, channel)
    },

    async reseal() {
      return resealColumn(sql, sealing, SECRET)
    },
  }
}

function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64url')}`
}

/** Ids as the hub prints them. One that is named twice was meant to be another. */
function spelled(channelIds: readonly string[]): string[] {
  const ids = channelIds.map((id) => id.toLowerCase())
  const twice = ids.findIndex((id, index) => ids.indexOf(id) < index)
  if (twice < 0) return ids
  const issues = [{ path: `/channel_ids/${twice}`, message: 'is named twice' }]
  throw invalidRequest('channel_ids names a channel twice.', issues)
}

function refuseContradiction(allChannels: boolean, channelIds: readonly string[]): void {
  const issue = contradictionIn(allChannels, channelIds)
  if (issue) throw invalidWebhook(`channel_ids ${issue.message}.`, [issue])
}

function invalidWebhook(message: string, issues: Issue[]): AppError {
  return new AppError('INVALID_WEBHOOK', message, { details: { issues } })
}

function target(id: string) {
  return { target: { type: 'webhook', id } }
}
