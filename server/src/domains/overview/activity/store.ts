import type { Sql } from '../../../kernel/db/pool.ts'
import { buildOpenChannels } from '../../channels/service.ts'
import type { ChannelActivity } from './schemas.ts'

export type ActivityRow = Omit<ChannelActivity, 'channel_id'> & { id: string }

/**
 * Channels, newest first, with what is folded of their activity and what is not yet. With `ids` only those of them that are
 * channels of the organization.
 */
export async function listActivity(
  sql: Sql,
  a: { organizationId: string; ids: readonly string[] | null; before: string | null; limit: number },
): Promise<ActivityRow[]> {
  return sql<ActivityRow[]>`
    with deltas as (
      select channel_id, max(at) filter (where received > 0) as inbound_at, max(at) filter (where sent > 0) as outbound_at
      from message_count_deltas
      where organization_id = ${a.organizationId}
      group by channel_id
    ),
    of_all as (
      select count(*) as endpoints
      from webhook_endpoints
      where organization_id = ${a.organizationId}
        and all_channels
        and inspector_answer is null
    )
    select c.id, greatest(f.last_inbound_at, d.inbound_at) as last_inbound_at,
      greatest(f.last_outbound_at, d.outbound_at) as last_outbound_at,
      ((select endpoints from of_all) + (
        select count(*)
        from webhook_endpoint_channels l
        where l.organization_id = ${a.organizationId}
          and l.channel_id = c.id
      ))::int as endpoints
    from (
      select id
      from (${buildOpenChannels(sql)}) c
      where organization_id = ${a.organizationId}
        and (${a.ids}::uuid[] is null or id = any(${a.ids}::uuid[]))
        and (${a.before}::uuid is null or id < ${a.before}::uuid)
      order by id desc
      limit ${a.limit}
    ) c
    left join channel_activity f on f.organization_id = ${a.organizationId} and f.channel_id = c.id
    left join deltas d on d.channel_id = c.id
    order by c.id desc`
}
