import type { Fragment, Sql, Tx } from '../../../kernel/db/pool.ts'
import type { EventKind } from '../../events/catalog.ts'
import type { MediaUrls } from '../attempts/media-urls.ts'
import type { DeliveryFormat } from '../attempts/signature.ts'
import type { EndpointStatus, PayloadMode, UpdateWebhook, Webhook } from './schemas.ts'

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
  mediaUrls: MediaUrls
  allChannels: boolean
  channelIds: readonly string[]
}

export function buildEndpointCount(sql: Sql, organizationId: string): Fragment {
  return sql`
    select count(*)::int as used
    from webhook_endpoints
    where organization_id = ${organizationId}
      and inspector_answer is null`
}

export async function insertEndpoint(tx: Tx, e: NewEndpoint): Promise<void> {
  await tx`
    insert into webhook_endpoints
      (organization_id, id, name, url, secret, event_types, payload_mode, delivery_format, media_urls, all_channels)
    values
      (${e.organizationId}, ${e.id}, ${e.name}, ${e.url}, ${e.sealedSecret}, ${e.eventTypes},
       ${e.payloadMode}, ${e.deliveryFormat}, ${e.mediaUrls}, ${e.allChannels})`
  await tx`
    insert into webhook_endpoint_channels (organization_id, endpoint_id, channel_id)
    select ${e.organizationId}, ${e.id}, channel_id
    from unnest(${e.channelIds}::uuid[]) as channel_id`
}

/**
 * An endpoint without a health row has had no failure since its last success. `inspector_answer` is null for all but inspectors, which only
 * the dashboard knows (`webhooks/inspector`): no statement of this file reads, changes or deletes one.
 */
const selectWebhooks = (sql: Sql) => sql`
  select e.id, e.name, e.url, e.event_types as events, e.payload_mode, e.delivery_format, e.media_urls,
    e.all_channels, e.status,
    coalesce(h.consecutive_failures, 0) as consecutive_failures,
    array(
      select c.channel_id
      from webhook_endpoint_channels c
      where c.organization_id = e.organization_id
        and c.endpoint_id = e.id
      order by c.channel_id
    ) as channel_ids,
    case when e.previous_secret_until > hub_now() then e.previous_secret_until end as previous_secret_valid_until,
    e.created_at, e.updated_at
  from webhook_endpoints e
  left join webhook_endpoint_health h on h.organization_id = e.organization_id and h.endpoint_id = e.id`

export async function listEndpoints(
  sql: Sql,
  l: { organizationId: string; before: string | null; limit: number },
): Promise<Webhook[]> {
  return sql<Webhook[]>`
    ${selectWebhooks(sql)}
    where e.organization_id = ${l.organizationId}
      and e.inspector_answer is null
      ${l.before === null ? sql`` : sql`and e.id < ${l.before}`}
    order by e.id desc
    limit ${l.limit}`
}

export async function findEndpoint(sql: Sql, key: Key): Promise<Webhook | undefined> {
  const [row] = await sql<Webhook[]>`
    ${selectWebhooks(sql)}
    where e.organization_id = ${key.organizationId}
      and e.id = ${key.id}
      and e.inspector_answer is null`
  return row
}

/** Serializes the changes of one endpoint. */
export async function lockEndpoint(
  tx: Tx,
  key: Key,
): Promise<{ status: EndpointStatus; all_channels: boolean } | undefined> {
  const [row] = await tx<{ status: EndpointStatus; all_channels: boolean }[]>`
    select status, all_channels
    from webhook_endpoints
    where organization_id = ${key.organizationId}
      and id = ${key.id}
      and inspector_answer is null
    for update`
  return row
}

/**
 * Changes the given fields and keeps the others. A change of status or payload mode
 * starts a new generation. A change to disabled cancels the deliveries of all
 * generations before it; a change of mode, those that the new mode excludes. `paused_at` is the time at which the pause began.
 */
export async function updateEndpoint(tx: Tx, key: Key, c: Omit<UpdateWebhook, 'channel_ids'>): Promise<void> {
  const status = c.status ?? null
  const mode = c.payload_mode ?? null
  await tx`
    update webhook_endpoints
    set name = coalesce(${c.name ?? null}, name),
        url = coalesce(${c.url ?? null}, url),
        event_types = coalesce(${c.event_types ?? null}::text[], event_types),
        payload_mode = coalesce(${mode}::text, payload_mode),
        media_urls = coalesce(${c.media_urls ?? null}, media_urls),
        all_channels = coalesce(${c.all_channels ?? null}, all_channels),
        status = coalesce(${status}::text, status),
        generation = case
          when ${status}::text <> status or ${mode}::text <> payload_mode then generation + 1
          else generation end,
        canceled_at = case
          when (${status}::text = 'disabled' and status <> 'disabled') or ${mode}::text <> payload_mode then hub_now()
          else canceled_at end,
        canceled_generation = case
          when ${status}::text = 'disabled' and status <> 'disabled' then generation
          else canceled_generation end,
        mode_canceled_generation = case
          when ${mode}::text <> payload_mode then generation
          else mode_canceled_generation end,
        paused_at = case
          when ${status}::text is null or ${status}::text = status then paused_at
          when ${status}::text = 'paused' then hub_now() end,
        version = version + 1,
        updated_at = hub_now()
    where organization_id = ${key.organizationId}
      and id = ${key.id}`
}

