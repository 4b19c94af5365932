import type { Sql, Tx } from '../../kernel/db/pool.ts'
import type { Limit, Usage } from '../../kernel/rate-limit/limit.ts'
import { counting } from '../../kernel/rate-limit/store.ts'
import type { Role, Scope } from './scopes.ts'

export type CredentialKind = 'api_key' | 'channel_token'

type AdmittedBearer = Usage & {
  organization_id: string
  id: string
  kind: CredentialKind
  name: string
  scopes: Scope[]
  channel_id: string | null
}

/**
 * Looks a token up, counts the request and notes the use, in one statement.
 * Nothing is cached, so a revocation that has committed holds for the next
 * request of every process. The time of last use is written once a minute at
 * most: a busy key would otherwise rewrite its row on every request.
 */
export async function admitBearer(sql: Sql, tokenHash: Buffer, limit: Limit): Promise<AdmittedBearer | undefined> {
  const subjects = sql`select organization_id || ':' || id as subject from credential`
  const [row] = await sql<AdmittedBearer[]>`
    with credential as (
      select c.organization_id, c.id, c.kind, c.name, c.scopes, c.channel_id, c.last_used_at
      from credential_hashes h
      join credentials c on c.organization_id = h.organization_id and c.id = h.credential_id
      where h.token_hash = ${tokenHash}
        and c.revoked_at is null
        and (c.expires_at is null or c.expires_at > hub_now())
    ),
    counted as (${counting(sql, limit, subjects)}),
    used as (
      update credentials k
      set last_used_at = hub_now()
      from credential c
      where k.organization_id = c.organization_id
        and k.id = c.id
        and (c.last_used_at is null or c.last_used_at < hub_now() - interval '1 minute')
    )
    select c.organization_id, c.id, c.kind, c.name, c.scopes, c.channel_id, n.used, n.reset_seconds
    from credential c
    cross join counted n`
  return row
}

type AdmittedSession = {
  id: string
  user_id: string
  email: string
  name: string
  is_renewed: boolean
  organization_id: string | null
  role: Role | null
  used: number | null
  reset_seconds: number | null
}

/**
 * The same for a person's session. It acts for the organization asked for, else
 * for its current one; no organization in the row means that the person is not a
 * member of it.
 */
export async function admitSession(
  sql: Sql,
  s: { tokenHash: Buffer; organizationId: string | null; limit: Limit; lifeSeconds: number },
): Promise<AdmittedSession | undefined> {
  const subjects = sql`
    select m.organization_id || ':' || s.id as subject
    from session s
    cross join member m`
  const [row] = await sql<AdmittedSession[]>`
    with session as (
      select s.id, s.user_id, s.organization_id, u.email, u.name,
        s.last_seen_at < hub_now() - interval '1 minute' as is_renewed
      from sessions s
      join users u on u.id = s.user_id
      where s.token_hash = ${s.tokenHash}
        and s.expires_at > hub_now()
    ),
    member as (
      select m.organization_id, m.role
      from memberships m
      join session s on s.user_id = m.user_id
      where m.organization_id = coalesce(${s.organizationId}::uuid, s.organization_id)
    ),
    counted as (${counting(sql, s.limit, subjects)}),
    renewed as (
      update sessions k
      set last_seen_at = hub_now(), expires_at = hub_now() + make_interval(secs => ${s.lifeSeconds})
      from session s
      where k.id = s.id and s.is_renewed
    )
    select s.id, s.user_id, s.email, s.name, s.is_renewed, m.organization_id, m.role, n.used, n.reset_seconds
    from session s
    left join member m on true
    left join counted n on true`
  return row
}

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
      values (${c.organizationId}, ${c.id}, ${c.kind}, ${c.name}, ${c.last4}, ${tx.array([...c.scopes])},
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

export async function listCredentials(
  sql: Sql,
  key: { organizationId: string; kind: CredentialKind; id: string | null },
): Promise<CredentialRow[]> {
  return sql<CredentialRow[]>`
    select id, name, last4, scopes, created_at, last_used_at, expires_at, revoked_at,
      case when revoked_at is not null then 'revoked'
           when expires_at <= hub_now() then 'expired'
           else 'active' end as status
    from credentials
    where organization_id = ${key.organizationId}
      and kind = ${key.kind}
      and (${key.id}::uuid is null or id = ${key.id}::uuid)
    order by id desc`
}

/** The first revocation counts: a repeat keeps its time, and reports that nothing changed. */
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
      and c.id = b.id
    returning b.revoked_at is null as changed`
  return row
}

export async function markChannelTokensRevoked(
  tx: Tx,
  key: { organizationId: string; channelId: string },
): Promise<void> {
  await tx`
    update credentials
    set revoked_at = hub_now()
    where organization_id = ${key.organizationId}
      and channel_id = ${key.channelId}
      and revoked_at is null`
}
