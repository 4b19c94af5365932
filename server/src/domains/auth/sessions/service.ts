import type { Clock } from '../../../kernel/clock.ts'
import { hashToken, type NewToken } from '../../../kernel/crypto/tokens.ts'
import type { Pool, Tx } from '../../../kernel/db/pool.ts'
import { AppError, notFound } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Initiator } from '../../audit/initiator.ts'
import type { Audit } from '../../audit/service.ts'
import type { AccessReads } from '../authentication-store.ts'
import type { ClientInfo } from '../client-info.ts'
import { type Principal, requireSession } from '../principal.ts'
import { SESSION_LIFE_SECONDS } from '../session-lifetime.ts'
import { countCodeAttempt, countSignInAttempt, resetCodeAttempts, resetSignInAttempts } from '../sign-in-limits.ts'
import type { Credentials, User, Users } from '../users/service.ts'
import type { CurrentSession, SignIn } from './schemas.ts'
import * as store from './store.ts'

/** An ordinary person has a few: every browser and device has its own. */
const SESSIONS_PER_PERSON = 20

type Client = Pick<Initiator, 'ip' | 'requestId'>
export type Started = { token: string; current: CurrentSession }

/**
 * The ids of all sessions of a person, for what is counted by person; undefined if the given one is over. Serializes with
 * other transactions that start a session of the person or count so. The given session stays until the transaction ends.
 */
export async function lockSessionsOfPerson(
  tx: Tx,
  session: { id: string; userId: string },
): Promise<string[] | undefined> {
  await store.lockUser(tx, session.userId)
  return (await store.keepSession(tx, session.id)) ? store.listSessionIds(tx, session.userId) : undefined
}

type Dependencies = {
  newToken: NewToken
  sql: Pool
  users: Users
  audit: Audit
  now: Clock
  reads: AccessReads
  /** Called in the transaction that ends sessions of a person or an organization, or a membership. */
  onEnded: (tx: Tx, concerned: { userId: string } | { organizationId: string }) => void
}

export type Sessions = ReturnType<typeof createSessions>

