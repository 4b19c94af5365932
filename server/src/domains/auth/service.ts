import type { Clock } from '../../kernel/clock.ts'
import { getLast4, hashToken, type NewToken, readTokenKind } from '../../kernel/crypto/tokens.ts'
import type { BatchSplits } from '../../kernel/db/batch-splits.ts'
import { createBatches } from '../../kernel/db/batches.ts'
import type { Pool, Sql, Tx } from '../../kernel/db/pool.ts'
import { deleteTenantRows } from '../../kernel/db/tenant-rows.ts'
import { AppError, notFound } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { type Limit, perMinute, type Usage } from '../../kernel/rate-limit/limit.ts'
import * as authentication from './authentication-store.ts'
import type { Principal } from './principal.ts'
import { isAtLeast, ROLE_SCOPES, type Role, type Scope } from './scopes.ts'
import { SESSION_LIFE_SECONDS } from './session-lifetime.ts'
import * as store from './store.ts'

const BATCH_SIZE = 200
const CONCURRENT_BATCHES_MAX = 2
/** More than a second of work for the database. */
const WAITING_MAX = 5000
/** For as long, lists show which keys have ended. */
const ENDED_CREDENTIAL_DAYS = 90
const DELETE_BATCH_SIZE = 1000
const REVOKE_BATCH_SIZE = 1000

const TABLES = ['credentials']

/** For the statement that a probe tries: no token has this hash, so that nothing is counted. */
const NO_TOKEN = Buffer.alloc(32)
const TRIED_LIMIT = perMinute('probe', 1)

type Dependencies = {
  newToken: NewToken
  sql: Pool
  now: Clock
  batchSplits: Pick<BatchSplits, 'report'>
  reads: authentication.AccessReads
}
type RequestInfo = { ip: string; requestId: string }
/**
 * The rate limit that a request counts against. The channel is that of its path. `isCounted` says that the request was
 * counted before: then it is only authenticated.
 */
type RateLimitTarget = { limit: Limit; channelId: string | null; isCounted?: boolean }
export type AuthenticatedRequest = {
  principal: Principal
  usage: Usage
  /** Null where the limit has none per organization, and for a request over the first limit. */
  organizationUsage: Usage | null
  isSessionRenewed: boolean
  /** The organization requires a second factor, and the person has none or the session began without it. */
  lacksSecondFactor: boolean
}

export type Auth = ReturnType<typeof createAuth>

