import type { Tx } from '../../../kernel/db/pool.ts'

export type Published = { organizationId: string; id: string; kind: string; channelId: string | null }

/**
 * A delivery of each event for each endpoint that is active now and wants it.
 * Nothing is locked: a change of status that commits at the same time is told
 * apart later, by the generation that each delivery carries.
 */
export async function insertDeliveries(
  tx: Tx,
  events: Published[],
): Promise<{ organization_id: string; endpoint_id: string; event_id: string }[]> {
  return tx<{ organization_id: string; endpoint_id: string; event_id: string }[]>`
    insert into delivery_queue (organization_id, endpoint_id, id, event_id, event_kind, generation)
    select e.organization_id, e.id, hub_id(), v.id, v.kind, e.generation
    from unnest(
      ${tx.array(events.map((event) => event.organizationId))}::uuid[],
      ${tx.array(events.map((event) => event.id))}::uuid[],
      ${tx.array(events.map((event) => event.kind))}::text[],
      ${tx.array(events.map((event) => event.channelId))}::uuid[]
    ) as v (organization_id, id, kind, channel_id)
    join webhook_endpoints e on e.organization_id = v.organization_id
    where e.status = 'active'
      and (cardinality(e.event_types) = 0 or v.kind = any(e.event_types))
      and case e.payload_mode
            when 'upstream_raw' then v.kind = 'upstream.raw' or v.kind like 'channel.%'
            else v.kind <> 'upstream.raw' end
      and (e.all_channels or exists (
        select 1
        from webhook_endpoint_channels c
        where c.organization_id = e.organization_id
          and c.endpoint_id = e.id
          and c.channel_id = v.channel_id))
    returning organization_id, endpoint_id, event_id`
}