export function createSessions({ newToken, sql, users, audit, now, reads, onEnded }: Dependencies) {
  /**
   * Opens a session for a person whose identity the caller has verified, with the second factor if `hasSecondFactor`. One
   * above the limit ends the one that was unused for longest.
   */
  async function start(
    tx: Tx,
    s: { userId: string; organizationId: string; client: ClientInfo; hasSecondFactor: boolean },
  ): Promise<Started> {
    const current = await store.findCurrent(tx, s, reads)
    if (!current) throw notFound('organization_not_found')
    await store.lockUser(tx, s.userId)
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
      hasSecondFactor: s.hasSecondFactor,
    })
    const ended = await store.deleteLongestUnused(tx, { userId: s.userId, keptId: id, max: SESSIONS_PER_PERSON })
    if (ended > 0) onEnded(tx, { userId: s.userId })
    const initiator: Initiator = { actor: { type: 'user', id: s.userId, name: current.user.name }, ip, requestId }
    await audit.record(tx, {
      organizationId: s.organizationId,
      initiator,
      action: 'session.created',
      target: { type: 'session', id },
    })
    return { token, current }
  }

  /** Wrong codes are recorded: the client that sends them knows the password. */
  async function requireCode(user: User, code: string | undefined, client: Client): Promise<void> {
    if (user.totp_enabled_at === null) return
    if (code !== undefined) await countCodeAttempt(sql, user.id)
    const error = await users.useCode(user, code)
    if (error === undefined) return resetCodeAttempts(sql, user.id)
    if (code !== undefined) await recordWrongCode(user, client)
    throw error
  }

  async function recordWrongCode({ id, name }: User, { ip, requestId }: Client): Promise<void> {
    const organizationId = await store.findDefaultOrganization(sql, id, reads)
    if (!organizationId) return
    const initiator: Initiator = { actor: { type: 'user', id, name }, ip, requestId }
    const entry = { organizationId, initiator, action: 'user.totp_refused' as const, target: { type: 'user', id } }
    await sql.begin((tx) => audit.record(tx, entry))
  }

  return {
    start,

    /** Verifies a password, and a second factor where one is set up, under the limits of a sign-in. */
    async authenticate(credentials: Credentials, client: Client): Promise<User> {
      const attempt = { email: credentials.email, ip: client.ip }
      await countSignInAttempt(sql, attempt)
      const user = await users.requirePassword(credentials, client.ip)
      await requireCode(user, credentials.totp, client)
      await resetSignInAttempts(sql, attempt)
      return user
    },

    /** The organization that a new session acts for. */
    async findDefaultOrganization(userId: string): Promise<string | undefined> {
      return store.findDefaultOrganization(sql, userId, reads)
    },

    async signIn(credentials: SignIn, client: ClientInfo): Promise<Started> {
      const user = await this.authenticate(credentials, client)
      const organizationId = await store.findDefaultOrganization(sql, user.id, reads)
      if (!organizationId) {
        throw new AppError('UNAUTHORIZED', 'account_without_organization')
      }
      return sql.begin(async (tx) => {
        await users.lockCredentials(tx, user)
        return start(tx, { userId: user.id, organizationId, client, hasSecondFactor: user.totp_enabled_at !== null })
      })
    },

    async current(principal: Principal): Promise<CurrentSession> {
      const session = requireSession(principal)
      const key = { userId: session.userId, organizationId: principal.organizationId }
      const current = await store.findCurrent(sql, key, reads)
      if (!current) throw notFound('organization_not_found')
      return current
    },

    /** Ends the sessions that act for an organization. They do not continue in another: their requests were meant for this one. */
    async endInOrganization(tx: Tx, key: { userId: string; organizationId: string }): Promise<void> {
      await store.deleteOrganizationSessions(tx, key)
      onEnded(tx, { userId: key.userId })
    },

    /** Ends the sessions of every person that act for an organization. */
    async endOfOrganization(tx: Tx, organizationId: string): Promise<void> {
      await store.deleteSessionsOfOrganization(tx, organizationId)
      onEnded(tx, { organizationId })
    },

    async endAll(tx: Tx, key: { userId: string; exceptId: string | null }): Promise<void> {
      await store.deleteUserSessions(tx, key)
      onEnded(tx, { userId: key.userId })
    },

    /**
     * Ends every other session of a person who has set up a second factor in this one: they began without it. Throws if
     * this one was ended meanwhile: after a reset of the password, the person who lost the account must not set a factor.
     */
    async keepWithSecondFactor(tx: Tx, { id, userId }: { id: string; userId: string }): Promise<void> {
      if (!(await store.markSecondFactor(tx, id))) throw new AppError('UNAUTHORIZED', 'session_ended')
      await this.endAll(tx, { userId, exceptId: id })
    },

    async signOut(principal: Principal): Promise<void> {
      await this.revoke(principal, requireSession(principal).id)
    },

    async list(principal: Principal) {
      const session = requireSession(principal)
      return store.listSessions(sql, session.userId, session.id)
    },

    async revoke(principal: Principal, id: string): Promise<void> {
      const session = requireSession(principal)
      await sql.begin(async (tx) => {
        if (!(await store.deleteSession(tx, { userId: session.userId, id }))) throw notFound('session_not_found')
        onEnded(tx, { userId: session.userId })
        const { organizationId, initiator } = principal
        await audit.record(tx, {
          organizationId,
          initiator,
          action: 'session.revoked',
          target: { type: 'session', id },
        })
      })
    },

    async switchOrganization(principal: Principal, organizationId: string): Promise<CurrentSession> {
      const session = requireSession(principal)
      return sql.begin(async (tx) => {
        const current = await store.findCurrent(tx, { userId: session.userId, organizationId }, reads)
        if (!current) throw notFound('organization_not_found')
        await store.updateOrganization(tx, session.id, organizationId)
        return current
      })
    },

    async deleteExpired(): Promise<void> {
      await store.deleteExpiredSessions(sql)
    },
  }
}
