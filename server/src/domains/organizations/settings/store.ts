import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import type { OrganizationSettings } from './schemas.ts'

type SettingsRow = Omit<OrganizationSettings, 'retention'>

export async function findSettings(sql: Sql, organizationId: string): Promise<SettingsRow | undefined> {
  const [row] = await sql<SettingsRow[]>`
    select name, language, time_zone, two_factor_required, deletes_at
    from organizations
    where id = ${organizationId}`
  return row
}

/** Serializes changes, so that each records what it has replaced. */
export async function lockSettings(tx: Tx, organizationId: string): Promise<SettingsRow | undefined> {
  const [row] = await tx<SettingsRow[]>`
    select name, language, time_zone, two_factor_required, deletes_at
    from organizations
    where id = ${organizationId}
    for no key update`
  return row
}

export async function updateSettings(tx: Tx, organizationId: string, s: SettingsRow): Promise<void> {
  await tx`
    update organizations
    set name = ${s.name}, language = ${s.language}, time_zone = ${s.time_zone},
        two_factor_required = ${s.two_factor_required}
    where id = ${organizationId}`
}
