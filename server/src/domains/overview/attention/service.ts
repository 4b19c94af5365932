import type { Clock } from '../../../kernel/clock.ts'
import type { Pool } from '../../../kernel/db/pool.ts'
import { readIdTime, toFirstId } from '../../../kernel/ids.ts'
import type { Quotas } from '../../billing/quotas/service.ts'
import { findOrganization } from '../../organizations/service.ts'
import { PAUSE_AT } from '../../webhooks/endpoints/failure-count.ts'
import { ATTENTION_MAX, HELD_MAX, UNKNOWN_SENDS_MAX } from '../caps.ts'
import { listRejectedTemplates } from './rejected-templates.ts'
import { ATTENTION_KINDS, type AttentionItem } from './schemas.ts'
import * as store from './store.ts'

const DAY_MS = 86_400_000
/** Older events are not news. A condition that still holds, such as a paused endpoint, is listed for as long as it does. */
const RECENT_DAYS = 7
const TEMPLATE_EVENTS_MAX = 200
const QUOTA_SHARE = 0.8

type Dependencies = { sql: Pool; now: Clock; quotas: Quotas }

export type Attention = ReturnType<typeof createAttention>

/** Lists what needs a person's attention, as far as the database knows it. */
export function createAttention({ sql, now, quotas }: Dependencies) {
  /** Without plans there is nothing to say about a subscription. */
  async function listOfOrganization(organizationId: string): Promise<AttentionItem[]> {
    const organization = quotas.isEnforced ? await findOrganization(sql, organizationId) : undefined
    if (!organization) return []
    const target = { type: 'organization' as const, id: organizationId, name: organization.name }
    const row = await quotas.read(sql, organizationId)
    const uses = Object.entries(quotas.describe(row)).filter(([, use]) => isNearLimit(use))
    return [
      ...toSubscriptionKinds(row.status).map((kind) => ({ kind, target, since: null, details: {} })),
      ...uses.map(([quota, use]) => ({
        kind: 'quota' as const,
        target,
        since: null,
        details: { quota, plan: row.plan, ...use },
      })),
    ]
  }

  return {
    async list(organizationId: string): Promise<AttentionItem[]> {
      const sinceId = toFirstId(new Date(now().getTime() - RECENT_DAYS * DAY_MS))
      const query = { organizationId, limit: ATTENTION_MAX }
      const [endpoints, channels, sends, templates, ofOrganization] = await Promise.all([
        store.listPausedEndpoints(sql, { ...query, heldMax: HELD_MAX }),
        store.listIdleChannels(sql, query),
        store.listUnknownSends(sql, { ...query, sinceId, limit: UNKNOWN_SENDS_MAX }),
        store.listTemplateEvents(sql, { ...query, sinceId, limit: TEMPLATE_EVENTS_MAX }),
        listOfOrganization(organizationId),
      ])
      const items = [
        ...endpoints.map(toPausedItem),
        ...channels.map(toChannelItem),
        ...sends.map(toUnknownItem),
        ...listRejectedTemplates(templates),
        ...ofOrganization,
      ]
      return items.sort(compareUrgency)
    },
  }
}

/** By kind, and the newest of a kind first. */
function compareUrgency(a: AttentionItem, b: AttentionItem): number {
  const rank = ({ kind }: AttentionItem) => ATTENTION_KINDS.indexOf(kind)
  return rank(a) - rank(b) || ((a.since ?? '') < (b.since ?? '') ? 1 : -1)
}

function isNearLimit({ limit, used }: { limit: number | null; used: number }): boolean {
  return limit !== null && limit > 0 && used >= QUOTA_SHARE * limit
}

function toSubscriptionKinds(status: string): ('subscription_suspended' | 'subscription_past_due')[] {
  if (status === 'suspended') return ['subscription_suspended']
  return status === 'past_due' ? ['subscription_past_due'] : []
}

function toPausedItem({ id, name, url, paused_at, ...details }: store.PausedEndpoint): AttentionItem {
  return {
    kind: 'endpoint_paused',
    target: { type: 'webhook', id, name },
    since: paused_at,
    details: { ...details, host: new URL(url).host, by_hub: details.consecutive_failures >= PAUSE_AT },
  }
}

function toChannelItem({ id, name, status, since, link_expired_at, ...details }: store.IdleChannel): AttentionItem {
  const target = { type: 'channel' as const, id, name }
  if (status === 'pending') return { kind: 'link_expired', target, since: link_expired_at, details: {} }
  return { kind: `channel_${status}`, target, since, details }
}

function toUnknownItem({ channel_id, name, count, first_id }: store.UnknownSends): AttentionItem {
  return {
    kind: 'unknown_sends',
    target: { type: 'channel', id: channel_id, name },
    since: new Date(readIdTime(first_id)).toISOString(),
    details: { count },
  }
}
