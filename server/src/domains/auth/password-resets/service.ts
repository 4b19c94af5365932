import type { Language } from '@hubline/locales/languages.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { hashToken, type NewToken, readTokenKind } from '../../../kernel/crypto/tokens.ts'
import type { Pool, Tx } from '../../../kernel/db/pool.ts'
import { hashEmail } from '../../../kernel/email.ts'
import { AppError, notFound } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import { toAddressKey } from '../../../kernel/net/ip.ts'
import { perHour, requireWithinLimit } from '../../../kernel/rate-limit/limit.ts'
import { countRequest } from '../../../kernel/rate-limit/store.ts'
import type { Mail, MailSender } from '../../../mail/mail.ts'
import type { Initiator } from '../../audit/initiator.ts'
import type { Audit } from '../../audit/service.ts'
import type { ClientInfo } from '../client-info.ts'
import type { Sessions } from '../sessions/service.ts'
import { resetSignInAttempts } from '../sign-in-limits.ts'
import type { Users } from '../users/service.ts'
import { composeResetMail } from './mail-text.ts'
import * as store from './store.ts'

const LIFE_SECONDS = 3600
const RETENTION_DAYS = 7

const PER_ADDRESS = perHour('password-reset-address', 20)
/** From all addresses together: each request may send a mail to the person. */
const PER_PERSON = perHour('password-reset', 5)

/** The command of an operator, for an installation without mail. */
export const OPERATOR_COMMAND = 'npm run admin -- reset-password --email EMAIL'

type Dependencies = {
  newToken: NewToken
  sql: Pool
  now: Clock
  users: Users
  sessions: Sessions
  audit: Audit
  mail: MailSender
  publicUrl: string
}

export type PasswordResets = ReturnType<typeof createPasswordResets>

/** Links by mail with which a person who forgot the password sets a new one. A link works once, within its lifetime. */
export function createPasswordResets({ newToken, sql, now, users, sessions, audit, mail, publicUrl }: Dependencies) {
  /** Revokes the older links of the person, so that at most one works. Undefined if no account has the e-mail. */
  async function issue(email: string, language: Language): Promise<Mail | undefined> {
    const user = await users.find({ email })
    if (!user) return undefined
    const token = newToken('password_reset')
    const id = newId(now())
    await sql.begin(async (tx) => {
      await users.lock(tx, user.id)
      await store.revokeOpen(tx, user.id)
      await store.insertReset(tx, { id, userId: user.id, tokenHash: hashToken(token), lifeSeconds: LIFE_SECONDS })
    })
    const text = composeResetMail(language, `${publicUrl}/reset-password/${token}`)
    return { kind: 'password_reset', id, to: user.email, ...text }
  }

  async function findOpen(token: string): Promise<store.PasswordReset> {
    const reset = readTokenKind(token) === 'password_reset' && (await store.findReset(sql, hashToken(token)))
    if (!reset) throw notFound('link_not_found')
    if (reset.state === 'used') throw linkUsed()
    if (reset.state === 'expired') throw linkExpired()
    return reset
  }

  return {
    isMailConfigured: mail.isConfigured,

    /**
     * Does the same for a known and for an unknown e-mail: the account is looked up after the response, so that neither
     * the response nor its time reveals whether there is one.
     */
    async request(email: string, language: Language, client: ClientInfo): Promise<void> {
      if (!mail.isConfigured) {
        throw new AppError('NOT_FOUND', 'no_mail_for_reset', { parameters: { command: OPERATOR_COMMAND } })
      }
      requireWithinLimit(PER_ADDRESS, await countRequest(sql, PER_ADDRESS, toAddressKey(client.ip)))
      requireWithinLimit(PER_PERSON, await countRequest(sql, PER_PERSON, hashEmail(email)))
      mail.enqueue(() => issue(email, language))
    },

    async show(token: string): Promise<{ email: string; expires_at: string }> {
      const { email, expires_at } = await findOpen(token)
      return { email, expires_at }
    },

    /**
     * Ends every session, because one of them may be an attacker's. The second factor stays, because access to the person's
     * mail must not replace it, unless it was set before anyone had proven to own the address.
     */
    async complete(token: string, password: string, { ip, requestId }: ClientInfo): Promise<void> {
      const { id, user_id: userId, email, name } = await findOpen(token)
      const passwordHash = await users.hashPassword(password, ip)
      const organizationId = await sessions.findDefaultOrganization(userId)
      await sql.begin(async (tx) => {
        // Locks the person before the link, as every change of a password does, so that two cannot deadlock.
        await users.setPassword(tx, userId, passwordHash)
        if (!(await store.markUsed(tx, id))) throw linkUsed()
        await sessions.endAll(tx, { userId, exceptId: null })
        const isFactorRemoved = await users.removeFactorSetUnverified(tx, userId)
        const isNewlyVerified = await users.verifyEmail(tx, userId)
        if (!organizationId) return
        const initiator: Initiator = { actor: { type: 'user', id: userId, name }, ip, requestId }
        const entry = { organizationId, initiator, target: { type: 'user', id: userId } }
        await audit.record(tx, { ...entry, action: 'user.password_reset' })
        const details = { by: 'password_reset' }
        if (isNewlyVerified) await audit.record(tx, { ...entry, action: 'user.email_verified', details })
        if (isFactorRemoved) await audit.record(tx, { ...entry, action: 'user.totp_disabled', details })
      })
      await resetSignInAttempts(sql, { email, ip })
    },

    /** For another change of the password: an attacker may have requested the open link. */
    async revokeOpen(tx: Tx, userId: string): Promise<void> {
      await store.revokeOpen(tx, userId)
    },

    async deleteOld(): Promise<void> {
      await store.deleteOldResets(sql, RETENTION_DAYS)
    },
  }
}

/** The list of error codes is closed, so these links share the codes of connect links. */
function linkUsed(): AppError {
  return new AppError('CONNECT_LINK_USED', 'reset_link_used')
}

function linkExpired(): AppError {
  return new AppError('CONNECT_LINK_EXPIRED', 'reset_link_expired')
}
