import { randomBytes } from 'node:crypto'
import type { Pool } from '../../../kernel/db/pool.ts'
import { invalidRequest, notFound } from '../../../kernel/errors.ts'
import type { AuditAction } from '../../audit/actions.ts'
import { listChanges } from '../../audit/changes.ts'
import type { Initiator } from '../../audit/initiator.ts'
import type { Audit } from '../../audit/service.ts'
import type { PasswordResets } from '../password-resets/service.ts'
import { type Principal, requireSession } from '../principal.ts'
import type { CurrentSession } from '../sessions/schemas.ts'
import type { Sessions } from '../sessions/service.ts'
import { countSignInAttempt, resetSignInAttempts } from '../sign-in-limits.ts'
import type { Credentials, Users } from '../users/service.ts'
import type { ChangePassword, TotpDisable, UpdateAccount } from './schemas.ts'

type Dependencies = { sql: Pool; users: Users; sessions: Sessions; passwordResets: PasswordResets; audit: Audit }

export type Account = ReturnType<typeof createAccount>

/** The name, the password and the second factor of a signed-in person. */
export function createAccount({ sql, users, sessions, passwordResets, audit }: Dependencies) {
  /** Verifies the password again, under the limits of a sign-in, before a change that a stolen session must not make. */
  function reauthenticate(principal: Principal, credentials: Omit<Credentials, 'email'>) {
    const { email } = requireSession(principal)
    return sessions.authenticate({ email, ...credentials }, principal.initiator)
  }

  return {
    /** The name that the person has already is no change. Earlier entries of the audit log keep the name of their time. */
    async update(principal: Principal, { name }: UpdateAccount): Promise<CurrentSession> {
      const { userId } = requireSession(principal)
      await sql.begin(async (tx) => {
        const changes = listChanges({ name: await users.lockName(tx, userId) }, { name })
        if (Object.keys(changes).length === 0) return
        await users.setName(tx, userId, name)
        await audit.record(tx, { ...buildEntry(principal, 'user.updated'), details: { changes } })
      })
      return sessions.current(principal)
    },

    /** Ends every other session: one of them may have been started with a leaked password. */
    async changePassword(principal: Principal, change: ChangePassword): Promise<void> {
      const { id: exceptId, userId } = requireSession(principal)
      const user = await reauthenticate(principal, { password: change.current_password, totp: change.totp })
      const passwordHash = await users.hashPassword(change.new_password, principal.initiator.ip, '/new_password')
      await sql.begin(async (tx) => {
        await users.lockCredentials(tx, user)
        await users.setPassword(tx, userId, passwordHash)
        await passwordResets.revokeOpen(tx, userId)
        await sessions.endAll(tx, { userId, exceptId })
        await audit.record(tx, buildEntry(principal, 'user.password_changed'))
      })
    },

    /**
     * Sets a random password for a person who lost theirs, turns the second factor off and ends every session. The
     * operator who runs the command has verified the person's identity.
     */
    async resetPassword(email: string, initiator: Initiator): Promise<{ email: string; password: string }> {
      const user = await users.find({ email })
      if (!user) throw notFound('account_not_found')
      const password = randomBytes(12).toString('base64url')
      const passwordHash = await users.hashPassword(password, initiator.ip)
      const organizationId = await sessions.findDefaultOrganization(user.id)
      await sql.begin(async (tx) => {
        await users.setPassword(tx, user.id, passwordHash)
        await passwordResets.revokeOpen(tx, user.id)
        await users.disableTotp(tx, user.id)
        await sessions.endAll(tx, { userId: user.id, exceptId: null })
        if (!organizationId) return
        await audit.record(tx, {
          organizationId,
          initiator,
          action: 'user.password_reset',
          target: { type: 'user', id: user.id },
        })
      })
      return { email: user.email, password }
    },

    /** Requires the password: an attacker with an open session must not lock its owner out. */
    async beginTotp(principal: Principal, password: string) {
      const { userId, email } = requireSession(principal)
      await users.requireTotpAllowed(userId)
      await reauthenticate(principal, { password })
      return sql.begin((tx) => users.beginTotp(tx, { id: userId, email }))
    },

    /**
     * Ends every other session: one of them may have been started with a leaked password, and none had the second factor.
     * Counts against the limits of a sign-in: a session without them could try all codes of six digits.
     */
    async confirmTotp(principal: Principal, code: string) {
      const { id, userId, email } = requireSession(principal)
      const attempt = { email, ip: principal.initiator.ip }
      await countSignInAttempt(sql, attempt)
      const confirmed = await sql.begin(async (tx) => {
        const recovery = await users.confirmTotp(tx, userId, code)
        await sessions.keepWithSecondFactor(tx, { id, userId })
        await audit.record(tx, buildEntry(principal, 'user.totp_enabled'))
        return recovery
      })
      await resetSignInAttempts(sql, attempt)
      return confirmed
    },

    async disableTotp(principal: Principal, credentials: TotpDisable): Promise<void> {
      const { userId } = requireSession(principal)
      const user = await reauthenticate(principal, credentials)
      if (user.totp_enabled_at === null) throw invalidRequest('second_factor_missing')
      await sql.begin(async (tx) => {
        await users.lock(tx, userId)
        await users.requireSecondFactorOptional(tx, userId)
        await users.disableTotp(tx, userId)
        await audit.record(tx, buildEntry(principal, 'user.totp_disabled'))
      })
    },
  }
}

function buildEntry(principal: Principal, action: AuditAction) {
  const target = { type: 'user', id: requireSession(principal).userId }
  return { organizationId: principal.organizationId, initiator: principal.initiator, action, target }
}
