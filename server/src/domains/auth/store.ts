import type { Sql, Tx } from '../../kernel/db/pool.ts'
import type { Scope } from './scopes.ts'

export type CredentialKind = 'api_key' | 'channel_token'

export type NewCredential = {
  organizationId: string
  id: string
  kind: CredentialKind
  name: string
  tokenHash: Buffer
  last4: string
  scopes: readonly Scope[]
  channelId: string | null
  expiresAt: string | null
}

export async function insertCredential(tx: Tx, c: NewCredential): Promise<void> {
  await tx`
    with credential as (
      insert into credentials (organization_id, id, kind, name, last4, scopes, channel_id, expires_at)
      values (${c.organizationId}, ${c.id}, ${c.kind}, ${c.name}, ${c.last4}, ${c.scopes},
        ${c.channelId}, ${c.expiresAt})
    )
    insert into credential_hashes (token_hash, organization_id, credential_id)
    values (${c.tokenHash}, ${c.organizationId}, ${c.id})`
}

export type CredentialRow = {
  id: string
  name: string
  last4: string
  scopes: Scope[]
  status: 'active' | 'revoked' | 'expired'
  created_at: string
  last_used_at: string | null
  expires_at: string | null
  revoked_at: string | null
}

const selectCredentialColumns = (sql: Sql) => sql`
  id, name, last4, scopes, created_at, last_used_at, expires_at, revoked_at,
  case when revoked_at is not null then 'revoked'
       when expires_at <= hub_now() then 'expired'
       else 'active' end as status`

export async function findCredential(
  sql: Sql,
  key: { organizationId: string; kind: CredentialKind; id: string },
): Promise<CredentialRow | undefined> {
  const [row] = await sql<CredentialRow[]>`
    select ${selectCredentialColumns(sql)}
    from credentials
    where organization_id = ${key.organizationId}
      and kind = ${key.kind}
      and id = ${key.id}`
  return row
}
/** Newest first. */
export async function listCredentials(
  sql: Sql,
  f: { organizationId: string; kind: CredentialKind; before: string | null; limit: number },
): Promise<CredentialRow[]> {
  return sql<CredentialRow[]>`
    select ${selectCredentialColumns(sql)}
    from credentials
    where organization_id = ${f.organizationId}
      and kind = ${f.kind}
      ${f.before === null ? sql`` : sql`and id < ${f.before}`}
    order by id desc
    limit ${f.limit}`
}

/** Counts the keys that are neither revoked nor expired. */
export async function countActiveKeys(tx: Tx, organizationId: string): Promise<number> {
  const [row] = await tx<{ active: number }[]>`
    select count(*)::int as active
    from credentials
    where organization_id = ${organizationId}
      and kind = 'api_key'
      and revoked_at is null
      and coalesce(expires_at, 'infinity') > hub_now()`
  return row?.active ?? 0
}

/** A repeated revocation keeps the time of the first, and reports that nothing changed. */
export async function markRevoked(
  tx: Tx,
  key: { organizationId: string; kind: CredentialKind; id: string },
): Promise<{ changed: boolean } | undefined> {
  const [row] = await tx<{ changed: boolean }[]>`
    with before as (
      select id, revoked_at
      from credentials
      where organization_id = ${key.organizationId}
        and kind = ${key.kind}
        and id = ${key.id}
      for update
    )
    update credentials c
    set revoked_at = coalesce(c.revoked_at, hub_now())
    from before b
    where c.organization_id = ${key.organizationId}
      and c.id = ${key.id}
    returning b.revoked_at is null as changed`
  return row
}

export async function markChannelTokensRevoked(
  tx: Tx,
  key: { organizationId: string; channelId: string },
): Promise<boolean> {
  const { count } = await tx`
    update credentials
    set revoked_at = hub_now()
    where organization_id = ${key.organizationId}
      and channel_id = ${key.channelId}
      and revoked_at is null`
  return count > 0
}

/** Revokes up to `limit` credentials of an organization, and returns how many. */
export async function markAllRevoked(sql: Sql, r: { organizationId: string; limit: number }): Promise<number> {
  const { count } = await sql`
    update credentials
    set revoked_at = hub_now()
    where ctid = any(array(
      select ctid
      from credentials
      where organization_id = ${r.organizationId}
        and revoked_at is null
      limit ${r.limit}
      for update))`
  return count
}

/** The scopes of the channel's active token, else of the one that was revoked last. */
export async function findChannelTokenScopes(
  tx: Tx,
  key: { organizationId: string; channelId: string },
): Promise<Scope[] | undefined> {
  const [row] = await tx<{ scopes: Scope[] }[]>`
    select scopes
    from credentials
    where organization_id = ${key.organizationId}
      and channel_id = ${key.channelId}
    order by revoked_at desc nulls first, id desc
    limit 1`
  return row?.scopes
}

/**
 * Deletes up to `limit` credentials that were revoked or expired that long ago, and returns how many. The last token of a
 * channel stays: a new one takes its scopes.
 */
export async function deleteEnded(sql: Sql, d: { endedDays: number; limit: number }): Promise<number> {
  const result = await sql`
    delete from credentials
    where ctid = any(array(
      select e.ctid
      from credentials e
      where (e.revoked_at is not null or e.expires_at is not null)
        and least(e.revoked_at, e.expires_at) < hub_now() - make_interval(days => ${d.endedDays})
        and (e.channel_id is null or exists (
          select 1
          from credentials n
          where n.organization_id = e.organization_id and n.channel_id = e.channel_id and n.id > e.id))
      limit ${d.limit}))`
  return result.count
}
