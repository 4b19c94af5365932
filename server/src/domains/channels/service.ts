import type { Clock } from '../../kernel/clock.ts'
import type { Pool, Tx } from '../../kernel/db/pool.ts'
import { AppError, invalidRequest, notFound } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Audit } from '../audit/service.ts'
import type { Principal } from '../auth/principal.ts'
import { CHANNEL_TOKEN_SCOPES, findMissingScopes } from '../auth/scopes.ts'
import type { Auth } from '../auth/service.ts'
import type { Quotas } from '../billing/quotas/service.ts'
import type { ConnectLinks } from '../connect-links/service.ts'
import { type Endpoints, SECRET_WARNING } from '../webhooks/endpoints/service.ts'
import type { Publish } from '../webhooks/publishing/service.ts'
import { toEventTypes } from './compat-events.ts'
import type { Channel, CreateChannel, RegenerateToken, UpdateChannel } from './schemas.ts'
import * as store from './store.ts'
import { toChannel, toChannelEventData } from './view.ts'

const TOKEN_WARNING = 'Store the token now: it cannot be shown again, and the old one has stopped working.'

type Dependencies = {
  sql: Pool
  now: Clock
  auth: Auth
  audit: Audit
  quotas: Quotas
  connectLinks: ConnectLinks
  endpoints: Endpoints
  publish: Publish
}

export type Channels = ReturnType<typeof createChannels>

export function createChannels(deps: Dependencies) {
  const { sql, now, auth, audit, quotas, connectLinks, endpoints, publish } = deps

  async function issueToken(tx: Tx, principal: Principal, channelId: string, requested?: RegenerateToken['scopes']) {
    const { organizationId, scopes: grantedScopes } = principal
    const missing = findMissingScopes(requested ?? [], grantedScopes)
    if (missing.length > 0) {
      throw new AppError('INSUFFICIENT_SCOPE', `You cannot grant scopes that you do not have: ${missing.join(', ')}.`)
    }
    const scopes = requested ?? CHANNEL_TOKEN_SCOPES.filter((scope) => grantedScopes.includes(scope))
    const { token } = await auth.issue(tx, {
      organizationId,
      kind: 'channel_token',
      name: 'channel token',
      scopes,
      channelId,
      expiresAt: null,
    })
    return token
  }

  /** The endpoint of the compatibility mode: raw bodies, compat signatures, this channel only. */
  async function createEndpoint(tx: Tx, principal: Principal, channelId: string, body: CreateChannel) {
    const plan = {
      name: body.name,
      url: body.webhook_url ?? '',
      eventTypes: toEventTypes(body.webhook_events),
      payloadMode: 'upstream_raw',
      deliveryFormat: 'compat',
      allChannels: false,
      channelIds: [channelId],
      secret: body.webhook_secret,
    } as const
    const { id, secret } = await endpoints.create(tx, principal.organizationId, plan, principal.initiator)
    const shown = body.webhook_secret === undefined ? { secret, warning: SECRET_WARNING } : {}
    return { webhook_id: id, ...shown }
  }

  return {
    async list(organizationId: string): Promise<Channel[]> {
      return (await store.listChannels(sql, organizationId)).map(toChannel)
    },

    async get(organizationId: string, id: string): Promise<Channel> {
      const row = await store.findChannel(sql, { organizationId, id })
      if (!row) throw notFound('Channel')
      return toChannel(row)
    },

    /**
     * Creates the channel and its token in one transaction and, with a `webhook_url`
     * (the compatibility mode), also its endpoint and connect link.
     */
    async create(principal: Principal, body: CreateChannel) {
      const { organizationId, initiator } = principal
      const isCompat = body.webhook_url !== undefined
      if (body.webhook_url !== undefined) await endpoints.requireAllowedDestination(body.webhook_url)
      else refuseWebhookFields(body)

      return sql.begin(async (tx) => {
        await quotas.reserve(tx, organizationId, 'channels')
        const id = newId(now())
        const row = await store.insertChannel(tx, {
          organizationId,
          id,
          name: body.name,
          externalId: body.external_id ?? null,
        })
        const token = await issueToken(tx, principal, id)
        const webhook = isCompat ? await createEndpoint(tx, principal, id, body) : {}
        const link = isCompat ? await connectLinks.issue(tx, { organizationId, channelId: id }) : undefined
        await publish(tx, [
          { organizationId, kind: 'channel.created', channelId: id, data: toChannelEventData(row, null) },
        ])
        await audit.record(tx, {
          organizationId,
          initiator,
          action: 'channel.created',
          ...toAuditTarget(id),
          details: { name: row.name },
        })
        const { status, external_id } = row
        const channel = { id, token, type: 'messaging' as const, status, external_id }
        return { channel, ...webhook, ...(link && { connect_url: link.connect_url }) }
      })
    },

    async update({ organizationId, initiator }: Principal, id: string, body: UpdateChannel): Promise<Channel> {
      return sql.begin(async (tx) => {
        const row = await store.updateChannel(tx, { organizationId, id, name: body.name, externalId: body.external_id })
        if (!row) throw notFound('Channel')
        await audit.record(tx, {
          organizationId,
          initiator,
          action: 'channel.updated',
          ...toAuditTarget(id),
          details: { ...body },
        })
        return toChannel(row)
      })
    },

    /** A new link invalidates the older ones. */
    async issueLink({ organizationId, initiator }: Principal, id: string) {
      return sql.begin(async (tx) => {
        if (!(await store.lockChannel(tx, { organizationId, id }))) throw notFound('Channel')
        const link = await connectLinks.issue(tx, { organizationId, channelId: id })
        await audit.record(tx, {
          organizationId,
          initiator,
          action: 'channel.connect_link_created',
          ...toAuditTarget(id),
        })
        return link
      })
    },

    async regenerateToken(principal: Principal, id: string, body: RegenerateToken) {
      const { organizationId, initiator } = principal
      return sql.begin(async (tx) => {
        if (!(await store.lockChannel(tx, { organizationId, id }))) throw notFound('Channel')
        await auth.revokeChannelTokens(tx, { organizationId, channelId: id })
        const token = await issueToken(tx, principal, id, body.scopes)
        await audit.record(tx, { organizationId, initiator, action: 'channel.token_regenerated', ...toAuditTarget(id) })
        return { token, warning: TOKEN_WARNING }
      })
    },
  }
}

function refuseWebhookFields(body: CreateChannel): void {
  const stray = (['webhook_secret', 'webhook_events'] as const).filter((field) => body[field] !== undefined)
  if (stray.length === 0) return
  const issues = stray.map((field) => ({ path: `/${field}`, message: 'needs webhook_url beside it' }))
  throw invalidRequest(`Send webhook_url beside ${stray.join(' and ')}.`, issues)
}

function toAuditTarget(id: string) {
  return { target: { type: 'channel', id } }
}
