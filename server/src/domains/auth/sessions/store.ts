import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import type { AccessReads } from '../authentication-store.ts'
import type { CurrentSession, Session } from './schemas.ts'

export async function insertSession(
  tx: Tx,
  s: {
    id: string
    userId: string
    organizationId: string
    tokenHash: Buffer
    ip: string | null
    userAgent: string | null
    lifeSeconds: number
    hasSecondFactor: boolean
  },
): Promise<void> {
  await tx`
    insert into sessions (id, user_id, organization_id, token_hash, ip, user_agent, has_second_factor, expires_at)
    values (${s.id}, ${s.userId}, ${s.organizationId}, ${s.tokenHash}, ${s.ip}, ${s.userAgent}, ${s.hasSecondFactor},
      hub_now() + make_interval(secs => ${s.lifeSeconds}))`
}

export async function listSessions(sql: Sql, userId: string, currentId: string): Promise<Session[]> {
  return sql<Session[]>`
    select id, id = ${currentId} as current, ip, user_agent, created_at, last_seen_at, expires_at
    from sessions
    where user_id = ${userId}
      and expires_at > hub_now()
    order by last_seen_at desc, id desc`
}

/** Serializes with other transactions that lock the person. */
export async function lockUser(tx: Tx, userId: string): Promise<void> {
  await tx`select id from users where id = ${userId} for no key update`
}

/** False if the session is over. Else it stays until the transaction ends. */
export async function keepSession(tx: Tx, id: string): Promise<boolean> {
  const rows = await tx`select id from sessions where id = ${id} for key share`
  return rows.length === 1
}

export async function listSessionIds(tx: Tx, userId: string): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`select id from sessions where user_id = ${userId}`
  return rows.map(({ id }) => id)
}

/** Deletes all but the `max` sessions of a person that were used last, and never the one to keep; returns how many. */
export async function deleteLongestUnused(tx: Tx, d: { userId: string; keptId: string; max: number }): Promise<number> {
  const { count } = await tx`
    delete from sessions
    where id in (
      select id
      from sessions
      where user_id = ${d.userId}
        and id <> ${d.keptId}
      order by last_seen_at desc, id desc
      offset ${d.max - 1})`
  return count
}

export async function deleteSession(tx: Tx, key: { userId: string; id: string }): Promise<boolean> {
  const rows = await tx`
    delete from sessions
    where id = ${key.id}
      and user_id = ${key.userId}
    returning id`
  return rows.length === 1
}

export async function deleteUserSessions(tx: Tx, key: { userId: string; exceptId: string | null }): Promise<void> {
  await tx`
    delete from sessions
    where user_id = ${key.userId}
      and (${key.exceptId}::uuid is null or id <> ${key.exceptId}::uuid)`
}

export async function deleteOrganizationSessions(
  tx: Tx,
  key: { userId: string; organizationId: string },
): Promise<void> {
  await tx`
    delete from sessions
    where user_id = ${key.userId}
      and organization_id = ${key.organizationId}`
}

export async function deleteSessionsOfOrganization(tx: Tx, organizationId: string): Promise<void> {
  await tx`delete from sessions where organization_id = ${organizationId}`
}

export async function deleteExpiredSessions(sql: Sql): Promise<void> {
  await sql`
    delete from sessions
    where expires_at <= hub_now()`
}

/** False if the session is over. */
export async function markSecondFactor(tx: Tx, id: string): Promise<boolean> {
  const rows = await tx`
    update sessions
    set has_second_factor = true
    where id = ${id}
    returning id`
  return rows.length === 1
}

export async function updateOrganization(tx: Tx, sessionId: string, organizationId: string): Promise<void> {
  await tx`update sessions set organization_id = ${organizationId} where id = ${sessionId}`
}

/** The person, the organization and the role between them; undefined if the person is not a member. */
export async function findCurrent(
  sql: Sql,
  key: { userId: string; organizationId: string },
  { buildMemberships }: AccessReads,
): Promise<CurrentSession | undefined> {
  const [row] = await sql<CurrentSession[]>`
    select
      json_build_object('id', u.id, 'email', u.email, 'email_verified', u.email_verified_at is not null, 'name', u.name,
        'totp_enabled', u.totp_enabled_at is not null) as user,
      json_build_object('id', m.organization_id, 'name', m.name, 'language', m.language,
        'time_zone', m.time_zone,
        'two_factor_required', m.two_factor_required,
        'deletes_at', to_char(m.deletes_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) as organization,
      m.role
    from (${buildMemberships(sql)}) m
    join users u on u.id = m.user_id
    where m.user_id = ${key.userId}
      and m.organization_id = ${key.organizationId}`
  return row
}

/** The organization that the person used last, else the one they joined first. */
export async function findDefaultOrganization(
  sql: Sql,
  userId: string,
  { buildMemberships }: AccessReads,
): Promise<string | undefined> {
  const [row] = await sql<{ organization_id: string }[]>`
    select m.organization_id
    from (${buildMemberships(sql)}) m
    left join sessions s on s.user_id = m.user_id and s.organization_id = m.organization_id
    where m.user_id = ${userId}
    order by s.last_seen_at desc nulls last, m.joined_at, m.organization_id
    limit 1`
  return row?.organization_id
}
