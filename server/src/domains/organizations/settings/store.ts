import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import type { LogoType } from './logo-image.ts'
import type { OrganizationSettings } from './schemas.ts'

export type SettingsRow = Omit<OrganizationSettings, 'retention' | 'color_contrast' | 'logo'> & {
  logo_type: LogoType | null
  logo_bytes: number | null
  logo_set_at: string | null
}

export async function findSettings(sql: Sql, organizationId: string): Promise<SettingsRow | undefined> {
  const [row] = await sql<SettingsRow[]>`
    select name, language, time_zone, two_factor_required, deletes_at, color,
      logo_type, octet_length(logo) as logo_bytes, logo_set_at
    from organizations
    where id = ${organizationId}`
  return row
}

/** Serializes changes, so that each records what it has replaced. */
export async function lockSettings(tx: Tx, organizationId: string): Promise<SettingsRow | undefined> {
  const [row] = await tx<SettingsRow[]>`
    select name, language, time_zone, two_factor_required, deletes_at, color,
      logo_type, octet_length(logo) as logo_bytes, logo_set_at
    from organizations
    where id = ${organizationId}
    for no key update`
  return row
}

export async function updateSettings(tx: Tx, organizationId: string, s: SettingsRow): Promise<void> {
  await tx`
    update organizations
    set name = ${s.name}, language = ${s.language}, time_zone = ${s.time_zone},
        two_factor_required = ${s.two_factor_required}, color = ${s.color}
    where id = ${organizationId}`
}

/** Null for the logo removes it. */
export async function updateLogo(
  tx: Tx,
  organizationId: string,
  logo: { bytes: Buffer; type: LogoType } | null,
): Promise<void> {
  await tx`
    update organizations
    set logo = ${logo?.bytes ?? null}, logo_type = ${logo?.type ?? null},
        logo_set_at = case when ${logo !== null} then hub_now() end
    where id = ${organizationId}`
}
