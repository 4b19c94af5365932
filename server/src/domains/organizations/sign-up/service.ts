import type { Language } from '@hubline/locales/languages.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { hashLetterCode } from '../../../kernel/crypto/letter-code.ts'
import { hashToken, type NewToken, readTokenKind } from '../../../kernel/crypto/tokens.ts'
import type { Pool, Tx } from '../../../kernel/db/pool.ts'
import { hashEmail, normalizeEmail } from '../../../kernel/email.ts'
import { AppError, invalidRequest, notFound } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import { toAddressKey } from '../../../kernel/net/ip.ts'
import { perHour, requireWithinLimit } from '../../../kernel/rate-limit/limit.ts'
import { countRequest } from '../../../kernel/rate-limit/store.ts'
import type { Mail, MailSender } from '../../../mail/mail.ts'
import type { Initiator } from '../../audit/initiator.ts'
import type { ClientInfo } from '../../auth/client-info.ts'
import type { Sessions, Started } from '../../auth/sessions/service.ts'
import { countSignInAttempt, resetSignInAttempts } from '../../auth/sign-in-limits.ts'
import type { Users } from '../../auth/users/service.ts'
import type { Members } from '../members/service.ts'
import type { Organizations } from '../service.ts'
import { requireTimeZone } from '../settings/time-zone-setting.ts'
import type { FirstRun } from '../setup/service.ts'
import { composeFinishMail, composeKnownMail } from './mail-text.ts'
import type { SignUp } from './schemas.ts'
import * as store from './store.ts'

const LIFE_SECONDS = 24 * 3600
const PER_ADDRESS = perHour('sign-up', 20)
/** From all addresses together. With the lifetime it bounds the sign-ups that wait for one e-mail. */
const MAILS_PER_RECIPIENT = perHour('sign-up-mail', 5)

type Dependencies = {
  newToken: NewToken
  sql: Pool
  now: Clock
  users: Users
  sessions: Sessions
  organizations: Organizations
  members: Members
  firstRun: FirstRun
  mail: MailSender
  publicUrl: string
  isSandbox: boolean
}

export type SignUps = ReturnType<typeof createSignUps>

/**
 * New people with an organization of their own. Where mail is set up, a sign-up waits for its link, and the answer is the
 * same for every e-mail. The link is finished with the password of the sign-up: so the owner of the e-mail does not
 * confirm, by opening a link, the password of an attacker who signed up with it.
 */
export function createSignUps(deps: Dependencies) {
  const { newToken, sql, now, users, sessions, organizations, members, firstRun, mail, publicUrl, isSandbox } = deps
  const needsLink = mail.isConfigured && !isSandbox

  /** Undefined if the e-mail has an account. */
  async function createAccount(
    tx: Tx,
    account: store.NewAccount & { isEmailVerified: boolean },
    client: ClientInfo,
  ): Promise<Started | undefined> {
    await firstRun.useCode(tx, account.setupCodeHash)
    const { name, organizationName, language, timeZone } = account
    const user = await users.register(tx, account)
    if (!user) return undefined
    const { ip, requestId } = client
    const initiator: Initiator = { actor: { type: 'user', id: user.id, name }, ip, requestId }
    const organization = await organizations.create(tx, { name: organizationName, initiator, language, timeZone })
    await members.add(tx, { organizationId: organization.id, userId: user.id, role: 'owner', initiator })
    return sessions.start(tx, { userId: user.id, organizationId: organization.id, client, hasSecondFactor: false })
  }

  async function issue(account: store.NewAccount): Promise<Mail> {
    const { email, language } = account
    const mailed = { kind: 'sign_up' as const, id: newId(now()), to: email }
    if (await users.find({ email })) return { ...mailed, ...composeKnownMail(language, publicUrl) }
    const token = newToken('sign_up')
    await store.insertPending(sql, {
      ...account,
      id: mailed.id,
      tokenHash: hashToken(token),
      lifeSeconds: LIFE_SECONDS,
    })
    return { ...mailed, ...composeFinishMail(language, `${publicUrl}/finish-sign-up/${token}`) }
  }

  async function findPending(token: string) {
    const pending = readTokenKind(token) === 'sign_up' && (await store.findPending(sql, hashToken(token)))
    if (!pending) throw notFound('link_not_found')
    return pending
  }

  return {
    /**
     * Undefined if a link was sent. The account is then looked up after the response, so that neither the response nor its
     * time reveals which e-mails have one. Without mail a known e-mail gets a general error after the same work;
     * contract.md#signup.known-email-looks-like-other-400.
     */
    async signUp(form: SignUp, client: ClientInfo, language: Language): Promise<Started | undefined> {
      requireTimeZone(form.time_zone)
      requireWithinLimit(PER_ADDRESS, await countRequest(sql, PER_ADDRESS, toAddressKey(client.ip)))
      const setupCodeHash = form.setup_code === undefined ? null : hashLetterCode(form.setup_code)
      await firstRun.requireSignUp(setupCodeHash)
      if (needsLink) {
        const usage = await countRequest(sql, MAILS_PER_RECIPIENT, hashEmail(form.email))
        requireWithinLimit(MAILS_PER_RECIPIENT, usage)
      }
      const account = {
        email: normalizeEmail(form.email),
        name: form.name,
        organizationName: form.organization_name,
        passwordHash: await users.hashPassword(form.password, client.ip),
        language,
        timeZone: form.time_zone ?? 'UTC',
        setupCodeHash,
      }
      if (needsLink) {
        mail.enqueue(() => issue(account))
        return undefined
      }
      return sql.begin(async (tx) => {
        const started = await createAccount(tx, { ...account, isEmailVerified: false }, client)
        if (started) return started
        throw invalidRequest('account_not_created')
      })
    },

    async show(token: string) {
      const { email, organization_name, language, expires_at } = await findPending(token)
      return { email, organization_name, language, expires_at }
    },

    /** Creates the account of a link for the person who knows its password. Every other sign-up of the e-mail ends. */
    async finish(token: string, password: string, client: ClientInfo): Promise<Started> {
      const pending = await findPending(token)
      const { email, id } = pending
      const attempt = { email, ip: client.ip }
      await countSignInAttempt(sql, attempt)
      if (!(await users.passwordMatches(pending.password_hash, password, client.ip))) throw wrongPassword()
      const account = {
        email,
        name: pending.name,
        organizationName: pending.organization_name,
        passwordHash: pending.password_hash,
        language: pending.language,
        timeZone: pending.time_zone,
        setupCodeHash: pending.setup_code_hash,
        isEmailVerified: true,
      }
      const started = await sql.begin(async (tx) => {
        if (!(await store.takeSignUps(tx, email)).includes(id)) throw notFound('link_not_found')
        const created = await createAccount(tx, account, client)
        if (!created) throw notFound('link_not_found')
        return created
      })
      await resetSignInAttempts(sql, attempt)
      return started
    },

    async deleteExpired(): Promise<void> {
      await store.deleteExpired(sql)
    },
  }
}

function wrongPassword(): AppError {
  return new AppError('UNAUTHORIZED', 'chosen_password_wrong')
}
