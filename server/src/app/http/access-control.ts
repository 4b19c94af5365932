import '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { isSafeMethod } from '../../domains/auth/origin.ts'
import { type Principal, requireScope } from '../../domains/auth/principal.ts'
import { isAtLeast } from '../../domains/auth/scopes.ts'
import type { Auth, AuthenticatedRequest } from '../../domains/auth/service.ts'
import type { SessionCookie } from '../../domains/auth/sessions/cookie.ts'
import { isSend } from '../../domains/facade/allowlist/allowlist.ts'
import { awaitsForm, readGraphToken, requireGraphRequest } from '../../domains/facade/graph/credentials.ts'
import { readTokenKind } from '../../kernel/crypto/tokens.ts'
import { AppError, invalidRequest, notFound } from '../../kernel/errors.ts'
import { PUBLIC_BODY_BYTES_MAX } from '../../kernel/http/body.ts'
import { isUuid } from '../../kernel/ids.ts'
import { buildRateLimitHeaders, type Limit, requireWithinLimit } from '../../kernel/rate-limit/limit.ts'
import type { Access } from './access-rules.ts'
import type { createPublicLimits } from './public-limits.ts'
import { LIMITS, PUBLIC_LIMITS } from './rate-limits.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
    limit?: Limit
  }
  interface FastifyRequest {
    /** Zero before the first authentication. */
    authenticatedAt: number
  }
}

type AccessControl = {
  auth: Auth
  countPublicRequest: ReturnType<typeof createPublicLimits>
  cookie: SessionCookie
  origins: ReadonlySet<string>
  access: Record<string, Access>
  /** True if `/graph` takes a token in a query or a form. */
  allowsGraphParameters: boolean
  /** Tests shorten it. */
  authenticationMsMax?: number
}

/** A request whose body took longer than this is authorized again: its credential may have been revoked meanwhile. */
const AUTHENTICATION_MS_MAX = 1000

/** A credential of the hub, or an access token of the upstream. */
const CREDENTIAL = /^(hub_[a-z]{2}_|EAA[A-Za-z0-9]{20})/
const CREDENTIAL_NAME = /^(access_)?token$/i

/**
 * Authenticates the caller, counts the request against its limit and authorizes it, before the body is read. The hub does
 * not start with a route that has no access rule, nor with a rule that has no route.
 */
export function installAccessControl(app: FastifyInstance, control: AccessControl): void {
  const rows = new Set(Object.keys(control.access))
  const { authenticationMsMax = AUTHENTICATION_MS_MAX } = control
  const graphTokens = { allowsParameters: control.allowsGraphParameters }
  app.decorateRequest('principal', null as unknown as Principal)
  app.decorateRequest('authenticatedAt', 0)

  app.addHook('onRoute', (route) => {
    const row = `${readMethod(route)} ${route.url}`
    const access = control.access[row]
    if (!access) throw new Error(`The route ${row} has no access rule`)
    if (route.url.includes(':token')) requireLinkLimit(access, row)
    rows.delete(row)
    route.config = { ...route.config, access }
    if ('public' in access) route.bodyLimit ??= PUBLIC_BODY_BYTES_MAX
  })
  app.addHook('onReady', async () => {
    if (rows.size > 0) throw new Error(`Access rules name routes that do not exist: ${[...rows].join(', ')}`)
  })

  app.addHook('onRequest', async (request, reply) => {
    const { access } = request.routeOptions.config
    if (!access || 'callback' in access) return
    if (isGraph(access) && awaitsForm(request.raw)) return countUnauthenticatedForm(control, request, reply)
    if (!('public' in access)) return authorize(control, access, request, reply)
    if (access.public !== 'unlimited') await control.countPublicRequest(access.public, request, reply)
    if (!access.anyOrigin) requireAllowedOrigin(control, request)
  })

  app.addHook('preHandler', (request, reply, done) => {
    const { access } = request.routeOptions.config
    const { authenticatedAt, raw } = request
    // A form may have another token than the header.
    if (access && isGraph(access) && requireGraphRequest(raw).form) readGraphToken(raw, graphTokens)
    const isLate = authenticatedAt === 0 || performance.now() - authenticatedAt > authenticationMsMax
    if (!isLate || !access || 'public' in access || 'callback' in access) return done()
    authorize(control, access, request, reply).then(() => done(), done)
  })
}

