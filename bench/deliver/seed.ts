import type { Context } from '../../server/src/app/context.ts'
import type { NewEvent } from '../../server/src/domains/events/catalog.ts'
import { toSecretPlace } from '../../server/src/domains/webhooks/endpoints/secret-place.ts'
import type { Pool } from '../../server/src/kernel/db/pool.ts'
import { rows } from '../../server/src/kernel/db/rows.ts'
import { newId } from '../../server/src/kernel/ids.ts'

export const BODY_BYTES = 1024
const BATCH = 500

type Storage = Pick<Context, 'sql' | 'sealing'>
export type Endpoint = { organizationId: string; endpointId: string }

/** Each endpoint is in its own organization, so that an event has one delivery. */
export function insertEndpoints(
  context: Storage,
  count: number,
  toUrl: (index: number) => string,
): Promise<Endpoint[]> {
  const endpoints = Array.from({ length: count }, () => ({ organizationId: newId(), endpointId: newId() }))
  return insertAll(context, endpoints, toUrl)
}

/** All endpoints are in one organization, so that an event has a delivery for each. */
export function insertEndpointsOfOne(
  context: Storage,
  count: number,
  toUrl: (index: number) => string,
): Promise<Endpoint[]> {
  const organizationId = newId()
  const endpoints = Array.from({ length: count }, () => ({ organizationId, endpointId: newId() }))
  return insertAll(context, endpoints, toUrl)
}

async function insertAll(
  { sql, sealing }: Storage,
  endpoints: Endpoint[],
  toUrl: (index: number) => string,
): Promise<Endpoint[]> {
  const inserted = endpoints.map(({ organizationId, endpointId }, index) => ({
    organizationId,
    endpointId,
    url: toUrl(index),
    secret: sealing.seal('whsec_bench', toSecretPlace(organizationId, endpointId)),
  }))
  await sql.begin(async (tx) => {
    await tx`
      insert into organizations (id, name)
      select distinct organization_id, 'Bench'
      from ${rows(tx, inserted, { organizationId: 'uuid' })} as e`
    await tx`
      insert into webhook_endpoints
        (organization_id, id, name, url, secret, event_types, payload_mode, delivery_format, all_channels)
      select organization_id, endpoint_id, 'Bench', url, secret, '{}', 'normalized', 'native', true
      from ${rows(tx, inserted, { organizationId: 'uuid', endpointId: 'uuid', url: 'text', secret: 'text' })} as e`
  })
  return endpoints
}

/** Deletes endpoints and their queued deliveries. */
export async function deleteEndpoints(sql: Pool, endpoints: Endpoint[]): Promise<void> {
  const ids = endpoints.map(({ endpointId }) => endpointId)
  await sql`delete from webhook_endpoints where id = any(${ids}::uuid[])`
  await sql`delete from delivery_queue where endpoint_id = any(${ids}::uuid[])`
}

/** An event whose envelope has 1 KiB and contains the marker. */
export function buildEvent({ organizationId }: Endpoint, mark = NO_MARK): NewEvent {
  return { organizationId, kind: 'message.status', channelId: null, data: { message: `${FILLING}mark:${mark}` } }
}

const ENVELOPE_BYTES = JSON.stringify({
  id: newId(),
  event: 'message.status',
  channel_id: null,
  occurred_at: new Date().toISOString(),
  data: { message: '' },
}).length
const NO_MARK = newId()
const FILLING = 'x'.repeat(BODY_BYTES - ENVELOPE_BYTES - `mark:${NO_MARK}`.length)

/** Publishes `count` events to the endpoints in rotation. */
export async function fillQueue({ sql, publish }: Context, endpoints: Endpoint[], count: number): Promise<void> {
  for (let from = 0; from < count; from += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, count - from) }, (_none, index) =>
      pickEndpoint(endpoints, from + index),
    )
    await sql.begin((tx) =>
      publish(
        tx,
        batch.map((endpoint) => buildEvent(endpoint)),
      ),
    )
  }
}

export function pickEndpoint(endpoints: Endpoint[], index: number): Endpoint {
  const endpoint = endpoints[index % endpoints.length]
  if (!endpoint) throw new Error('The list of endpoints is empty')
  return endpoint
}
