import type { Language } from '@hubline/locales/languages.ts'
import { hashLetterCode, newLetterCode } from '../../../kernel/crypto/letter-code.ts'
import { hashToken, type NewToken, readTokenKind } from '../../../kernel/crypto/tokens.ts'
import type { Pool, Tx } from '../../../kernel/db/pool.ts'
import { hashEmail } from '../../../kernel/email.ts'
import { AppError, invalidRequest, notFound, toIssue } from '../../../kernel/errors.ts'
import { toAddressKey } from '../../../kernel/net/ip.ts'
import { perHour, perQuarterHour, requireWithinLimit } from '../../../kernel/rate-limit/limit.ts'
import { countRequest } from '../../../kernel/rate-limit/store.ts'
import type { Mail, MailSender } from '../../../mail/mail.ts'
import type { Initiator } from '../../audit/initiator.ts'
import type { Audit } from '../../audit/service.ts'
import type { ClientInfo } from '../client-info.ts'
import { type Principal, requireSession } from '../principal.ts'
import type { CurrentSession } from '../sessions/schemas.ts'
import type { Sessions } from '../sessions/service.ts'
import { countSignInAttempt, resetSignInAttempts } from '../sign-in-limits.ts'
import type { Users } from '../users/service.ts'
import { composeVerificationMail } from './mail-text.ts'
import * as store from './store.ts'

const LIFE_SECONDS = 24 * 3600
/** 37 random bits: at the limit of guesses, trying all codes takes a million years. */
const CODE = { groups: 2, groupLength: 4 }

const MAILS_PER_ADDRESS = perHour('email-verification-address', 20)
const MAILS_PER_PERSON = perHour('email-verification', 5)
const CODES_PER_ADDRESS = perQuarterHour('email-code-address', 50)
const CODES_PER_PERSON = perQuarterHour('email-code', 10)

type Dependencies = {
  newToken: NewToken
  sql: Pool
  users: Users
  sessions: Sessions
  audit: Audit
  mail: MailSender
  publicUrl: string
}

export type EmailVerifications = ReturnType<typeof createEmailVerifications>

/**
 * Proves that the person of an account receives mail at its address. The code counts in a session of the person, and the
 * link with the password: the owner of an address must not verify the account of an attacker by opening a link.
 */
export function createEmailVerifications({ newToken, sql, users, sessions, audit, mail, publicUrl }: Dependencies) {
  async function issue(user: { id: string; email: string }, language: Language): Promise<Mail> {
    const token = newToken('email_verification')
    const code = newLetterCode(CODE)
    await store.putVerification(sql, {
      userId: user.id,
      tokenHash: hashToken(token),
      codeHash: hashLetterCode(code),
      lifeSeconds: LIFE_SECONDS,
    })
    const url = `${publicUrl}/verify-email/${token}`
    const text = composeVerificationMail(language, { code, url, forgotUrl: `${publicUrl}/forgot-password` })
    return { kind: 'email_verification', id: user.id, to: user.email, ...text }
  }

  async function findOpen(token: string) {
    const open = readTokenKind(token) === 'email_verification' && (await store.findOpen(sql, hashToken(token)))
    if (!open) throw notFound('link_not_found')
    return open
  }

  /** A person who belongs to no organization has no audit log. */
  async function record(
    tx: Tx,
    { userId, organizationId, initiator }: { userId: string; organizationId: string | undefined; initiator: Initiator },
    by: 'code' | 'link',
  ): Promise<void> {
    const isNew = await users.verifyEmail(tx, userId)
    if (!isNew || organizationId === undefined) return
    const target = { type: 'user', id: userId }
    await audit.record(tx, { organizationId, initiator, action: 'user.email_verified', target, details: { by } })
  }

  return {
    /** Sends a new link and code, and ends the older ones. */
    async request(principal: Principal, language: Language): Promise<void> {
      const { userId: id, email } = requireSession(principal)
      if (!mail.isConfigured) throw new AppError('NOT_FOUND', 'no_mail')
      const user = await users.find({ id })
      if (user?.email_verified_at) throw new AppError('CONFLICT', 'email_already_verified')
      const address = toAddressKey(principal.initiator.ip)
      requireWithinLimit(MAILS_PER_ADDRESS, await countRequest(sql, MAILS_PER_ADDRESS, address))
      requireWithinLimit(MAILS_PER_PERSON, await countRequest(sql, MAILS_PER_PERSON, hashEmail(email)))
      mail.enqueue(() => issue({ id, email }, language))
    },

    /** Verifies the e-mail of the signed-in person by the code in the mail. */
    async confirm(principal: Principal, code: string): Promise<CurrentSession> {
      const { userId } = requireSession(principal)
      const { organizationId, initiator } = principal
      requireWithinLimit(CODES_PER_PERSON, await countRequest(sql, CODES_PER_PERSON, userId))
      const address = toAddressKey(initiator.ip)
      requireWithinLimit(CODES_PER_ADDRESS, await countRequest(sql, CODES_PER_ADDRESS, address))
      await sql.begin(async (tx) => {
        const isRight = await store.useVerification(tx, { userId, codeHash: hashLetterCode(code) })
        if (!isRight) throw wrongCode()
        await record(tx, { userId, organizationId, initiator }, 'code')
      })
      return sessions.current(principal)
    },

    async show(token: string): Promise<{ email: string; expires_at: string }> {
      const { email, expires_at } = await findOpen(token)
      return { email, expires_at }
    },

    /** Verifies the e-mail by the link in the mail and the password of the account, under the limits of a sign-in. */
    async complete(token: string, password: string, { ip, requestId }: ClientInfo): Promise<void> {
      const { user_id: userId, email } = await findOpen(token)
      await countSignInAttempt(sql, { email, ip })
      const { name } = await users.requirePassword({ email, password }, ip)
      const organizationId = await sessions.findDefaultOrganization(userId)
      const initiator: Initiator = { actor: { type: 'user', id: userId, name }, ip, requestId }
      await sql.begin(async (tx) => {
        if (!(await store.useVerification(tx, { userId, tokenHash: hashToken(token) })))
          throw notFound('link_not_found')
        await record(tx, { userId, organizationId, initiator }, 'link')
      })
      await resetSignInAttempts(sql, { email, ip })
    },

    async deleteExpired(): Promise<void> {
      await store.deleteExpired(sql)
    },
  }
}

function wrongCode(): AppError {
  return invalidRequest('mail_code_wrong', { issues: [toIssue('/code', 'not_latest_code')] })
}