function requireLinkLimit(access: Access, row: string): void {
  const hasLimit = 'public' in access && access.public !== 'unlimited' && access.public.perLink
  if (!hasLimit) throw new Error(`The route ${row} names a link and has no limit per link`)
}

/** A request that is authorized again, because its body took long, counts no second time. */
async function authorize(
  control: AccessControl,
  access: Access,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const limit = pickLimit(access, request)
  const authenticated = await authenticate(control, access, limit, request)
  request.principal = authenticated.principal
  request.authenticatedAt = performance.now()
  reply.headers(buildRateLimitHeaders(limit, authenticated.usage))
  requireWithinLimit(limit, authenticated.usage)
  const { organizationUsage } = authenticated
  if (limit.perOrganization && organizationUsage) requireWithinLimit(limit.perOrganization, organizationUsage)
  if (authenticated.lacksSecondFactor && !('isPersonal' in access)) throw secondFactorRequired()
  requireAccess(access, authenticated.principal, request)
  renewCookie(control, authenticated, request, reply)
}

/** A send through the facade counts against the limit of all sends. */
function pickLimit(access: Access, { method, raw, routeOptions }: FastifyRequest): Limit {
  const { limit } = routeOptions.config
  if (!limit) throw new Error(`The route ${routeOptions.url} has no rate limit`)
  return 'facade' in access && isSend(method, raw.url ?? '') ? LIMITS.sends : limit
}

async function authenticate(
  control: AccessControl,
  access: Access,
  limit: Limit,
  request: FastifyRequest,
): Promise<AuthenticatedRequest> {
  if (isGraph(access)) return authenticateGraph(control, limit, request)
  requireNoQueryCredential(request)
  const bearer = readBearer(request)
  const session = control.cookie.read(request)
  if (bearer !== undefined && session !== undefined) {
    throw invalidRequest('credential_and_session')
  }
  if ('facade' in access) requireChannelToken(bearer)
  const client = { ip: request.ip, requestId: request.id }
  const channelId = limit.isPerChannel ? readChannelId(request) : null
  const rateLimitTarget = { limit, channelId, isCounted: request.authenticatedAt > 0 }
  if (session !== undefined) {
    if (!isSafeMethod(request.method) && !control.origins.has(request.headers.origin ?? '')) throw originNotAllowed()
    if ('isDownload' in access) requireNoOtherSite(request)
    return control.auth.authenticateSession(session, readOrganization(access, request), rateLimitTarget, client)
  }
  if (bearer === undefined) throw missingCredential()
  if ('session' in access) throw new AppError('UNAUTHORIZED', 'session_required')
  const authenticated = await control.auth.authenticateBearer(bearer, rateLimitTarget, client)
  const named = readOrganizationHeader(request)
  if (named !== null && named !== authenticated.principal.organizationId) throw notFound('organization_not_found')
  return authenticated
}

function isGraph(access: Access): boolean {
  return 'facade' in access && access.facade === 'graph'
}

/** Until the form has shown its token, the client is anonymous, and is limited like one. */
async function countUnauthenticatedForm(
  control: AccessControl,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  if (!control.allowsGraphParameters) readGraphToken(request.raw, { allowsParameters: false })
  await control.countPublicRequest(PUBLIC_LIMITS.page, request, reply)
}

/** Clients of Meta send tokens in more places. A cookie is not looked at. */
async function authenticateGraph(
  { auth, allowsGraphParameters: allowsParameters }: AccessControl,
  limit: Limit,
  { raw, ip, id, authenticatedAt }: FastifyRequest,
): Promise<AuthenticatedRequest> {
  const token = readGraphToken(raw, { allowsParameters })
  const target = { limit, channelId: null, isCounted: authenticatedAt > 0 }
  const authenticated = await auth.authenticateBearer(token, target, { ip, requestId: id })
  requireGraphRequest(raw).token = token
  return authenticated
}

function requireAccess(access: Access, principal: Principal, request: FastifyRequest): void {
  if ('public' in access || 'callback' in access || 'facade' in access) return
  if ('session' in access) {
    if (!principal.session || !isAtLeast(principal.session.role, access.session)) {
      throw new AppError('INSUFFICIENT_SCOPE', 'role_too_low', { parameters: { role: access.session } })
    }
    return
  }
  if (principal.channelId !== null) requireOwnChannel(access, principal, request)
  requireScope(principal, access.scope)
  if (access.alsoScope) requireScope(principal, access.alsoScope)
}