/** The sealed secret, locked until it is replaced: of concurrent rotations each replaces the secret of another. */
export async function lockSecret(tx: Tx, key: Key): Promise<string | undefined> {
  const [row] = await tx<{ secret: string }[]>`
    select secret
    from webhook_endpoints
    where organization_id = ${key.organizationId}
      and id = ${key.id}
      and inspector_answer is null
    for update`
  return row?.secret
}

type ReplacedSecret = Key & { sealedSecret: string; sealedPrevious: string | null; overlapSeconds: number }

/**
 * Returns until when the previous secret is valid; null without one. The new version makes workers reload both, so no later
 * claim is signed with an older one.
 */
export async function replaceSecret(tx: Tx, e: ReplacedSecret): Promise<string | null> {
  const [row] = await tx<{ until: string | null }[]>`
    update webhook_endpoints
    set secret = ${e.sealedSecret},
        previous_secret = ${e.sealedPrevious},
        previous_secret_until = case
          when ${e.sealedPrevious}::text is not null then hub_now() + make_interval(secs => ${e.overlapSeconds}) end,
        version = version + 1,
        updated_at = hub_now()
    where organization_id = ${e.organizationId}
      and id = ${e.id}
    returning previous_secret_until as until`
  return row?.until ?? null
}

/** Erases up to `limit` previous secrets whose time has come, and returns how many. Workers forget them by the version. */
export async function erasePreviousSecrets(sql: Sql, limit: number): Promise<number> {
  const { count } = await sql`
    update webhook_endpoints
    set previous_secret = null, previous_secret_until = null, version = version + 1
    where ctid = any(array(
      select ctid
      from webhook_endpoints
      where previous_secret_until <= hub_now()
      limit ${limit}
      for update skip locked))`
  return count
}

/** Disables up to `limit` endpoints of an organization, as `updateEndpoint` does, and returns how many. */
export async function markAllDisabled(sql: Sql, d: { organizationId: string; limit: number }): Promise<number> {
  const { count } = await sql`
    update webhook_endpoints
    set status = 'disabled', generation = generation + 1, canceled_generation = generation, canceled_at = hub_now(),
        paused_at = null, version = version + 1, updated_at = hub_now()
    where ctid = any(array(
      select ctid
      from webhook_endpoints
      where organization_id = ${d.organizationId}
        and status <> 'disabled'
      limit ${d.limit}
      for update))`
  return count
}

/** Its channel links are deleted with it; retention deletes its deliveries later, by `deleted_endpoints`. */
export async function deleteEndpoint(tx: Tx, key: Key): Promise<{ name: string; url: string } | undefined> {
  const [row] = await tx<{ name: string; url: string }[]>`
    with deleted as (
      delete from webhook_endpoints
      where organization_id = ${key.organizationId}
        and id = ${key.id}
        and inspector_answer is null
      returning organization_id, id, name, url
    ),
    recorded as (
      insert into deleted_endpoints (organization_id, endpoint_id)
      select organization_id, id
      from deleted
    )
    select name, url
    from deleted`
  return row
}

/** Cancels the deliveries that long paused endpoints hold. One update of the endpoint covers all of them. */
export async function cancelHeld(sql: Sql, heldDays: number): Promise<void> {
  await sql`
    update webhook_endpoints
    set canceled_generation = generation, canceled_at = hub_now()
    where status = 'paused'
      and paused_at <= hub_now() - make_interval(days => ${heldDays})
      and canceled_generation < generation`
}

/** Only after `afterSeconds`: a fan-out that runs during the deletion may still insert deliveries. */
export async function deleteDeletionRecords(sql: Sql, afterSeconds: number): Promise<void> {
  await sql`
    delete from deleted_endpoints e
    where e.deleted_at < hub_now() - make_interval(secs => ${afterSeconds})
      and not exists (
        select 1 from delivery_queue q where q.organization_id = e.organization_id and q.endpoint_id = e.endpoint_id)
      and not exists (
        select 1 from deliveries d where d.organization_id = e.organization_id and d.endpoint_id = e.endpoint_id)`
}
