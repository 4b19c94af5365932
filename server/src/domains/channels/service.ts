import type { Clock } from '../../kernel/clock.ts'
import type { Pool, Tx } from '../../kernel/db/pool.ts'
import { deleteTenantRows } from '../../kernel/db/tenant-rows.ts'
import { invalidRequest, notFound, toIssue } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { listChanges, REDACTED_CHANGE } from '../audit/changes.ts'
import type { Audit } from '../audit/service.ts'
import { type Principal, requireScope, requireScopesToGrant } from '../auth/principal.ts'
import { NEW_TOKEN_SCOPES, type Scope } from '../auth/scopes.ts'
import type { Auth } from '../auth/service.ts'
import type { Quotas } from '../billing/quotas/service.ts'
import type { ConnectLinkOptions } from '../connect-links/schemas.ts'
import type { ConnectLinks } from '../connect-links/service.ts'
import { type Endpoints, SECRET_WARNING } from '../webhooks/endpoints/service.ts'
import type { Publish } from '../webhooks/publishing/service.ts'
import { toEventTypes } from './compat-events.ts'
import type { Channel, CreateChannel, RegenerateToken, UpdateChannel } from './schemas.ts'
import * as store from './store.ts'
import { toChannel, toChannelEventData } from './view.ts'

/** For the statements and transactions of other domains. */
export const { buildOpenChannels, buildChannelLookup, buildChannelCount, lockOpenChannels } = store

const TOKEN_WARNING = 'Store the token now: it cannot be shown again, and the old one has stopped working.'

const TABLES = ['channel_numbers', 'channels']

type Dependencies = {
  sql: Pool
  now: Clock
  auth: Auth
  audit: Audit
  quotas: Quotas
  connectLinks: ConnectLinks
  endpoints: Endpoints
  publish: Publish
  graphUrl: string
  /** Compares the costs of the month with a new budget. */
  requestBudgetCheck: (tx: Tx, key: { organizationId: string; channelId: string }) => Promise<void>
}

export type Channels = ReturnType<typeof createChannels>

