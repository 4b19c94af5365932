import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import type { EventKind } from '../../events/catalogue.ts'
import type { DeliveryFormat, EndpointStatus, PayloadMode, UpdateWebhook, Webhook } from './schemas.ts'

type Key = { organizationId: string; id: string }

export type NewEndpoint = {
  organizationId: string
  id: string
  name: string
  url: string
  sealedSecret: string
  eventTypes: readonly EventKind[]
  payloadMode: PayloadMode
  deliveryFormat: DeliveryFormat
  allChannels: boolean
  channelIds: readonly string[]
}

export async function insertEndpoint(tx: Tx, e: NewEndpoint): Promise<void> {
  await tx`
    insert into webhook_endpoints
      (organization_id, id, name, url, secret, event_types, payload_mode, delivery_format, all_channels)
    values
      (${e.organizationId}, ${e.id}, ${e.name}, ${e.url}, ${e.sealedSecret}, ${tx.array([...e.eventTypes])},
       ${e.payloadMode}, ${e.deliveryFormat}, ${e.allChannels})`
  await tx`
    insert into webhook_endpoint_channels (organization_id, endpoint_id, channel_id)
    select ${e.organizationId}, ${e.id}, channel_id
    from unnest(${tx.array([...e.channelIds])}::uuid[]) as channel_id`
}

/** Endpoints as they are shown. One without a count of failures has had none since its last success. */
const shown = (sql: Sql) => sql`
  select e.id, e.name, e.url, e.event_types as events, e.payload_mode, e.delivery_format, e.all_channels, e.status,
    coalesce(h.consecutive_failures, 0) as consecutive_failures,
    array(
      select c.channel_id
      from webhook_endpoint_channels c
      where c.organization_id = e.organization_id
        and c.endpoint_id = e.id
      order by c.channel_id
    ) as channel_ids,
    e.created_at, e.updated_at
  from webhook_endpoints e
  left join webhook_endpoint_health h on h.organization_id = e.organization_id and h.endpoint_id = e.id`

export async function listEndpoints(sql: Sql, organizationId: string): Promise<Webhook[]> {
  return sql<Webhook[]>`
    ${shown(sql)}
    where e.organization_id = ${organizationId}
    order by e.id desc`
}

export async function findEndpoint(sql: Sql, key: Key): Promise<Webhook | undefined> {
  const [row] = await sql<Webhook[]>`
    ${shown(sql)}
    where e.organization_id = ${key.organizationId}
      and e.id = ${key.id}`
  return row
}

/** Makes every change of one endpoint wait for the one before it. */
export async function lockEndpoint(
  tx: Tx,
  key: Key,
): Promise<{ status: EndpointStatus; all_channels: boolean } | undefined> {
  const [row] = await tx<{ status: EndpointStatus; all_channels: boolean }[]>`
    select status, all_channels
    from webhook_endpoints
    where organization_id = ${key.organizationId}
      and id = ${key.id}
    for update`
  return row
}

/**
 * Changes what is given and keeps the rest. A change of status begins a new
 * generation; one to disabled cancels the deliveries of all generations before
 * it. The time of a pause is that of its beginning.
 */
export async function updateEndpoint(tx: Tx, key: Key, c: Omit<UpdateWebhook, 'channel_ids'>): Promise<void> {
  const status = c.status ?? null
  await tx`
    update webhook_endpoints
    set name = coalesce(${c.name ?? null}, name),
        url = coalesce(${c.url ?? null}, url),
        event_types = coalesce(${c.event_types ? tx.array(c.event_types) : null}::text[], event_types),
        payload_mode = coalesce(${c.payload_mode ?? null}, payload_mode),
        all_channels = coalesce(${c.all_channels ?? null}, all_channels),
        status = coalesce(${status}::text, status),
        generation = case when ${status}::text <> status then generation + 1 else generation end,
        canceled_at = case
          when ${status}::text = 'disabled' and status <> 'disabled' then hub_now()
          else canceled_at end,
        canceled_generation = case
          when ${status}::text = 'disabled' and status <> 'disabled' then generation
          else canceled_generation end,
        paused_at = case
          when ${status}::text is null or ${status}::text = status then paused_at
          when ${status}::text = 'paused' then hub_now() end,
        version = version + 1,
        updated_at = hub_now()
    where organization_id = ${key.organizationId}
      and id = ${key.id}`
}

/**
 * To be called before the endpoint itself is locked: whoever counts failures
 * locks the count first and then the endpoint, to pause it.
 */
export async function clearFailures(tx: Tx, key: Key): Promise<void> {
  await tx`
    delete from webhook_endpoint_health
    where organization_id = ${key.organizationId}
      and endpoint_id = ${key.id}`
}

/** Its links go with it. What it leaves in the queue and in the log is noted, to be removed later. */
export async function deleteEndpoint(tx: Tx, key: Key): Promise<{ name: string; url: string } | undefined> {
  const [row] = await tx<{ name: string; url: string }[]>`
    with gone as (
      delete from webhook_endpoints
      where organization_id = ${key.organizationId}
        and id = ${key.id}
      returning organization_id, id, name, url
    ),
    noted as (
      insert into deleted_endpoints (organization_id, endpoint_id)
      select organization_id, id
      from gone
    )
    select name, url
    from gone`
  return row
}
