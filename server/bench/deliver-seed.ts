import type { Context } from '../src/app/context.ts'
import type { NewEvent } from '../src/domains/events/catalogue.ts'
import { secretPlace } from '../src/domains/webhooks/endpoints/secret-place.ts'
import type { Pool } from '../src/kernel/db/pool.ts'
import { newId } from '../src/kernel/ids.ts'

export const BODY_BYTES = 1024
const BATCH = 500

export type Endpoint = { organizationId: string; endpointId: string }

/** Endpoints in organizations of their own, so that an event has one delivery. */
export async function makeEndpoints(
  { sql, sealing }: Pick<Context, 'sql' | 'sealing'>,
  count: number,
  urlOf: (index: number) => string,
): Promise<Endpoint[]> {
  const made = Array.from({ length: count }, () => ({ organizationId: newId(), endpointId: newId() }))
  const secrets = made.map((one) => sealing.seal('whsec_bench', secretPlace(one.organizationId, one.endpointId)))
  await sql.begin(async (tx) => {
    const organizationIds = tx.array(made.map(({ organizationId }) => organizationId))
    await tx`
      insert into organizations (id, name)
      select id, 'Bench'
      from unnest(${organizationIds}::uuid[]) as id`
    await tx`
      insert into webhook_endpoints
        (organization_id, id, name, url, secret, event_types, payload_mode, delivery_format, all_channels)
      select organization_id, id, 'Bench', url, secret, '{}', 'normalized', 'native', true
      from unnest(
        ${organizationIds}::uuid[],
        ${tx.array(made.map(({ endpointId }) => endpointId))}::uuid[],
        ${tx.array(made.map((_one, index) => urlOf(index)))}::text[],
        ${tx.array(secrets)}::text[]
      ) as e (organization_id, id, url, secret)`
  })
  return made
}

/** Takes endpoints out of service, and with them whatever still waits for them. */
export async function removeEndpoints(sql: Pool, endpoints: Endpoint[]): Promise<void> {
  const ids = endpoints.map(({ endpointId }) => endpointId)
  await sql`delete from webhook_endpoints where id = any(${sql.array(ids)}::uuid[])`
  await sql`delete from delivery_queue where endpoint_id = any(${sql.array(ids)}::uuid[])`
}

/** An event whose envelope has 1 KiB, and ends with its mark. */
export function eventFor({ organizationId }: Endpoint, mark = NO_MARK): NewEvent {
  return { organizationId, kind: 'message.status', channelId: null, data: { message: FILLING + mark } }
}

const ENVELOPE_BYTES = JSON.stringify({
  id: newId(),
  event: 'message.status',
  channel_id: null,
  occurred_at: new Date().toISOString(),
  data: { message: '' },
}).length
const NO_MARK = newId()
const FILLING = 'x'.repeat(BODY_BYTES - ENVELOPE_BYTES - NO_MARK.length)

/** Publishes one event after another to the endpoints in turn, until so many deliveries wait. */
export async function fillQueue({ sql, publish }: Context, endpoints: Endpoint[], count: number): Promise<void> {
  for (let from = 0; from < count; from += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, count - from) }, (_none, index) =>
      inTurn(endpoints, from + index),
    )
    await sql.begin((tx) =>
      publish(
        tx,
        batch.map((endpoint) => eventFor(endpoint)),
      ),
    )
  }
}

export function inTurn(endpoints: Endpoint[], index: number): Endpoint {
  const endpoint = endpoints[index % endpoints.length]
  if (!endpoint) throw new Error('There is no endpoint')
  return endpoint
}
