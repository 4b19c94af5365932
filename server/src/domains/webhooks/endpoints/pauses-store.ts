import type { Fragment, Json, Sql, Tx } from '../../../kernel/db/pool.ts'
import { rows } from '../../../kernel/db/rows.ts'
import type { EndpointKey } from '../wake-ups.ts'
import type { Pause } from './schemas.ts'

/** A higher count says nothing more to a person. */
const NOT_SENT_MAX = 10_000
/** Events of other kinds and channels are read too, and must not make the count slow. */
const READ_MAX = 50_000
const LISTED_MAX = 100

type Actor = Record<string, Json>

export async function beginPauses(
  tx: Tx,
  endpoints: EndpointKey[],
  { cause, actor }: { cause: 'failures'; actor: null } | { cause: 'person'; actor: Actor },
): Promise<void> {
  await tx`
    insert into webhook_pauses (organization_id, endpoint_id, cause, actor)
    select k.organization_id, k.endpoint_id, ${cause}, ${actor && tx.json(actor)}::jsonb
    from ${rows(tx, endpoints, { organizationId: 'uuid', endpointId: 'uuid' })} as k`
}

/** Ends the pause of an endpoint, if it has one, and stores what was not sent in it: events are deleted in time. */
export async function endPause(
  tx: Tx,
  { organizationId, endpointId }: EndpointKey,
  { endedBy, eventDays }: { endedBy: Actor; eventDays: number },
): Promise<void> {
  await tx`
    update webhook_pauses o
    set ended_at = hub_now(), ended_by = ${tx.json(endedBy)},
        (events_not_sent, is_capped) = (${countNotSent(tx, eventDays)})
    where o.organization_id = ${organizationId}
      and o.endpoint_id = ${endpointId}
      and o.ended_at is null`
}

/** Newest first. The count of a pause that has not ended is up to now. */
export async function listPauses(
  sql: Sql,
  { organizationId, endpointId }: EndpointKey,
  eventDays: number,
): Promise<Pause[]> {
  return sql<Pause[]>`
    select o.began_at as from, o.ended_at as to, o.cause, o.actor, o.ended_by,
      case when o.ended_at is null then n.events_not_sent else o.events_not_sent end as events_not_sent,
      case when o.ended_at is null then n.is_capped else o.is_capped end as is_capped
    from (
      select *
      from webhook_pauses
      where organization_id = ${organizationId}
        and endpoint_id = ${endpointId}
      order by id desc
      limit ${LISTED_MAX}
    ) o
    left join lateral (${countNotSent(sql, eventDays)}) n on o.ended_at is null
    order by o.id desc`
}

/**
 * Counts the events since the beginning of a pause `o` to which its endpoint subscribes now, without tests, each of which is
 * for one endpoint. Null if some of them may be deleted. The ids of events begin with their time.
 */
function countNotSent(sql: Sql, eventDays: number): Fragment {
  return sql`
    select
      case when o.began_at > hub_now() - make_interval(days => ${eventDays})
        then least(c.matching, ${NOT_SENT_MAX})::int end as events_not_sent,
      c.matching > ${NOT_SENT_MAX} or c.read = ${READ_MAX} as is_capped
    from (
      select count(*) as read, count(*) filter (where r.is_matching) as matching
      from (
        select v.kind <> 'webhook.test'
          and (cardinality(e.event_types) = 0 or v.kind = any(e.event_types))
          and mode_includes(e.payload_mode, v.kind)
          and (e.all_channels or exists (
            select 1
            from webhook_endpoint_channels k
            where k.organization_id = e.organization_id
              and k.endpoint_id = e.id
              and k.channel_id = v.channel_id)) as is_matching
        from webhook_endpoints e
        join events v on v.organization_id = e.organization_id
        where e.organization_id = o.organization_id
          and e.id = o.endpoint_id
          and v.id >= (lpad(to_hex(floor(extract(epoch from o.began_at) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
        limit ${READ_MAX}
      ) r
    ) c`
}
