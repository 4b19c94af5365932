import type { Language } from '@hubline/locales/languages.ts'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import { rows } from '../../../kernel/db/rows.ts'
import { ROLES, type Role } from '../../auth/scopes.ts'
import type { Invitation } from './schemas.ts'

/**
 * Revokes the open invitations to an e-mail before a new one is inserted. The caller's lock on the organization
 * serializes concurrent invitations, so each one sees and revokes the one before: at most one link works.
 */
export async function revokeOpen(tx: Tx, key: { organizationId: string; email: string }): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    update invitations
    set revoked_at = hub_now()
    where organization_id = ${key.organizationId}
      and email = ${key.email}
      and accepted_at is null
      and revoked_at is null
      and expires_at > hub_now()
    returning id`
  return rows.map(({ id }) => id)
}

export async function insertInvitation(
  tx: Tx,
  i: {
    organizationId: string
    id: string
    email: string
    role: Role
    invitedBy: string
    inviterId: string | null
    /** The link that its maker sees, and the one in the mail. */
    links: { tokenHash: Buffer; isMailed: boolean }[]
    lifeSeconds: number
  },
): Promise<Invitation> {
  const [row] = await tx<Invitation[]>`
    insert into invitations (organization_id, id, email, role, invited_by, inviter_id, expires_at)
    values (${i.organizationId}, ${i.id}, ${i.email}, ${i.role}, ${i.invitedBy}, ${i.inviterId},
      hub_now() + make_interval(secs => ${i.lifeSeconds}))
    returning id, email, role, invited_by, created_at, expires_at`
  await tx`
    insert into invitation_links (token_hash, organization_id, invitation_id, is_mailed)
    select l.token_hash, ${i.organizationId}, ${i.id}, l.is_mailed
    from ${rows(tx, i.links, { tokenHash: 'bytea', isMailed: 'boolean' })} as l`
  if (!row) throw new Error('An insert returned no row')
  return row
}

/** Newest first. */
export async function listOpen(
  sql: Sql,
  f: { organizationId: string; before: string | null; limit: number },
): Promise<Invitation[]> {
  return sql<Invitation[]>`
    select id, email, role, invited_by, created_at, expires_at
    from invitations
    where organization_id = ${f.organizationId}
      and accepted_at is null
      and revoked_at is null
      and expires_at > hub_now()
      ${f.before === null ? sql`` : sql`and id < ${f.before}`}
    order by id desc
    limit ${f.limit}`
}

export async function markRevoked(tx: Tx, key: { organizationId: string; id: string }): Promise<boolean> {
  const rows = await tx`
    update invitations
    set revoked_at = hub_now()
    where organization_id = ${key.organizationId}
      and id = ${key.id}
      and accepted_at is null
      and revoked_at is null
      and expires_at > hub_now()
    returning id`
  return rows.length === 1
}

export type OpenInvitation = {
  organization_id: string
  organization_name: string
  language: Language
  id: string
  email: string
  role: Role
  expires_at: string
  /** True if this link is the one in the mail, which its maker has not seen. */
  is_mailed: boolean
}

/** True if the inviter still has the role that the invitation gives, or a higher one. */
const isInviterEntitled = (sql: Sql) => sql`
  (i.inviter_id is null or exists (
    select 1
    from memberships m
    where m.organization_id = i.organization_id
      and m.user_id = i.inviter_id
      and array_position(${ROLES}::text[], m.role) >= array_position(${ROLES}::text[], i.role)))`

/** Unknown, used, revoked and expired links give no row. */
export async function findOpenByLink(sql: Sql, tokenHash: Buffer): Promise<OpenInvitation | undefined> {
  const [row] = await sql<OpenInvitation[]>`
    select i.organization_id, o.name as organization_name, o.language, i.id, i.email, i.role, i.expires_at,
      l.is_mailed
    from invitation_links l
    join invitations i on i.organization_id = l.organization_id and i.id = l.invitation_id
    join organizations o on o.id = i.organization_id
    where l.token_hash = ${tokenHash}
      and i.accepted_at is null
      and i.revoked_at is null
      and i.expires_at > hub_now()
      and ${isInviterEntitled(sql)}`
  return row
}

/** The row lock lets only the first of concurrent uses accept the invitation. */
export async function markAccepted(tx: Tx, key: { organizationId: string; id: string }): Promise<boolean> {
  const rows = await tx`
    update invitations i
    set accepted_at = hub_now()
    where organization_id = ${key.organizationId}
      and id = ${key.id}
      and accepted_at is null
      and revoked_at is null
      and expires_at > hub_now()
      and ${isInviterEntitled(tx)}
    returning id`
  return rows.length === 1
}

/** With their links, some time after their expiry, used or not. */
export async function deleteOldInvitations(sql: Sql, days: number): Promise<void> {
  await sql`
    delete from invitations
    where expires_at < hub_now() - make_interval(days => ${days})`
}

type KeptInvitation = Invitation & { accepted_at: string | null; revoked_at: string | null }

/** Newest first, with those that were accepted, revoked or have expired. */
export async function listKept(
  sql: Sql,
  f: { organizationId: string; before: string | null; limit: number },
): Promise<KeptInvitation[]> {
  return sql<KeptInvitation[]>`
    select id, email, role, invited_by, created_at, expires_at, accepted_at, revoked_at
    from invitations
    where organization_id = ${f.organizationId}
      ${f.before === null ? sql`` : sql`and id < ${f.before}`}
    order by id desc
    limit ${f.limit}`
}
