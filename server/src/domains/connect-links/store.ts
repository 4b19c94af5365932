import type { Language } from '@hubline/locales/languages.ts'
import type { Fragment, Sql, Tx } from '../../kernel/db/pool.ts'
import type { Initiator } from '../audit/initiator.ts'
import type { ConnectLinkOptions, ListedLink } from './schemas.ts'

/** A new link ends the channel's older ones. */
export async function insertLink(
  tx: Tx,
  l: ConnectLinkOptions & {
    organizationId: string
    id: string
    channelId: string
    tokenHash: Buffer
    lifeSeconds: number
    maker: Initiator['actor']
  },
): Promise<{ expires_at: string }> {
  await endLinks(tx, l)
  const [row] = await tx<{ expires_at: string }[]>`
    insert into connect_links
      (organization_id, id, channel_id, expires_at, success_url, failure_url, language, metadata, maker_type, maker_id, maker_name)
    values
      (${l.organizationId}, ${l.id}, ${l.channelId}, hub_now() + make_interval(secs => ${l.lifeSeconds}),
       ${l.success_url ?? null}, ${l.failure_url ?? null}, ${l.language ?? null},
       ${l.metadata === undefined ? null : JSON.stringify(l.metadata)}::text::json,
       ${l.maker.type}, ${l.maker.id}, ${l.maker.name})
    returning expires_at`
  await tx`
    insert into connect_link_hashes (token_hash, organization_id, link_id)
    values (${l.tokenHash}, ${l.organizationId}, ${l.id})`
  if (!row) throw new Error('An insert returned no row')
  return row
}

export async function endLinks(tx: Tx, key: { organizationId: string; channelId: string }): Promise<void> {
  await tx`
    update connect_links
    set ended_at = hub_now(), exchanged_code = null, exchanged_token = null
    where organization_id = ${key.organizationId}
      and channel_id = ${key.channelId}
      and used_at is null
      and ended_at is null`
}

export type Link = {
  organization_id: string
  id: string
  channel_id: string
  expires_at: string
  organization_name: string
  /** The language of the organization. */
  language: Language
  color: string | null
  has_logo: boolean
  link_language: Language | null
  success_url: string | null
  failure_url: string | null
  metadata: Record<string, unknown> | null
  state: 'open' | 'claimed' | 'used' | 'expired'
}

/** The newest links of a channel, without anything that leads to their pages. */
export async function listLinks(
  sql: Sql,
  l: { organizationId: string; channelId: string; limit: number },
): Promise<ListedLink[]> {
  return sql<ListedLink[]>`
    select id, created_at, expires_at, used_at,
      case when maker_type is not null then json_build_object('type', maker_type, 'id', maker_id, 'name', maker_name) end
        as created_by,
      case when used_at is not null then 'used'
           when ended_at is not null then 'replaced'
           when expires_at <= hub_now() then 'expired'
           when claimed_until > hub_now() then 'in_use'
           else 'open' end as state
    from connect_links
    where organization_id = ${l.organizationId}
      and channel_id = ${l.channelId}
    order by organization_id desc, channel_id desc, id desc
    limit ${l.limit}`
}

/** The link of an archived channel is not found. */
export async function findLink(
  sql: Sql,
  tokenHash: Buffer,
  buildOpenChannels: (sql: Sql) => Fragment,
): Promise<Link | undefined> {
  const [row] = await sql<Link[]>`
    select l.organization_id, l.id, l.channel_id, l.expires_at, o.name as organization_name, o.language,
      o.color, o.logo is not null as has_logo,
      l.language as link_language, l.success_url, l.failure_url, l.metadata,
      case when l.used_at is not null then 'used'
           when l.ended_at is not null or l.expires_at <= hub_now() then 'expired'
           when l.claimed_until > hub_now() then 'claimed'
           else 'open' end as state
    from connect_link_hashes h
    join connect_links l on l.organization_id = h.organization_id and l.id = h.link_id
    join (${buildOpenChannels(sql)}) c on c.organization_id = l.organization_id and c.id = l.channel_id
    join organizations o on o.id = l.organization_id
    where h.token_hash = ${tokenHash}`
  return row
}

/** The row lock lets one of several concurrent claims succeed. The claim of a process that died expires. */
export async function claimLink(
  sql: Sql,
  key: { organizationId: string; id: string; claim: string; seconds: number },
): Promise<boolean> {
  const updated = await sql`
    update connect_links
    set claim = ${key.claim}, claimed_until = hub_now() + make_interval(secs => ${key.seconds})
    where organization_id = ${key.organizationId}
      and id = ${key.id}
      and used_at is null
      and ended_at is null
      and expires_at > hub_now()
      and (claimed_until is null or claimed_until <= hub_now())
    returning id`
  return updated.length === 1
}

export async function releaseLink(sql: Sql, key: { organizationId: string; id: string; claim: string }): Promise<void> {
  await sql`
    update connect_links
    set claim = null, claimed_until = null
    where organization_id = ${key.organizationId}
      and id = ${key.id}
      and claim = ${key.claim}`
}

/** Spends the link if this claim still holds it: an expired claim must not spend a link that another one holds. */
export async function markUsed(tx: Tx, key: { organizationId: string; id: string; claim: string }): Promise<boolean> {
  const updated = await tx`
    update connect_links
    set used_at = hub_now(), claim = null, claimed_until = null, exchanged_code = null, exchanged_token = null
    where organization_id = ${key.organizationId}
      and id = ${key.id}
      and claim = ${key.claim}
      and claimed_until > hub_now()
      and used_at is null
      and ended_at is null
    returning id`
  return updated.length === 1
}

/** Stores the token of a code while the customer looks up a PIN. An ended link stores none. */
export async function updateExchanged(
  sql: Sql,
  key: { organizationId: string; id: string; claim: string; codeHash: Buffer; sealedToken: string; seconds: number },
): Promise<void> {
  await sql`
    update connect_links
    set exchanged_code = ${key.codeHash}, exchanged_token = ${key.sealedToken},
        exchanged_until = hub_now() + make_interval(secs => ${key.seconds})
    where organization_id = ${key.organizationId}
      and id = ${key.id}
      and claim = ${key.claim}
      and ended_at is null`
}

export async function findExchanged(
  sql: Sql,
  key: { organizationId: string; id: string; codeHash: Buffer },
): Promise<string | undefined> {
  const [row] = await sql<{ exchanged_token: string }[]>`
    select exchanged_token
    from connect_links
    where organization_id = ${key.organizationId}
      and id = ${key.id}
      and exchanged_code = ${key.codeHash}
      and exchanged_until > hub_now()
      and exchanged_token is not null`
  return row?.exchanged_token
}

export async function deleteExpiredExchanges(sql: Sql): Promise<void> {
  await sql`
    update connect_links
    set exchanged_code = null, exchanged_token = null
    where exchanged_token is not null
      and exchanged_until <= hub_now()`
}

/** Deletes up to `limit` links that expired that long ago, and returns how many. */
export async function deleteLinks(sql: Sql, d: { expiredDays: number; limit: number }): Promise<number> {
  const result = await sql`
    delete from connect_links
    where ctid = any(array(
      select ctid
      from connect_links
      where expires_at < hub_now() - make_interval(days => ${d.expiredDays})
      order by expires_at
      limit ${d.limit}))`
  return result.count
}