/** For a channel token, every channel but its own is 404. */
function requireOwnChannel(access: { channelToken?: true }, principal: Principal, request: FastifyRequest): void {
  if (!access.channelToken) {
    throw new AppError('INSUFFICIENT_SCOPE', 'channel_token_not_allowed')
  }
  const { id } = request.params as { id?: string }
  if (id?.toLowerCase() !== principal.channelId) throw notFound('channel_not_found')
}

/** Extends the cookie with its session, so that the browser does not drop it first. */
function renewCookie(
  control: AccessControl,
  authenticated: AuthenticatedRequest,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const token = control.cookie.read(request)
  if (authenticated.isSessionRenewed && token !== undefined) control.cookie.set(reply, token)
}

/** The cookie is sent with a link on another site, which must not start an export or record a look at a file. */
function requireNoOtherSite({ headers }: FastifyRequest): void {
  if (headers['sec-fetch-site'] !== 'cross-site') return
  throw new AppError('ORIGIN_NOT_ALLOWED', 'download_of_another_site')
}

/** A public route needs no cookie, but a page of another site must not sign a person in either. */
function requireAllowedOrigin(control: AccessControl, request: FastifyRequest): void {
  const { origin } = request.headers
  if (origin !== undefined && !isSafeMethod(request.method) && !control.origins.has(origin)) throw originNotAllowed()
}

function readBearer(request: FastifyRequest): string | undefined {
  const { authorization } = request.headers
  if (authorization === undefined) return undefined
  const [, token] = /^Bearer +(\S+)$/i.exec(authorization) ?? []
  if (token === undefined) throw new AppError('UNAUTHORIZED', 'credential_malformed')
  return token
}

/** The facade refuses API keys and session cookies, even valid ones. */
function requireChannelToken(bearer: string | undefined): void {
  if (bearer !== undefined && readTokenKind(bearer) === 'channel_token') return
  throw new AppError('UNAUTHORIZED', 'channel_token_required')
}

/** The channel in the path; null where it is not a uuid. */
function readChannelId(request: FastifyRequest): string | null {
  const { id } = request.params as { id?: string }
  return id !== undefined && isUuid(id) ? id : null
}

/** The organization that a session is asked to act for; null for its own. */
function readOrganization(access: Access, request: FastifyRequest): string | null {
  const named = readOrganizationHeader(request)
  const { id } = request.params as { id?: string }
  // An id that is not a uuid is refused by the schema.
  if (!('isOfPath' in access) || id === undefined || !isUuid(id)) return named
  if (named !== null && named !== id.toLowerCase()) throw notFound('organization_not_found')
  return id.toLowerCase()
}

function readOrganizationHeader(request: FastifyRequest): string | null {
  const value = request.headers['x-hub-organization']
  if (value === undefined) return null
  if (typeof value !== 'string' || !isUuid(value)) throw invalidRequest('organization_header_invalid')
  return value.toLowerCase()
}

/**
 * URLs end up in logs and browser histories. A credential in the query is refused even beside a valid header, so that the
 * caller notices.
 */
function requireNoQueryCredential({ url }: FastifyRequest): void {
  if (!url.includes('?')) return
  const parameters = [...new URLSearchParams(url.slice(url.indexOf('?')))]
  if (
    !parameters.some(([name, value]) => CREDENTIAL_NAME.test(name) || CREDENTIAL.test(name) || CREDENTIAL.test(value))
  )
    return
  throw new AppError('UNAUTHORIZED', 'credential_in_query')
}

function secondFactorRequired(): AppError {
  return new AppError('TWO_FACTOR_REQUIRED', 'second_factor_of_organization')
}

function missingCredential(): AppError {
  return new AppError('UNAUTHORIZED', 'credential_missing')
}

function originNotAllowed(): AppError {
  return new AppError('ORIGIN_NOT_ALLOWED', 'origin_not_allowed')
}

function readMethod(route: RouteOptions): string {
  // Fastify serves HEAD wherever it serves GET, under the same rules.
  return String(route.method) === 'HEAD' ? 'GET' : String(route.method)
}
