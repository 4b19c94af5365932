import type { Sql } from '../../../kernel/db/pool.ts'
import { buildOpenChannels } from '../../channels/service.ts'

/** Each statement reads an index of what it lists, and no more than `limit` rows of it. */
type Query = { organizationId: string; limit: number }

export type PausedEndpoint = {
  id: string
  name: string
  url: string
  paused_at: string | null
  consecutive_failures: number
  held: number
  last_error_code: string | null
}

/** `held` counts up to `heldMax` queued deliveries. */
export async function listPausedEndpoints(sql: Sql, q: Query & { heldMax: number }): Promise<PausedEndpoint[]> {
  return sql<PausedEndpoint[]>`
    select e.id, e.name, e.url, e.paused_at, coalesce(h.consecutive_failures, 0) as consecutive_failures, d.held,
      d.last_error_code
    from (
      select organization_id, id, name, url, paused_at
      from webhook_endpoints
      where organization_id = ${q.organizationId}
        and status = 'paused'
        and inspector_answer is null
      order by id desc
      limit ${q.limit}
    ) e
    left join webhook_endpoint_health h on h.organization_id = e.organization_id and h.endpoint_id = e.id
    cross join lateral (
      select count(*)::int as held, max(q.last_error_code) as last_error_code
      from (
        select last_error_code
        from delivery_queue
        where organization_id = e.organization_id
          and endpoint_id = e.id
        limit ${q.heldMax}
      ) q
    ) d`
}

export type IdleChannel = {
  id: string
  name: string
  status: 'pending' | 'degraded' | 'disconnected'
  since: string
  subscribed_ok: boolean | null
  quality_rating: string | null
  /** The expiry of the last link, if it was neither used nor replaced. */
  link_expired_at: string | null
}

/** Channels that are not active. Pending ones only if their last link has expired. */
export async function listIdleChannels(sql: Sql, q: Query): Promise<IdleChannel[]> {
  return sql<IdleChannel[]>`
    select c.id, c.name, c.status, coalesce(c.status_since, c.updated_at) as since, c.subscribed_ok, c.quality_rating,
      l.expires_at as link_expired_at
    from (
      select organization_id, id, name, status, status_since, updated_at, subscribed_ok, quality_rating
      from (${buildOpenChannels(sql)}) c
      where organization_id = ${q.organizationId}
        and status <> 'active'
      order by id desc
      limit ${q.limit}
    ) c
    left join lateral (
      select expires_at, used_at, ended_at
      from connect_links
      where organization_id = c.organization_id
        and channel_id = c.id
      order by id desc
      limit 1
    ) l on l.expires_at <= hub_now() and l.used_at is null and l.ended_at is null
    where c.status <> 'pending'
      or l.expires_at is not null`
}

export type UnknownSends = { channel_id: string; name: string | null; count: number; first_id: string }

/** Sends of each channel whose outcome is unknown, of those since an id. */
export async function listUnknownSends(sql: Sql, q: Query & { sinceId: string }): Promise<UnknownSends[]> {
  return sql<UnknownSends[]>`
    select u.channel_id, u.count, u.first_id, c.name
    from (
      select channel_id, count(*)::int as count, min(message_id::text) as first_id
      from (
        select channel_id, message_id
        from unsettled_sends
        where organization_id = ${q.organizationId}
          and sending_until is null
          and message_id >= ${q.sinceId}::uuid
        order by message_id desc
        limit ${q.limit}
      ) u
      group by channel_id
    ) u
    left join lateral (
      select name
      from channels
      where organization_id = ${q.organizationId}
        and id = u.channel_id
    ) c on true`
}

export type TemplateEvent = { body: Buffer; channel_id: string; channel_name: string | null; occurred_at: string }

/** The latest events of templates since an id, newest first. */
export async function listTemplateEvents(sql: Sql, q: Query & { sinceId: string }): Promise<TemplateEvent[]> {
  return sql<TemplateEvent[]>`
    select e.body, e.channel_id, e.occurred_at, c.name as channel_name
    from (
      select id, body, channel_id, occurred_at
      from events
      where organization_id = ${q.organizationId}
        and kind = 'template.status'
        and id >= ${q.sinceId}::uuid
      order by id desc
      limit ${q.limit}
    ) e
    left join lateral (
      select name
      from channels
      where organization_id = ${q.organizationId}
        and id = e.channel_id
    ) c on true
    order by e.id desc`
}