export function createChannels(deps: Dependencies) {
  const { sql, now, auth, audit, quotas, connectLinks, endpoints, publish, graphUrl, requestBudgetCheck } = deps

  async function issueToken(tx: Tx, organizationId: string, channelId: string, scopes: readonly Scope[]) {
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
      mediaUrls: 'upstream',
      allChannels: false,
      channelIds: [channelId],
      secret: body.webhook_secret,
    } as const
    const { id, secret } = await endpoints.create(tx, principal.organizationId, plan, principal.initiator)
    const shown = body.webhook_secret === undefined ? { secret, warning: SECRET_WARNING } : {}
    return { webhook_id: id, ...shown }
  }

  return {
    /** Newest first, from the one before `before` on. */
    async list(organizationId: string, step: { before: string | null; limit: number }): Promise<Channel[]> {
      return (await store.listChannels(sql, { organizationId, ...step })).map((row) => toChannel(row, graphUrl))
    },

    listKept: (filter: Parameters<typeof store.listKeptChannels>[1]) => store.listKeptChannels(sql, filter),

    /** A batch; 0 when nothing is left. */
    deleteOfOrganization: (organizationId: string) => deleteTenantRows(sql, TABLES, organizationId),

    async get(organizationId: string, id: string): Promise<Channel> {
      const row = await store.findChannel(sql, { organizationId, id })
      if (!row) throw notFound('channel_not_found')
      return toChannel(row, graphUrl)
    },

    /**
     * Creates the channel and its token in one transaction and, with a `webhook_url`
     * (the compatibility mode), also its endpoint and connect link.
     */
    async create(principal: Principal, body: CreateChannel) {
      const { organizationId, initiator } = principal
      const isCompat = body.webhook_url !== undefined
      if (body.webhook_url !== undefined) {
        requireScope(principal, 'webhooks:write')
        await endpoints.requireAllowedDestination(body.webhook_url)
      } else refuseWebhookFields(body)

      return sql.begin(async (tx) => {
        await quotas.reserve(tx, organizationId, 'channels')
        const id = newId(now())
        const row = await store.insertChannel(tx, {
          organizationId,
          id,
          name: body.name,
          externalId: body.external_id ?? null,
        })
        const token = await issueToken(tx, organizationId, id, listNewTokenScopes(principal))
        const webhook = isCompat ? await createEndpoint(tx, principal, id, body) : {}
        const link = isCompat
          ? await connectLinks.issue(tx, { organizationId, channelId: id, maker: initiator.actor })
          : undefined
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
        const before = await store.lockChannel(tx, { organizationId, id })
        const row = await store.updateChannel(tx, {
          organizationId,
          id,
          name: body.name,
          externalId: body.external_id,
          importHistory: body.import_history,
          monthlyBudget: body.monthly_budget,
        })
        if (!before || !row) throw notFound('channel_not_found')
        if (row.monthly_budget !== before.monthly_budget && row.monthly_budget !== null) {
          await requestBudgetCheck(tx, { organizationId, channelId: id })
        }
        await audit.record(tx, {
          organizationId,
          initiator,
          action: 'channel.updated',
          ...toAuditTarget(id),
          details: { ...body, changes: listChanges(selectEditable(before), selectEditable(row)) },
        })
        return toChannel(row, graphUrl)
      })
    },

    /** The newest links, each with its maker, its expiry and its state. */
    async listLinks(organizationId: string, id: string) {
      if (!(await store.findChannel(sql, { organizationId, id }))) throw notFound('channel_not_found')
      return connectLinks.list({ organizationId, channelId: id })
    },

    /** A new link invalidates the older ones. */
    async issueLink({ organizationId, initiator }: Principal, id: string, options: ConnectLinkOptions) {
      return sql.begin(async (tx) => {
        if (!(await store.lockChannel(tx, { organizationId, id }))) throw notFound('channel_not_found')
        const link = await connectLinks.issue(tx, { organizationId, channelId: id, maker: initiator.actor }, options)
        await audit.record(tx, {
          organizationId,
          initiator,
          action: 'channel.connect_link_created',
          ...toAuditTarget(id),
        })
        return link
      })
    },

    /** Without `scopes` the new token has those of the channel's last one, even if that one was revoked. */
    async regenerateToken(principal: Principal, id: string, body: RegenerateToken) {
      const { organizationId, initiator } = principal
      const key = { organizationId, channelId: id }
      return sql.begin(async (tx) => {
        if (!(await store.lockChannel(tx, { organizationId, id }))) throw notFound('channel_not_found')
        const before = await auth.findChannelTokenScopes(tx, key)
        const scopes = body.scopes ?? before ?? listNewTokenScopes(principal)
        requireScopesToGrant(principal, scopes)
        await auth.revokeChannelTokens(tx, key)
        const token = await issueToken(tx, organizationId, id, scopes)
        await audit.record(tx, {
          organizationId,
          initiator,
          action: 'channel.token_regenerated',
          ...toAuditTarget(id),
          details: {
            scopes,
            changes: { token: REDACTED_CHANGE, ...listChanges({ scopes: before ?? null }, { scopes }) },
          },
        })
        return { token, warning: TOKEN_WARNING }
      })
    },

    /** Leaves the channel without a token. A repeat changes nothing. */
    async revokeToken({ organizationId, initiator }: Principal, id: string): Promise<{ revoked: true }> {
      return sql.begin(async (tx) => {
        if (!(await store.lockChannel(tx, { organizationId, id }))) throw notFound('channel_not_found')
        if (await auth.revokeChannelTokens(tx, { organizationId, channelId: id })) {
          await audit.record(tx, { organizationId, initiator, action: 'channel.token_revoked', ...toAuditTarget(id) })
        }
        return { revoked: true }
      })
    },
  }
}

/** The fields that a PATCH can change. */
function selectEditable({ name, external_id, import_history, monthly_budget }: store.ChannelRow) {
  return { name, external_id, import_history, monthly_budget }
}

/** No credential grants a scope that it lacks. */
function listNewTokenScopes(principal: Principal): Scope[] {
  return NEW_TOKEN_SCOPES.filter((scope) => principal.scopes.includes(scope))
}

function refuseWebhookFields(body: CreateChannel): void {
  const stray = (['webhook_secret', 'webhook_events'] as const).filter((field) => body[field] !== undefined)
  if (stray.length === 0) return
  const issues = stray.map((field) => toIssue(`/${field}`, 'webhook_url_missing'))
  throw invalidRequest('webhook_url_missing', { parameters: { fields: stray.join(', ') }, issues })
}

function toAuditTarget(id: string) {
  return { target: { type: 'channel', id } }
}
