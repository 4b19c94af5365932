import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import type { EventKind } from '../../events/catalogue.ts'

export type PayloadMode = 'normalized' | 'upstream_raw'
export type DeliveryFormat = 'native' | 'compat'

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

export async function unlinkChannel(tx: Tx, key: { organizationId: string; channelId: string }): Promise<void> {
  await tx`
    delete from webhook_endpoint_channels
    where organization_id = ${key.organizationId}
      and channel_id = ${key.channelId}`
}

/** How many active endpoints get this channel's events. */
export async function countReceivers(sql: Sql, key: { organizationId: string; channelId: string }): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count
    from webhook_endpoints e
    where e.organization_id = ${key.organizationId}
      and e.status = 'active'
      and (e.all_channels or exists (
        select 1
        from webhook_endpoint_channels c
        where c.organization_id = e.organization_id
          and c.endpoint_id = e.id
          and c.channel_id = ${key.channelId}))`
  return row?.count ?? 0
}

/** A page of sealed secrets that another key than `keyId` sealed. */
export async function listSealed(
  sql: Sql,
  p: { keyId: string; limit: number; after: { organizationId: string; id: string } | null },
): Promise<{ organization_id: string; id: string; secret: string }[]> {
  return sql<{ organization_id: string; id: string; secret: string }[]>`
    select organization_id, id, secret
    from webhook_endpoints
    where split_part(secret, '.', 1) <> ${p.keyId}
      and (${p.after?.id ?? null}::uuid is null
        or (organization_id, id) > (${p.after?.organizationId ?? null}::uuid, ${p.after?.id ?? null}::uuid))
    order by organization_id, id
    limit ${p.limit}`
}

/** Replaces a secret only where it is still the one that was read: it may be rotated meanwhile. */
export async function replaceSealed(
  sql: Sql,
  rows: { organizationId: string; id: string; from: string; to: string }[],
): Promise<number> {
  const result = await sql`
    update webhook_endpoints e
    set secret = r.new_secret
    from unnest(
      ${sql.array(rows.map((row) => row.organizationId))}::uuid[],
      ${sql.array(rows.map((row) => row.id))}::uuid[],
      ${sql.array(rows.map((row) => row.from))}::text[],
      ${sql.array(rows.map((row) => row.to))}::text[]
    ) as r (organization_id, id, old_secret, new_secret)
    where e.organization_id = r.organization_id
      and e.id = r.id
      and e.secret = r.old_secret`
  return result.count
}
