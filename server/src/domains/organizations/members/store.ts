import type { Fragment, Sql, Tx } from '../../../kernel/db/pool.ts'
import type { Role } from '../../auth/scopes.ts'
import type { Member } from './schemas.ts'

/** The memberships with the name and the requirements of each organization: a part of other statements. */
export function buildMemberships(sql: Sql): Fragment {
  return sql`
    select m.organization_id, m.user_id, m.role, m.created_at as joined_at, o.name, o.language, o.time_zone,
      o.two_factor_required, o.deletes_at
    from memberships m
    join organizations o on o.id = m.organization_id`
}

/**
 * The people who get mails about endpoints and channels of each organization, with how they read: a part of other
 * statements. An address that nobody has verified may be a stranger's.
 */
export function buildAlertRecipients(sql: Sql): Fragment {
  return sql`
    select m.organization_id, m.user_id, u.email, o.language, o.time_zone, o.name as organization
    from memberships m
    join users u on u.id = m.user_id
    join organizations o on o.id = m.organization_id
    where m.alerts_by_mail
      and m.role <> 'viewer'
      and u.email_verified_at is not null`
}

type MemberKey = { organizationId: string; userId: string }

export async function findAlertsByMail(sql: Sql, key: MemberKey): Promise<boolean | undefined> {
  const [row] = await sql<{ alerts_by_mail: boolean }[]>`
    select alerts_by_mail
    from memberships
    where organization_id = ${key.organizationId}
      and user_id = ${key.userId}`
  return row?.alerts_by_mail
}

export async function updateAlertsByMail(sql: Sql, u: MemberKey & { byMail: boolean }): Promise<void> {
  await sql`
    update memberships
    set alerts_by_mail = ${u.byMail}
    where organization_id = ${u.organizationId}
      and user_id = ${u.userId}`
}

/** Returns false if the person is already a member, and keeps their role. */
export async function insertMember(
  tx: Tx,
  m: { organizationId: string; userId: string; role: Role },
): Promise<boolean> {
  const rows = await tx`
    insert into memberships (organization_id, user_id, role)
    values (${m.organizationId}, ${m.userId}, ${m.role})
    on conflict (organization_id, user_id) do nothing
    returning user_id`
  return rows.length === 1
}

export async function countMembersAndInvitations(tx: Tx, organizationId: string): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select (
      (select count(*) from memberships where organization_id = ${organizationId})
      + (select count(*)
         from invitations
         where organization_id = ${organizationId}
           and accepted_at is null
           and revoked_at is null
           and expires_at > hub_now())
    )::int as count`
  return row?.count ?? 0
}

export async function countOrganizations(tx: Tx, userId: string): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::int as count
    from memberships
    where user_id = ${userId}`
  return row?.count ?? 0
}

export async function listMembers(sql: Sql, organizationId: string): Promise<Member[]> {
  return sql<Member[]>`
    select u.id, u.name, u.email, m.role, u.totp_enabled_at is not null as totp_enabled, m.created_at
    from memberships m
    join users u on u.id = m.user_id
    where m.organization_id = ${organizationId}
    order by m.created_at, u.id`
}

export async function isMember(sql: Sql, key: { organizationId: string; email: string }): Promise<boolean> {
  const rows = await sql`
    select 1
    from memberships m
    join users u on u.id = m.user_id
    where m.organization_id = ${key.organizationId}
      and u.email = ${key.email}`
  return rows.length === 1
}

/** Locks all roles of an organization: of two owners who demote each other concurrently, the second sees the first. */
export async function lockRoles(tx: Tx, organizationId: string): Promise<Map<string, Role>> {
  const rows = await tx<{ user_id: string; role: Role }[]>`
    select user_id, role
    from memberships
    where organization_id = ${organizationId}
    order by user_id
    for update`
  return new Map(rows.map(({ user_id, role }) => [user_id, role]))
}

export async function updateRole(tx: Tx, m: { organizationId: string; userId: string; role: Role }): Promise<void> {
  await tx`
    update memberships
    set role = ${m.role}
    where organization_id = ${m.organizationId}
      and user_id = ${m.userId}`
}

export async function deleteMember(tx: Tx, m: { organizationId: string; userId: string }): Promise<void> {
  await tx`
    delete from memberships
    where organization_id = ${m.organizationId}
      and user_id = ${m.userId}`
}

/** Deletes up to `limit` memberships of an organization, and returns whose they were. */
export async function deleteMembers(tx: Tx, d: { organizationId: string; limit: number }): Promise<string[]> {
  const rows = await tx<{ user_id: string }[]>`
    delete from memberships
    where organization_id = ${d.organizationId}
      and user_id = any(array(
        select user_id
        from memberships
        where organization_id = ${d.organizationId}
        order by user_id
        limit ${d.limit}
        for update))
    returning user_id`
  return rows.map(({ user_id }) => user_id)
}
