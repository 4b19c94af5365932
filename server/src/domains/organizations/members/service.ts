import type { Pool, Tx } from '../../../kernel/db/pool.ts'
import { AppError, invalidRequest, notFound } from '../../../kernel/errors.ts'
import { listChanges } from '../../audit/changes.ts'
import type { Initiator } from '../../audit/initiator.ts'
import type { Audit } from '../../audit/service.ts'
import { type Principal, requireSession } from '../../auth/principal.ts'
import { isAtLeast, type Role } from '../../auth/scopes.ts'
import type { Sessions } from '../../auth/sessions/service.ts'
import type { Users } from '../../auth/users/service.ts'
import type { AlertSettings, Member, UpdateAlertSettings } from './schemas.ts'
import * as store from './store.ts'

/** For the statements of authentication. */
export const { buildMemberships } = store

/** For the mails about endpoints and channels. */
export const { buildAlertRecipients } = store

const REMOVE_BATCH_SIZE = 500

/** Lists of members and of a person's organizations have no pages. These bounds are far above what people need. */
export const MEMBERS_MAX = 1000
export const ORGANIZATIONS_MAX = 500

type Dependencies = { sql: Pool; audit: Audit; sessions: Sessions; users: Users }

export type Members = ReturnType<typeof createMembers>

export function createMembers({ sql, audit, sessions, users }: Dependencies) {
  return {
    async add(tx: Tx, m: { organizationId: string; userId: string; role: Role; initiator: Initiator }): Promise<void> {
      if (!(await store.insertMember(tx, m))) return
      await audit.record(tx, {
        organizationId: m.organizationId,
        initiator: m.initiator,
        action: 'member.added',
        target: { type: 'user', id: m.userId },
        details: { role: m.role },
      })
    },

    /**
     * Throws unless the organization may have another member or open invitation. Its lock has to be held, so that of
     * concurrent invitations each counts the one before; a person who joins leaves the sum as it is.
     */
    async requireRoom(tx: Tx, organizationId: string): Promise<void> {
      const used = await store.countMembersAndInvitations(tx, organizationId)
      if (used < MEMBERS_MAX) return
      throw new AppError('QUOTA_EXCEEDED', 'members_of_organization', {
        parameters: { limit: MEMBERS_MAX },
        details: { quota: 'members', limit: MEMBERS_MAX, used },
      })
    },

    /** Throws unless the person may join another organization. The person has to be locked. */
    async requireRoomOfPerson(tx: Tx, userId: string): Promise<void> {
      const used = await store.countOrganizations(tx, userId)
      if (used < ORGANIZATIONS_MAX) return
      throw new AppError('QUOTA_EXCEEDED', 'organizations_of_person', {
        parameters: { limit: ORGANIZATIONS_MAX },
        details: { quota: 'organizations', limit: ORGANIZATIONS_MAX, used },
      })
    },

    async list(organizationId: string): Promise<Member[]> {
      return store.listMembers(sql, organizationId)
    },

    async listOwners(organizationId: string): Promise<Member[]> {
      return (await store.listMembers(sql, organizationId)).filter(({ role }) => role === 'owner')
    },

    /**
     * Removes every member of an organization that is being deleted and ends its sessions. People who belong to no other
     * organization are deleted. A transaction for each batch, so that a killed process leaves no person half removed.
     */
    async removeAll(organizationId: string): Promise<{ removed: number; deleted: number }> {
      const total = { removed: 0, deleted: 0 }
      for (let count = 1; count > 0; total.removed += count) {
        count = await sql.begin(async (tx) => {
          const userIds = await store.deleteMembers(tx, { organizationId, limit: REMOVE_BATCH_SIZE })
          await sessions.endOfOrganization(tx, organizationId)
          total.deleted += await users.deleteWithoutOrganization(tx, userIds)
          return userIds.length
        })
      }
      return total
    },

    async showAlertSettings(principal: Principal): Promise<AlertSettings> {
      const key = { organizationId: principal.organizationId, userId: requireSession(principal).userId }
      const byMail = await store.findAlertsByMail(sql, key)
      if (byMail === undefined) throw notFound('member_not_found')
      return { by_mail: byMail }
    },

    /** Each person decides for themselves, for each organization. */
    async setAlertSettings(principal: Principal, { by_mail: byMail }: UpdateAlertSettings): Promise<AlertSettings> {
      const { organizationId } = principal
      await store.updateAlertsByMail(sql, { organizationId, userId: requireSession(principal).userId, byMail })
      return this.showAlertSettings(principal)
    },

    async isMember(organizationId: string, email: string): Promise<boolean> {
      return store.isMember(sql, { organizationId, email })
    },

    async changeRole(principal: Principal, userId: string, role: Role): Promise<Member> {
      const { organizationId, initiator } = principal
      return sql.begin(async (tx) => {
        const { actorRole, roles, current } = await lockBothRoles(tx, principal, userId)
        if (!isAtLeast(actorRole, 'admin') || !isAtLeast(actorRole, role) || !isAtLeast(actorRole, current)) {
          throw insufficientRole()
        }
        if (role !== 'owner') refuseLastOwner(roles, userId)
        if (role !== current) {
          await store.updateRole(tx, { organizationId, userId, role })
          const details = { from: current, to: role, changes: listChanges({ role: current }, { role }) }
          await audit.record(tx, {
            organizationId,
            initiator,
            action: 'member.role_changed',
            target: buildTarget(userId),
            details,
          })
        }
        const member = (await store.listMembers(tx, organizationId)).find(({ id }) => id === userId)
        if (!member) throw notFound('member_not_found')
        return member
      })
    },

    /** A member may leave. Removing another member takes an admin with at least that member's role. */
    async remove(principal: Principal, userId: string): Promise<void> {
      const { organizationId, initiator } = principal
      await sql.begin(async (tx) => {
        const { actorRole, roles, current } = await lockBothRoles(tx, principal, userId)
        const isSelf = requireSession(principal).userId === userId
        if (!isSelf && !(isAtLeast(actorRole, 'admin') && isAtLeast(actorRole, current))) throw insufficientRole()
        refuseLastOwner(roles, userId)
        await store.deleteMember(tx, { organizationId, userId })
        await sessions.endInOrganization(tx, { userId, organizationId })
        await audit.record(tx, {
          organizationId,
          initiator,
          action: 'member.removed',
          target: buildTarget(userId),
          details: { role: current },
        })
      })
    },
  }
}

/** Reads both roles under the lock: the role in the session may be out of date. */
async function lockBothRoles(tx: Tx, principal: Principal, userId: string) {
  const roles = await store.lockRoles(tx, principal.organizationId)
  const actorRole = roles.get(requireSession(principal).userId)
  const current = roles.get(userId)
  if (!actorRole || !current) throw notFound('member_not_found')
  return { actorRole, roles, current }
}

function refuseLastOwner(roles: Map<string, Role>, userId: string): void {
  const others = [...roles].filter(([id, role]) => role === 'owner' && id !== userId)
  if (roles.get(userId) === 'owner' && others.length === 0) {
    throw invalidRequest('last_owner')
  }
}

function insufficientRole(): AppError {
  return new AppError('INSUFFICIENT_SCOPE', 'role_of_other_member')
}

function buildTarget(userId: string) {
  return { type: 'user', id: userId }
}
