import type { Fragment, Sql } from '../../kernel/db/pool.ts'
import { rows } from '../../kernel/db/rows.ts'
import type { Limit, Usage } from '../../kernel/rate-limit/limit.ts'
import { buildRequestCount } from '../../kernel/rate-limit/store.ts'
import type { Role, Scope } from './scopes.ts'
import type { CredentialKind } from './store.ts'

/** Parts of the statements that authorize, built by the domains whose tables they read. */
export type AccessReads = {
  /** Rows with `organization_id`, `user_id`, `role`, `joined_at` and columns of the organization. */
  buildMemberships: (sql: Sql) => Fragment
  /** A row with `id` and `send_rate`, if the organization has the channel. */
  buildChannelLookup: (sql: Sql, key: { organizationId: Fragment; id: Fragment }) => Fragment
}
/** The database's counts for a request. Without a limit per organization, the last two are null. */
type RequestUsage = Required<Usage> & { organization_used: number | null; organization_reset_seconds: number | null }

export type AuthenticatedBearer = RequestUsage & {
  organization_id: string
  id: string
  kind: CredentialKind
  name: string
  scopes: Scope[]
  channel_id: string | null
}

/** A request with a bearer token. The channel is that of its path. `times` is 0 if the request was counted before. */
export type BearerRequest = { tokenHash: Buffer; channelId: string | null; times: 0 | 1 }

/**
 * Looks tokens up, counts their requests against one limit and records the use, in one statement. Nothing is cached, so a
 * committed revocation applies to the next request of every process. Each request gets its own number in the count.
 *
 * `last_used_at` is written at most once a minute, because a busy key would rewrite its row on every request. Locked rows
 * are skipped, so two statements never wait for each other. A token that is unknown, revoked or expired gives undefined.
 */
export async function authenticateBearers(
  sql: Sql,
  requests: BearerRequest[],
  limit: Limit,
  reads: AccessReads,
): Promise<(AuthenticatedBearer | undefined)[]> {
  const numbered = requests.map((request, n) => ({ n, ...request }))
  const found = await sql<(AuthenticatedBearer & { n: number })[]>`
    with credential as (
      select r.n, r.times, c.organization_id, c.id, c.kind, c.name, c.scopes, c.channel_id,
        c.last_used_at is null or c.last_used_at < hub_now() - interval '1 minute' as is_stale,
        ${selectLimitSubject(sql, limit)}
      from ${rows(sql, numbered, { n: 'int', tokenHash: 'bytea', channelId: 'uuid', times: 'int' })} as r
      join credential_hashes h on h.token_hash = r.token_hash
      join credentials c on c.organization_id = h.organization_id and c.id = h.credential_id
      ${joinLimitedChannel(sql, limit, reads)}
      where c.revoked_at is null
        and (c.expires_at is null or c.expires_at > hub_now())
    ),
    ${buildCounts(sql, limit, sql`credential`)},
    stale as (
      select organization_id, id
      from credentials
      where (organization_id, id) in (select organization_id, id from credential where is_stale)
      for no key update skip locked
    ),
    used as (
      update credentials
      set last_used_at = hub_now()
      from stale
      where credentials.organization_id = stale.organization_id
        and credentials.id = stale.id
    )
    select c.n, c.organization_id, c.id, c.kind, c.name, c.scopes, c.channel_id, c.rate, u.used, u.reset_seconds,
      u.organization_used, u.organization_reset_seconds
    from credential c
    join usage u on u.n = c.n`
  const byNumber = new Map(found.map(({ n, ...bearer }) => [n, bearer]))
  return requests.map((_, n) => byNumber.get(n))
}

/**
 * Counts requests that have a number `n`, a `subject`, an `organization_id` and `times`, first against the limit itself
 * and then, as far as they are within it, against that of their organization. `usage` has what each counted.
 */
function buildCounts(sql: Sql, limit: Limit, requests: Fragment): Fragment {
  const { perOrganization } = limit
  const noUsage = sql`organization_usage as (select 0 as n, 0 as used, 0 as reset_seconds where false)`
  return sql`
    counted as (${buildRequestCount(sql, limit, sql`select subject, sum(times)::int as times from ${requests} group by subject`)}),
    numbered as (
      select r.n, r.organization_id, counted.reset_seconds,
        (counted.used - sum(r.times) over (partition by r.subject)
          + sum(r.times) over (partition by r.subject order by r.n))::int as used,
        r.times
      from ${requests} r
      join counted on counted.subject = r.subject
    ),
    ${perOrganization ? buildOrganizationCounts(sql, limit, perOrganization) : noUsage},
    usage as (
      select n.n, n.used, n.reset_seconds, o.used as organization_used, o.reset_seconds as organization_reset_seconds
      from numbered n
      left join organization_usage o on o.n = n.n
    )`
}

function buildOrganizationCounts(sql: Sql, limit: Limit, perOrganization: Limit): Fragment {
  const subjects = sql`
    select organization_id::text as subject, sum(times)::int as times
    from numbered
    where used <= ${limit.requests}
    group by organization_id`
  return sql`
    organization_counted as (${buildRequestCount(sql, perOrganization, subjects)}),
    organization_usage as (
      select n.n, o.reset_seconds,
        (o.used - sum(n.times) over (partition by n.organization_id)
          + sum(n.times) over (partition by n.organization_id order by n.n))::int as used
      from numbered n
      join organization_counted o on o.subject = n.organization_id::text
      where n.used <= ${limit.requests}
    )`
}

