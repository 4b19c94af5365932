import type { Pool, Tx } from '../../../kernel/db/pool.ts'
import { AppError, notFound } from '../../../kernel/errors.ts'
import { listChanges } from '../../audit/changes.ts'
import type { Audit } from '../../audit/service.ts'
import { type Principal, requireSession } from '../../auth/principal.ts'
import type { Users } from '../../auth/users/service.ts'
import type { OrganizationSettings, Retention, UpdateSettings } from './schemas.ts'
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

  return {
    async show(organizationId: string): Promise<OrganizationSettings> {
      const row = await store.findSettings(sql, organizationId)
      if (!row) throw notFound('organization_not_found')
      return { ...row, retention }
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
        return { ...after, retention }
      })
    },
  }
}

function ownersOnly(): AppError {
  return new AppError('INSUFFICIENT_SCOPE', 'owner_required_for_second_factor')
}
