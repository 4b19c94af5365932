import type { Fragment, Sql, Tx } from '../../../kernel/db/pool.ts'

type Key = { organizationId: string; id: string }

/** A separate statement, so that it sees links that were inserted while the caller waited for the endpoint's lock. */
export async function listChannelIds(tx: Tx, key: Key): Promise<string[]> {
  const rows = await tx<{ channel_id: string }[]>`
    select channel_id
    from webhook_endpoint_channels
    where organization_id = ${key.organizationId}
      and endpoint_id = ${key.id}`
  return rows.map(({ channel_id }) => channel_id)
}

/** Serializes the transactions of an organization that add links: each counts what the previous one committed. */
export async function lockLinkCount(tx: Tx, organizationId: string): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended(${`channel-ids:${organizationId}`}, 0))`
}

export async function countLinks(tx: Tx, organizationId: string): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count
    from webhook_endpoint_channels
    where organization_id = ${organizationId}`
  return row?.count ?? 0
}

/** Links the endpoint to exactly these channels. The caller has locked them and the endpoint. */
export async function replaceChannels(tx: Tx, key: Key, channelIds: readonly string[]): Promise<void> {
  await tx`
    with wanted as (
      select channel_id
      from unnest(${channelIds}::uuid[]) as channel_id
    ),
    unlinked as (
      delete from webhook_endpoint_channels
      where organization_id = ${key.organizationId}
        and endpoint_id = ${key.id}
        and channel_id not in (select channel_id from wanted)
    )
    insert into webhook_endpoint_channels (organization_id, endpoint_id, channel_id)
    select ${key.organizationId}, ${key.id}, channel_id
    from wanted
    on conflict do nothing`
}

/** Like every change of an endpoint, it locks the endpoints first, in the order of their ids, and then the links. */
export async function unlinkChannel(tx: Tx, key: { organizationId: string; channelId: string }): Promise<void> {
  await tx`
    with linked as (
      select e.id
      from webhook_endpoints e
      where e.organization_id = ${key.organizationId}
        and e.id in (
          select endpoint_id
          from webhook_endpoint_channels
          where organization_id = ${key.organizationId}
            and channel_id = ${key.channelId})
      order by e.id
      for no key update
    )
    update webhook_endpoints e
    set updated_at = hub_now()
    from linked
    where e.organization_id = ${key.organizationId}
      and e.id = linked.id`
  await tx`
    delete from webhook_endpoint_channels
    where organization_id = ${key.organizationId}
      and channel_id = ${key.channelId}`
}

export type Receivers = { active: number; listeners: number; paused: number; paused_names: string[] }

/** Counts the endpoints and the listeners that get this channel's events, with the names of up to `namesMax` paused ones. */
export async function findReceivers(
  sql: Sql,
  key: { organizationId: string; channelId: string; namesMax: number },
): Promise<Receivers> {
  const [row] = await sql<Receivers[]>`
    with endpoints as (
      select e.id, e.name, e.status
      from webhook_endpoints e
      where e.organization_id = ${key.organizationId}
        and e.status in ('active', 'paused')
        and e.inspector_answer is null
        and ${buildHasChannel(sql, key.channelId)}
    )
    select
      (select count(*)::int from endpoints where status = 'active') as active,
      (select count(*)::int from endpoints where status = 'paused') as paused,
      array(
        select name
        from endpoints
        where status = 'paused'
        order by name, id
        limit ${key.namesMax}
      ) as paused_names,
      (
        select count(*)::int
        from listeners l
        where l.organization_id = ${key.organizationId}
          and l.end_reason is null
          and l.expires_at > hub_now()
          and (l.channel_ids is null or ${key.channelId} = any(l.channel_ids))
      ) as listeners`
  return row ?? { active: 0, listeners: 0, paused: 0, paused_names: [] }
}

export async function existsActive(
  sql: Sql,
  key: { organizationId: string; channelId: string; urls: readonly string[] },
): Promise<boolean> {
  const found = await sql`
    select 1
    from webhook_endpoints e
    where e.organization_id = ${key.organizationId}
      and e.status = 'active'
      and e.url = any(${key.urls}::text[])
      and ${buildHasChannel(sql, key.channelId)}
    limit 1`
  return found.length === 1
}

/** True if an endpoint `e` gets the events of a channel. */
function buildHasChannel(sql: Sql, channelId: string): Fragment {
  return sql`(e.all_channels or exists (
    select 1
    from webhook_endpoint_channels c
    where c.organization_id = e.organization_id
      and c.endpoint_id = e.id
      and c.channel_id = ${channelId}))`
}