/**
 * Selects the subject of a limit, the request's channel or else its credential, and the channel's own rate. The query names
 * the caller `c` and has the joined channel.
 */
function selectLimitSubject(sql: Sql, limit: Limit): Fragment {
  if (!limit.isPerChannel) return sql`c.organization_id || ':' || c.id as subject, null::int as rate`
  const rate = limit.channelRateMax === undefined ? sql`null::int` : sql`channel.send_rate`
  return sql`c.organization_id || ':' || coalesce(channel.id, c.id) as subject, ${rate} as rate`
}

/**
 * The channel of a channel token, else that of the path if the caller's organization has it. The query names the caller `c`
 * and the request `r`.
 */
function joinLimitedChannel(sql: Sql, limit: Limit, { buildChannelLookup }: AccessReads): Fragment {
  if (!limit.isPerChannel) return sql``
  const key = { organizationId: sql`c.organization_id`, id: sql`coalesce(c.channel_id, r.channel_id)` }
  return sql`left join lateral (${buildChannelLookup(sql, key)}) channel on true`
}

/** True if the session `s` of the user `u` was opened with a second factor that the person still has. */
function selectHasFactor(sql: Sql): Fragment {
  return sql`(u.totp_enabled_at is not null and s.has_second_factor)`
}

type AuthenticatedSession = { [Name in keyof RequestUsage]: RequestUsage[Name] | null } & {
  id: string
  user_id: string
  email: string
  name: string
  is_renewed: boolean
  organization_id: string | null
  role: Role | null
  /** The organization requires a second factor, and the person has none or the session began without it. */
  lacks_second_factor: boolean | null
}

/**
 * Looks a session up, counts the request against the limit and renews the session, in one statement. The session acts for
 * the requested organization, else for its current one. A row without an organization: the person is not a member of it.
 */
export async function authenticateSession(
  sql: Sql,
  s: {
    tokenHash: Buffer
    organizationId: string | null
    limit: Limit
    channelId: string | null
    times: 0 | 1
    lifeSeconds: number
  },
  reads: AccessReads,
): Promise<AuthenticatedSession | undefined> {
  const [row] = await sql<AuthenticatedSession[]>`
    with session as (
      select s.id, s.user_id, s.organization_id, u.email, u.name,
        ${selectHasFactor(sql)} as has_factor,
        s.last_seen_at < hub_now() - interval '1 minute' as is_renewed
      from sessions s
      join users u on u.id = s.user_id
      where s.token_hash = ${s.tokenHash}
        and s.expires_at > hub_now()
    ),
    member as (
      select m.organization_id, m.role, m.two_factor_required and not s.has_factor as lacks_second_factor
      from (${reads.buildMemberships(sql)}) m
      join session s on s.user_id = m.user_id
      where m.organization_id = coalesce(${s.organizationId}::uuid, s.organization_id)
    ),
    request as (
      select 1 as n, ${s.times}::int as times, c.organization_id,
        ${selectLimitSubject(sql, s.limit)}
      from (select m.organization_id, s.id, null::uuid as channel_id from session s cross join member m) c
      cross join (select ${s.channelId}::uuid as channel_id) r
      ${joinLimitedChannel(sql, s.limit, reads)}
    ),
    ${buildCounts(sql, s.limit, sql`request`)},
    renewed as (
      update sessions
      set last_seen_at = hub_now(), expires_at = hub_now() + make_interval(secs => ${s.lifeSeconds})
      from session s
      where sessions.id = s.id and s.is_renewed
    )
    select s.id, s.user_id, s.email, s.name, s.is_renewed, m.organization_id, m.role, m.lacks_second_factor, r.rate,
      u.used, u.reset_seconds, u.organization_used, u.organization_reset_seconds
    from session s
    left join member m on true
    left join request r on true
    left join usage u on true`
  return row
}
/** Undefined if the credential is revoked or expired. */
export async function findActiveScopes(
  sql: Sql,
  key: { organizationId: string; id: string },
): Promise<Scope[] | undefined> {
  const [row] = await sql<{ scopes: Scope[] }[]>`
    select scopes
    from credentials
    where organization_id = ${key.organizationId}
      and id = ${key.id}
      and revoked_at is null
      and (expires_at is null or expires_at > hub_now())`
  return row?.scopes
}

/** Undefined if the session has ended, its person is not a member, or it lacks the second factor that every member needs. */
export async function findSessionRole(
  sql: Sql,
  key: { organizationId: string; sessionId: string },
  { buildMemberships }: AccessReads,
): Promise<Role | undefined> {
  const [row] = await sql<{ role: Role }[]>`
    select m.role
    from sessions s
    join users u on u.id = s.user_id
    join (${buildMemberships(sql)}) m on m.user_id = s.user_id
    where s.id = ${key.sessionId}
      and s.expires_at > hub_now()
      and m.organization_id = ${key.organizationId}
      and (not m.two_factor_required or ${selectHasFactor(sql)})`
  return row?.role
}
