import type { TestHub } from '../../../../test/hub.ts'
import { rows } from '../../../kernel/db/rows.ts'
import { newId } from '../../../kernel/ids.ts'
import { toSecretPlace } from '../endpoints/secret-place.ts'

/** Creates active endpoints of one organization by one statement. They want every event, or those of the listed kinds. */
export async function addEndpoints(
  { sql, context, clock }: TestHub,
  organizationId: string,
  e: { count: number; url: string; eventTypes?: string[] },
): Promise<{ id: string; path: string }[]> {
  const endpoints = Array.from({ length: e.count }, () => {
    const id = newId(clock.now())
    const secret = context.sealing.seal('whsec_many', toSecretPlace(organizationId, id))
    return { id, path: `/${id}`, url: `${e.url}/${id}`, secret }
  })
  await sql`
    insert into webhook_endpoints
      (organization_id, id, name, url, secret, event_types, payload_mode, delivery_format, all_channels, created_at)
    select ${organizationId}, id, 'Many', url, secret, ${e.eventTypes ?? []}, 'normalized', 'native', true, hub_now()
    from ${rows(sql, endpoints, { id: 'uuid', url: 'text', secret: 'text' })} as e`
  return endpoints.map(({ id, path }) => ({ id, path }))
}

/** Counts the queued deliveries of an organization, and those that its deferred fan-outs will make. */
export async function countDeliveries({ sql }: TestHub, organizationId: string) {
  const [row] = await sql<{ queued: number; deferred: number }[]>`
    select
      (select count(*)::int from delivery_queue where organization_id = ${organizationId}) as queued,
      (select coalesce(sum(cardinality(endpoint_ids) - made), 0)::int
       from deferred_fan_outs where organization_id = ${organizationId}) as deferred`
  return row!
}
