import type { Sql } from '../../kernel/db/pool.ts'
import { rows } from '../../kernel/db/rows.ts'
import type { LoggedRequest, RequestErrorGroup } from './schemas.ts'

/** A request to store. `later` is how many of its organization in the same batch were answered after it. */
export type NewLoggedRequest = {
  organizationId: string
  later: number
  ageMs: number
  requestId: string
  method: string
  route: string
  path: string
  status: number
  durationMs: number
  credentialType: string
  credentialId: string
  errorCode: string | null
  ip: string | null
}

/**
 * Numbers the requests, stores them, and deletes for each the one whose place it takes, which is found by its number: the
 * statements before have deleted all below. Two processes wait for each other only at the position of an organization, in
 * the order of ids. Those of an organization that is gone are left out: a slow response may outlast it.
 */
export async function insertRequests(sql: Sql, requests: NewLoggedRequest[], keptMax: number): Promise<void> {
  await sql`
    with request as materialized (
      select *
      from ${rows(sql, requests, {
        organizationId: 'uuid',
        later: 'int',
        ageMs: 'float8',
        requestId: 'uuid',
        method: 'text',
        route: 'text',
        path: 'text',
        status: 'smallint',
        durationMs: 'int',
        credentialType: 'text',
        credentialId: 'uuid',
        errorCode: 'text',
        ip: 'text',
      })} as r
    ),
    position as (
      insert into request_log_positions as p (organization_id, written)
      select r.organization_id, count(*)
      from request r
      join organizations o on o.id = r.organization_id
      group by r.organization_id
      order by r.organization_id
      on conflict (organization_id) do update
      set written = p.written + excluded.written
      returning organization_id, written
    ),
    trimmed as (
      delete from logged_requests l
      using request r
      join position p on p.organization_id = r.organization_id
      where l.organization_id = r.organization_id
        and l.number = p.written - r.later - ${keptMax}::int
    )
    insert into logged_requests (organization_id, number, answered_at, request_id, method, route, path, status,
      duration_ms, credential_type, credential_id, error_code, ip)
    select r.organization_id, p.written - r.later, hub_now() - r.age_ms * interval '1 millisecond', r.request_id, r.method,
      r.route, r.path, r.status, r.duration_ms, r.credential_type, r.credential_id, r.error_code, r.ip
    from request r
    join position p on p.organization_id = r.organization_id`
}

type RequestFilter = {
  organizationId: string
  /** From one status to another, both included. */
  status: [from: number, to: number] | null
  method: string | null
  route: string | null
  credentialId: string | null
  errorCode: string | null
  requestId: string | null
  number: number | null
  since: string | null
  until: string | null
  beforeNumber: string | null
  limit: number
}

/**
 * Newest first. Without a filter the page is all that is read, and with one at most the organization's whole log, which is
 * why that is short. Failed requests have an index, because they are what a person looks for.
 */
export async function listRequests(sql: Sql, f: RequestFilter): Promise<LoggedRequest[]> {
  const isFailed = f.errorCode !== null || (f.status !== null && f.status[0] >= 400)
  return sql<LoggedRequest[]>`
    select l.number::float8 as number, l.request_id, l.answered_at, l.method, l.route, l.path, l.status, l.duration_ms,
      l.error_code, l.ip,
      json_build_object('type', l.credential_type, 'id', l.credential_id, 'name', c.name, 'channel_id', c.channel_id)
        as credential
    from (
      select *
      from logged_requests
      where organization_id = ${f.organizationId}
        ${f.beforeNumber === null ? sql`` : sql`and number < ${f.beforeNumber}`}
        ${isFailed ? sql`and status >= 400` : sql``}
        ${f.status === null ? sql`` : sql`and status between ${f.status[0]} and ${f.status[1]}`}
        ${f.method === null ? sql`` : sql`and method = ${f.method}`}
        ${f.route === null ? sql`` : sql`and route = ${f.route}`}
        ${f.credentialId === null ? sql`` : sql`and credential_id = ${f.credentialId}`}
        ${f.errorCode === null ? sql`` : sql`and error_code = ${f.errorCode}`}
        ${f.requestId === null ? sql`` : sql`and request_id = ${f.requestId}`}
        ${f.number === null ? sql`` : sql`and number = ${f.number}`}
        ${f.since === null ? sql`` : sql`and answered_at >= ${f.since}`}
        ${f.until === null ? sql`` : sql`and answered_at < ${f.until}`}
      order by organization_id desc, number desc
      limit ${f.limit}
    ) l
    left join lateral (
      select name, channel_id
      from credentials
      where organization_id = l.organization_id and id = l.credential_id
      limit 1
    ) c on true
    order by l.number desc`
}

/** The most frequent first. Reads the failed requests of the organization only. */
export async function listErrorGroups(
  sql: Sql,
  f: { organizationId: string; since: string | null; limit: number },
): Promise<RequestErrorGroup[]> {
  return sql<RequestErrorGroup[]>`
    select error_code, status, method, route, count(*)::int as count, max(answered_at) as last_at,
      (array_agg(request_id order by number desc))[1] as last_request_id
    from logged_requests
    where organization_id = ${f.organizationId}
      and status >= 400
      and answered_at >= ${f.since ?? '-infinity'}
    group by error_code, status, method, route
    order by count desc, max(number) desc
    limit ${f.limit}`
}

/**
 * Deletes old requests of the `organizations` that come next after one, up to `limit` of each. `last` is the last of these
 * organizations, null if there was none, and `hasMore` says that one of them may have more.
 */
export async function deleteOld(
  sql: Sql,
  d: { days: number; after: string; organizations: number; limit: number },
): Promise<{ last: string | null; hasMore: boolean }> {
  const isOld = sql`answered_at < hub_now() - make_interval(days => ${d.days})`
  const [row] = await sql<{ last: string | null; has_more: boolean }[]>`
    with organization as materialized (
      select organization_id
      from request_log_positions
      where organization_id > ${d.after}
      order by organization_id
      limit ${d.organizations}
    ),
    -- Numbers are in the order of time: where the first one is not old, there is nothing to read.
    old as materialized (
      select l.organization_id, l.place
      from organization o
      cross join lateral (
        select answered_at
        from logged_requests
        where organization_id = o.organization_id
        order by number
        limit 1
      ) first
      cross join lateral (
        select organization_id, ctid as place, answered_at
        from logged_requests
        where organization_id = o.organization_id
        order by number
        limit ${d.limit}
      ) l
      where first.${isOld}
        and l.${isOld}
    ),
    deleted as (
      delete from logged_requests
      where ctid = any(array(select place from old))
    )
    select (select organization_id from organization order by organization_id desc limit 1) as last,
      exists (select from old group by organization_id having count(*) = ${d.limit}) as has_more`
  return { last: row?.last ?? null, hasMore: row?.has_more ?? false }
}
