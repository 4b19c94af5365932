import type { Tx } from '../../../kernel/db/pool.ts'
import { rows } from '../../../kernel/db/rows.ts'

export type PublishedEvent = { organizationId: string; id: string; kind: string; channelId: string | null }

/**
 * Inserts a delivery of each event for each active endpoint that subscribes to it.
 * It locks no endpoint: a delivery carries the endpoint's generation, by which a
 * later claim detects a change of status or mode that committed at the same time.
 */
export async function insertDeliveries(
  tx: Tx,
  events: PublishedEvent[],
): Promise<{ organization_id: string; endpoint_id: string; event_id: string }[]> {
  return tx<{ organization_id: string; endpoint_id: string; event_id: string }[]>`
    insert into delivery_queue (organization_id, endpoint_id, id, event_id, event_kind, generation)
    select e.organization_id, e.id, hub_id(), v.id, v.kind, e.generation
    from ${rows(tx, events, { organizationId: 'uuid', id: 'uuid', kind: 'text', channelId: 'uuid' })} as v
    join webhook_endpoints e on e.organization_id = v.organization_id
    where e.status = 'active'
      and (cardinality(e.event_types) = 0 or v.kind = any(e.event_types))
      and mode_includes(e.payload_mode, v.kind)
      and (e.all_channels or exists (
        select 1
        from webhook_endpoint_channels c
        where c.organization_id = e.organization_id
          and c.endpoint_id = e.id
          and c.channel_id = v.channel_id))
    returning organization_id, endpoint_id, event_id`
}
