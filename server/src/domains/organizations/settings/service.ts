import type { Pool, Tx } from '../../../kernel/db/pool.ts'
import { AppError, notFound } from '../../../kernel/errors.ts'
import { listChanges } from '../../audit/changes.ts'
import type { Audit } from '../../audit/service.ts'
import { type Principal, requireSession } from '../../auth/principal.ts'
import type { Users } from '../../auth/users/service.ts'
import { readContrastWithWhite } from '../brand-color.ts'
import { requireLogoImage } from './logo-image.ts'
import type { Logo, OrganizationSettings, Retention, UpdateLogo, UpdateSettings } from './schemas.ts'
import * as store from './store.ts'
import { requireTimeZone } from './time-zone-setting.ts'

type Dependencies = {
  sql: Pool
  audit: Audit
  users: Users
  retention: Retention
  /** Called in the transaction that takes access from members. */
  onAccessChanged: (tx: Tx, organization: { organizationId: string }) => void
}

export type Settings = ReturnType<typeof createSettings>

/** The settings that an organization decides for all its members. */
export function createSettings({ sql, audit, users, retention, onAccessChanged }: Dependencies) {
  /** An owner without a second factor who requires one of all members would lose access with the same request. */
  async function requireOwnSecondFactor(tx: Tx, userId: string): Promise<void> {
    if (await users.lockSecondFactor(tx, userId)) return
    throw new AppError('CONFLICT', 'own_second_factor_missing')
  }

  function toSettings(organizationId: string, row: store.SettingsRow): OrganizationSettings {
    const { logo_type: _type, logo_bytes: _bytes, logo_set_at: _setAt, ...settings } = row
    const color_contrast = row.color === null ? null : readContrastWithWhite(row.color)
    return { ...settings, color_contrast, logo: toLogo(organizationId, row), retention }
  }

  return {
    async show(organizationId: string): Promise<OrganizationSettings> {
      const row = await store.findSettings(sql, organizationId)
      if (!row) throw notFound('organization_not_found')
      return toSettings(organizationId, row)
    },

    /** Omitted settings keep their values. A setting that already has the given value does not count as changed. */
    async update(principal: Principal, body: UpdateSettings): Promise<OrganizationSettings> {
      const { organizationId, initiator } = principal
      const { userId, role } = requireSession(principal)
      requireTimeZone(body.time_zone)
      if (body.two_factor_required !== undefined && role !== 'owner') throw ownersOnly()
      return sql.begin(async (tx) => {
        if (body.two_factor_required) await requireOwnSecondFactor(tx, userId)
        const before = await store.lockSettings(tx, organizationId)
        if (!before) throw notFound('organization_not_found')
        const after = { ...before, ...body }
        const changes = listChanges(before, body)
        if (Object.keys(changes).length > 0) {
          await store.updateSettings(tx, organizationId, after)
          await audit.record(tx, {
            organizationId,
            initiator,
            action: 'organization.updated',
            target: { type: 'organization', id: organizationId },
            details: { changes },
          })
        }
        if ('two_factor_required' in changes && after.two_factor_required) onAccessChanged(tx, { organizationId })
        return toSettings(organizationId, after)
      })
    },

    /** Replaces the logo, or removes it without a body. */
    async setLogo(
      { organizationId, initiator }: Principal,
      body: UpdateLogo | undefined,
    ): Promise<OrganizationSettings> {
      const bytes = body === undefined ? undefined : Buffer.from(body.content, 'base64')
      const logo = bytes === undefined ? null : { bytes, type: requireLogoImage(bytes) }
      return sql.begin(async (tx) => {
        const before = await store.lockSettings(tx, organizationId)
        if (!before) throw notFound('organization_not_found')
        await store.updateLogo(tx, organizationId, logo)
        const after = await store.lockSettings(tx, organizationId)
        if (!after) throw notFound('organization_not_found')
        if (before.logo_type !== null || logo !== null) {
          await audit.record(tx, {
            organizationId,
            initiator,
            action: 'organization.updated',
            target: { type: 'organization', id: organizationId },
            details: { changes: { logo: { from: describeLogo(before), to: describeLogo(after) } } },
          })
        }
        return toSettings(organizationId, after)
      })
    },
  }
}

function toLogo(organizationId: string, row: store.SettingsRow): Logo | null {
  const { logo_type: type, logo_bytes: bytes, logo_set_at: setAt } = row
  if (type === null || bytes === null || setAt === null) return null
  return { type, bytes, url: `/console/organizations/${organizationId}/logo?v=${Date.parse(setAt)}` }
}

function describeLogo({ logo_type: type, logo_bytes: bytes }: store.SettingsRow): string | null {
  return type === null ? null : `${type}, ${bytes} bytes`
}

function ownersOnly(): AppError {
  return new AppError('INSUFFICIENT_SCOPE', 'owner_required_for_second_factor')
}
