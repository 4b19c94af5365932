import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '../../../kernel/clock.ts'
import { hashToken, newToken } from '../../../kernel/crypto/tokens.ts'
import type { Pool, Tx } from '../../../kernel/db/pool.ts'
import { normalizeEmail } from '../../../kernel/email.ts'
import { AppError, invalidRequest, notFound } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import { type Limit, refuseOver } from '../../../kernel/rate-limit/limit.ts'
import { countRequest, deleteWindow } from '../../../kernel/rate-limit/store.ts'
import type { Act } from '../../audit/act.ts'
import type { Audit } from '../../audit/service.ts'
import { type ClientInfo, type Principal, requireSession, type SessionPrincipal } from '../principal.ts'
import { SESSION_LIFE_SECONDS } from '../session-lifetime.ts'
import type { Users } from '../users/service.ts'
import type { ChangePassword, CurrentSession, SignIn, TotpDisable } from './schemas.ts'
import * as store from './store.ts'

/**
 * Guessing is slowed down from three sides: one person from one address, one
 * address for everybody, and one person from everywhere. Only the last could
 * be used to lock somebody out, so it is wide.
 */
const QUARTER_HOUR_SECONDS = 900
const PER_PERSON_AND_ADDRESS: Limit = { bucket: 'sign-in', requests: 10, windowSeconds: QUARTER_HOUR_SECONDS }
const PER_ADDRESS: Limit = { bucket: 'sign-in-address', requests: 100, windowSeconds: QUARTER_HOUR_SECONDS }
const PER_PERSON: Limit = { bucket: 'sign-in-person', requests: 200, windowSeconds: QUARTER_HOUR_SECONDS }

export type Started = { token: string; current: CurrentSession }

export type Sessions = ReturnType<typeof createSessions>

