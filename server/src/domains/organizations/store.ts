import type { Language } from '@hubline/locales/languages.ts'
import type { Sql, Tx } from '../../kernel/db/pool.ts'
import type { Role } from '../auth/scopes.ts'

export async function insertOrganization(
  tx: Tx,
  o: { id: string; name: string; language: Language; timeZone: string },
): Promise<void> {
  await tx`
    insert into organizations (id, name, language, time_zone)
    values (${o.id}, ${o.name}, ${o.language}, ${o.timeZone})`
}

export async function listUserOrganizations(
  sql: Sql,
  userId: string,
): Promise<{ id: string; name: string; role: Role }[]> {
  return sql<{ id: string; name: string; role: Role }[]>`
    select o.id, o.name, m.role
    from memberships m
    join organizations o on o.id = m.organization_id
    where m.user_id = ${userId}
    order by o.name, o.id`
}

export async function organizationExists(sql: Sql, id: string): Promise<boolean> {
  const rows = await sql`select 1 from organizations where id = ${id}`
  return rows.length === 1
}

type OrganizationRow = {
  id: string
  name: string
  language: string
  time_zone: string
  two_factor_required: boolean
  created_at: string
}

export type LockedOrganization = {
  id: string
  name: string
  language: Language
  time_zone: string
  deletes_at: string | null
  /** Returns true if it was created less than a day ago. */
  is_new: boolean
}

/**
 * Serializes changes of the organization, and creations that its quotas limit: each counts what the previous one
 * committed.
 */
export async function lockOrganization(tx: Tx, id: string): Promise<LockedOrganization | undefined> {
  const [row] = await tx<LockedOrganization[]>`
    select id, name, language, time_zone, deletes_at, created_at > hub_now() - interval '1 day' as is_new
    from organizations
    where id = ${id}
    for no key update`
  return row
}

export async function findOrganization(sql: Sql, id: string): Promise<OrganizationRow | undefined> {
  const [row] = await sql<OrganizationRow[]>`
    select id, name, language, time_zone, two_factor_required, created_at
    from organizations
    where id = ${id}`
  return row
}

type KeptOrganization = OrganizationRow & { color: string | null; logo: { type: string; base64: string } | null }

export async function findKeptOrganization(sql: Sql, id: string): Promise<KeptOrganization | undefined> {
  const [row] = await sql<KeptOrganization[]>`
    select id, name, language, time_zone, two_factor_required, created_at, color,
      case when logo is not null
        then json_build_object('type', logo_type, 'base64', translate(encode(logo, 'base64'), E'\\n', '')) end as logo
    from organizations
    where id = ${id}`
  return row
}

export type LogoFile = { type: string; bytes: Buffer }

export async function findLogo(sql: Sql, id: string): Promise<LogoFile | undefined> {
  const [row] = await sql<LogoFile[]>`
    select logo_type as type, logo as bytes
    from organizations
    where id = ${id}
      and logo is not null`
  return row
}