/** Authenticates bearer tokens and dashboard sessions, and counts their requests in the same statement. */
export function createAuth({ newToken, sql, now, batchSplits, reads }: Dependencies) {
  type AuthenticateBearer = (
    request: authentication.BearerRequest,
  ) => Promise<authentication.AuthenticatedBearer | undefined>
  const batches = new Map<Limit, AuthenticateBearer>()

  /** Concurrent requests that count against one limit share a statement. */
  function findBatches(limit: Limit): AuthenticateBearer {
    const run = (requests: authentication.BearerRequest[]) =>
      authentication.authenticateBearers(sql, requests, limit, reads)
    const onSplit = (err: unknown, count: number) => batchSplits.report('admissions', err, count)
    const options = {
      run,
      onSplit,
      runsMax: CONCURRENT_BATCHES_MAX,
      weightMax: BATCH_SIZE,
      waitingWeightMax: WAITING_MAX,
    }
    const authenticate = batches.get(limit) ?? createBatches(options)
    batches.set(limit, authenticate)
    return authenticate
  }

  return {
    /** Runs the statement that authenticates a request, with a token that does not exist. It rejects if the database cannot. */
    async tryAuthentication(on: Sql): Promise<void> {
      await authentication.authenticateBearers(
        on,
        [{ tokenHash: NO_TOKEN, channelId: null, times: 0 }],
        TRIED_LIMIT,
        reads,
      )
    },

    async authenticateBearer(
      token: string,
      { limit, channelId, isCounted }: RateLimitTarget,
      request: RequestInfo,
    ): Promise<AuthenticatedRequest> {
      const kind = readTokenKind(token)
      if (kind !== 'api_key' && kind !== 'channel_token') throw unauthorized()
      const credential = await findBatches(limit)({
        tokenHash: hashToken(token),
        channelId,
        times: isCounted ? 0 : 1,
      })
      if (!credential) throw unauthorized()
      const principal: Principal = {
        organizationId: credential.organization_id,
        scopes: credential.scopes,
        initiator: { actor: { type: credential.kind, id: credential.id, name: credential.name }, ...request },
        channelId: credential.channel_id,
        session: null,
      }
      const organizationUsage = toOrganizationUsage(credential)
      return { principal, usage: credential, organizationUsage, isSessionRenewed: false, lacksSecondFactor: false }
    },

    async authenticateSession(
      token: string,
      organizationId: string | null,
      { limit, channelId, isCounted }: RateLimitTarget,
      request: RequestInfo,
    ): Promise<AuthenticatedRequest> {
      if (readTokenKind(token) !== 'session') throw sessionEnded()
      const presented = { tokenHash: hashToken(token), organizationId, limit, channelId }
      const counted = { times: isCounted ? 0 : 1, lifeSeconds: SESSION_LIFE_SECONDS } as const
      const session = await authentication.authenticateSession(sql, { ...presented, ...counted }, reads)
      if (!session) throw sessionEnded()
      const { organization_id, role, rate, used, reset_seconds } = session
      if (organization_id === null || role === null || used === null || reset_seconds === null) {
        throw organizationId ? notFound('organization_not_found') : sessionEnded()
      }
      const principal: Principal = {
        organizationId: organization_id,
        scopes: ROLE_SCOPES[role],
        initiator: { actor: { type: 'user', id: session.user_id, name: session.name }, ...request },
        channelId: null,
        session: { id: session.id, userId: session.user_id, email: session.email, role },
      }
      return {
        principal,
        usage: { used, reset_seconds, rate },
        organizationUsage: toOrganizationUsage(session),
        isSessionRenewed: session.is_renewed,
        lacksSecondFactor: session.lacks_second_factor === true,
      }
    },

    /** Returns true if the credential of a principal is still valid and has these scopes, for a response that outlasts its request. */
    async hasScopes({ organizationId, initiator, session }: Principal, scopes: readonly Scope[]): Promise<boolean> {
      const held = session
        ? await authentication
            .findSessionRole(sql, { organizationId, sessionId: session.id }, reads)
            .then((role) => role && ROLE_SCOPES[role])
        : await authentication.findActiveScopes(sql, { organizationId, id: initiator.actor.id ?? '' })
      return held !== undefined && scopes.every((scope) => held.includes(scope))
    },

    /** Returns true if the session of a principal is still valid and has at least this role. */
    async hasRole({ organizationId, session }: Principal, role: Role): Promise<boolean> {
      const held =
        session && (await authentication.findSessionRole(sql, { organizationId, sessionId: session.id }, reads))
      return held ? isAtLeast(held, role) : false
    },

    /** Creates a bearer token. The token is returned once; the database has only its hash. */
    async issue(
      tx: Tx,
      credential: {
        organizationId: string
        kind: store.CredentialKind
        name: string
        scopes: readonly Scope[]
        channelId: string | null
        expiresAt: string | null
      },
    ): Promise<{ id: string; token: string }> {
      const id = newId(now())
      const token = newToken(credential.kind)
      await store.insertCredential(tx, { ...credential, id, tokenHash: hashToken(token), last4: getLast4(token) })
      return { id, token }
    },

    async revoke(tx: Tx, key: { organizationId: string; kind: store.CredentialKind; id: string }) {
      return store.markRevoked(tx, key)
    },

    /** Revokes every key and channel token of an organization. */
    async revokeAll(organizationId: string): Promise<void> {
      while ((await store.markAllRevoked(sql, { organizationId, limit: REVOKE_BATCH_SIZE })) > 0);
    },

    /** False if the channel had no active token. */
    async revokeChannelTokens(tx: Tx, key: { organizationId: string; channelId: string }): Promise<boolean> {
      return store.markChannelTokensRevoked(tx, key)
    },

    /** A batch; 0 when nothing is left. */
    deleteOfOrganization: (organizationId: string) => deleteTenantRows(sql, TABLES, organizationId),

    async deleteEnded(): Promise<void> {
      const batch = { endedDays: ENDED_CREDENTIAL_DAYS, limit: DELETE_BATCH_SIZE }
      while ((await store.deleteEnded(sql, batch)) === DELETE_BATCH_SIZE);
    },

    async findChannelTokenScopes(tx: Tx, key: { organizationId: string; channelId: string }) {
      return store.findChannelTokenScopes(tx, key)
    },

    findApiKey: (db: Pool | Tx, organizationId: string, id: string) =>
      store.findCredential(db, { organizationId, kind: 'api_key', id }),

    listApiKeys: (filter: { organizationId: string; before: string | null; limit: number }) =>
      store.listCredentials(sql, { ...filter, kind: 'api_key' }),

    countActiveKeys: store.countActiveKeys,
  }
}

function toOrganizationUsage({
  organization_used: used,
  organization_reset_seconds: reset_seconds,
}: Pick<authentication.AuthenticatedBearer, 'organization_used' | 'organization_reset_seconds'>): Usage | null {
  return used === null || reset_seconds === null ? null : { used, reset_seconds }
}

function unauthorized(): AppError {
  return new AppError('UNAUTHORIZED', 'credential_invalid')
}

function sessionEnded(): AppError {
  return new AppError('UNAUTHORIZED', 'session_ended')
}