export function createSessions({ sql, users, audit, now }: { sql: Pool; users: Users; audit: Audit; now: Clock }) {
  async function countGuess(email: string, ip: string): Promise<void> {
    const person = createHash('sha256').update(normalizeEmail(email)).digest('base64url')
    // The narrowest first: a try that it refuses must not use up what belongs to everybody, or to the person elsewhere.
    refuseOver(PER_PERSON_AND_ADDRESS, await countRequest(sql, PER_PERSON_AND_ADDRESS, `${person}:${ip}`))
    refuseOver(PER_ADDRESS, await countRequest(sql, PER_ADDRESS, ip))
    refuseOver(PER_PERSON, await countRequest(sql, PER_PERSON, person))
  }

  async function forgiveGuesses(email: string, ip: string): Promise<void> {
    const person = createHash('sha256').update(normalizeEmail(email)).digest('base64url')
    await deleteWindow(sql, PER_PERSON_AND_ADDRESS, `${person}:${ip}`)
  }

  /** Opens a session for a person who has proved who they are. */
  async function start(tx: Tx, s: { userId: string; organizationId: string; client: ClientInfo }): Promise<Started> {
    const current = await store.findCurrent(tx, s)
    if (!current) throw notFound('Organization')
    const token = newToken('session')
    const { ip, requestId, userAgent } = s.client
    const id = newId(now())
    await store.insertSession(tx, {
      id,
      userId: s.userId,
      organizationId: s.organizationId,
      tokenHash: hashToken(token),
      ip,
      userAgent,
      lifeSeconds: SESSION_LIFE_SECONDS,
    })
    const act: Act = { actor: { type: 'user', id: s.userId, name: current.user.name }, ip, requestId }
    await audit.record(tx, {
      organizationId: s.organizationId,
      act,
      action: 'session.created',
      target: { type: 'session', id },
    })
    return { token, current }
  }

  /** Asks for the password again, under the same limits as a sign-in, before something that a stolen session must not do. */
  async function prove(
    person: SessionPrincipal,
    ip: string | null,
    given: { password: string; totp?: string | undefined },
  ) {
    await countGuess(person.email, ip ?? '')
    const user = await users.verify({ email: person.email, ...given })
    await forgiveGuesses(person.email, ip ?? '')
    return user
  }

  return {
    start,

    /** Checks the password (and second factor) of a sign-in, counting the try against the limits. */
    async authenticate(credentials: SignIn, client: ClientInfo) {
      await countGuess(credentials.email, client.ip)
      const user = await users.verify(credentials)
      await forgiveGuesses(credentials.email, client.ip)
      return user
    },

    async signIn(credentials: SignIn, client: ClientInfo): Promise<Started> {
      const user = await this.authenticate(credentials, client)
      const organizationId = await store.findHomeOrganization(sql, user.id)
      if (!organizationId) {
        throw new AppError('UNAUTHORIZED', 'The account belongs to no organization. Ask for an invitation.')
      }
      return sql.begin(async (tx) => {
        await users.holdPassword(tx, user)
        return start(tx, { userId: user.id, organizationId, client })
      })
    },

    async current(principal: Principal): Promise<CurrentSession> {
      const person = requireSession(principal)
      const current = await store.findCurrent(sql, { userId: person.userId, organizationId: principal.organizationId })
      if (!current) throw notFound('Organization')
      return current
    },

    /** Who leaves an organization does not go on in another unasked: what they were doing was meant for this one. */
    async endIn(tx: Tx, key: { userId: string; organizationId: string }): Promise<void> {
      await store.deleteOrganizationSessions(tx, key)
    },

    async signOut(principal: Principal): Promise<void> {
      await this.revoke(principal, requireSession(principal).id)
    },

    async list(principal: Principal) {
      const person = requireSession(principal)
      return store.listSessions(sql, person.userId, person.id)
    },

    async revoke(principal: Principal, id: string): Promise<void> {
      const person = requireSession(principal)
      await sql.begin(async (tx) => {
        if (!(await store.deleteSession(tx, { userId: person.userId, id }))) throw notFound('Session')
        await audit.record(tx, { ...entry(principal), action: 'session.revoked', target: { type: 'session', id } })
      })
    },

    async switchOrganization(principal: Principal, organizationId: string): Promise<CurrentSession> {
      const person = requireSession(principal)
      return sql.begin(async (tx) => {
        const current = await store.findCurrent(tx, { userId: person.userId, organizationId })
        if (!current) throw notFound('Organization')
        await store.updateOrganization(tx, person.id, organizationId)
        return current
      })
    },

    /** A new password ends every other session: whoever knew the old one is out. */
    async changePassword(principal: Principal, change: ChangePassword): Promise<void> {
      const person = requireSession(principal)
      const user = await prove(person, principal.act.ip, { password: change.current_password, totp: change.totp })
      const passwordHash = await users.hashPassword(change.new_password)
      await sql.begin(async (tx) => {
        await users.holdPassword(tx, user)
        await users.setPassword(tx, person.userId, passwordHash)
        await store.deleteUserSessions(tx, { userId: person.userId, exceptId: person.id })
        await audit.record(tx, { ...entry(principal), action: 'user.password_changed', target: target(person) })
      })
    },

    /**
     * A new password for a person who lost theirs, and perhaps their phone too:
     * the second factor goes, every session ends, and whoever is at the machine
     * vouches for them.
     */
    async resetPassword(email: string, act: Act): Promise<{ email: string; password: string }> {
      const user = await users.find({ email })
      if (!user) throw notFound('Account')
      const password = randomBytes(12).toString('base64url')
      const passwordHash = await users.hashPassword(password)
      const organizationId = await store.findHomeOrganization(sql, user.id)
      await sql.begin(async (tx) => {
        await users.setPassword(tx, user.id, passwordHash)
        await users.disableTotp(tx, user.id)
        await store.deleteUserSessions(tx, { userId: user.id, exceptId: null })
        if (!organizationId) return
        await audit.record(tx, {
          organizationId,
          act,
          action: 'user.password_reset',
          target: { type: 'user', id: user.id },
        })
      })
      return { email: user.email, password }
    },

    /** Asks for the password: whoever has found an open session must not be able to lock its owner out. */
    async beginTotp(principal: Principal, password: string) {
      const person = requireSession(principal)
      await users.refuseSecondFactor(person.userId)
      await prove(person, principal.act.ip, { password })
      return sql.begin((tx) => users.beginTotp(tx, { id: person.userId, email: person.email }))
    },

    /** A code has six digits: without the limits of a sign-in an open session could try them all. */
    async confirmTotp(principal: Principal, code: string) {
      const person = requireSession(principal)
      const ip = principal.act.ip ?? ''
      await countGuess(person.email, ip)
      const confirmed = await sql.begin(async (tx) => {
        const recovery = await users.confirmTotp(tx, person.userId, code)
        await audit.record(tx, { ...entry(principal), action: 'user.totp_enabled', target: target(person) })
        return recovery
      })
      await forgiveGuesses(person.email, ip)
      return confirmed
    },

    async disableTotp(principal: Principal, given: TotpDisable): Promise<void> {
      const person = requireSession(principal)
      const user = await prove(person, principal.act.ip, given)
      if (user.totp_enabled_at === null) throw invalidRequest('No second factor is set up.')
      await sql.begin(async (tx) => {
        await users.disableTotp(tx, person.userId)
        await audit.record(tx, { ...entry(principal), action: 'user.totp_disabled', target: target(person) })
      })
    },

    async deleteExpired(): Promise<void> {
      await store.deleteExpiredSessions(sql)
    },
  }
}

function entry(principal: Principal) {
  return { organizationId: principal.organizationId, act: principal.act }
}

function target(person: SessionPrincipal) {
  return { type: 'user', id: person.userId }
}
