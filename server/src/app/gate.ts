import '@fastify/cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Access } from '../domains/auth/access.ts'
import { isSafeMethod } from '../domains/auth/origin.ts'
import type { Principal } from '../domains/auth/principal.ts'
import { isAtLeast, type Scope } from '../domains/auth/scopes.ts'
import type { Admission, Auth } from '../domains/auth/service.ts'
import { SESSION_COOKIE, type SessionCookie } from '../domains/auth/sessions/cookie.ts'
import { tokenKind } from '../kernel/crypto/tokens.ts'
import { AppError, invalidRequest, notFound } from '../kernel/errors.ts'
import { isUuid } from '../kernel/ids.ts'
import { type Limit, rateLimitHeaders, refuseOver } from '../kernel/rate-limit/limit.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
    limit?: Limit
  }
  interface FastifyRequest {
    admittedAt: number
  }
}

type Gate = {
  auth: Auth
  cookie: SessionCookie
  origins: ReadonlySet<string>
  access: Record<string, Access>
  /** In place of the usual second, in tests. */
  admissionMsMax?: number
}

/** How long after its admission a request may begin its work without being admitted again. */
const ADMISSION_MS_MAX = 1000

/** Ours, and the upstream's own, which begin with these letters and go on for long. */
const CREDENTIAL = /^(hub_[a-z]{2}_|EAA[A-Za-z0-9]{20})/
const CREDENTIAL_NAME = /^(access_)?token$/i

const GUARDED = /^\/(api\/v1|console|upstream)\//

/**
 * Stands before every guarded route, and before its body is read: who calls,
 * how often, and whether this route is theirs. A route without a row in the
 * access table, or a row without a route, keeps the hub from starting.
 */
export function installGate(app: FastifyInstance, gate: Gate): void {
  const rows = new Set(Object.keys(gate.access))
  const { admissionMsMax = ADMISSION_MS_MAX } = gate
  app.decorateRequest('principal', null as unknown as Principal)
  app.decorateRequest('admittedAt', 0)

  app.addHook('onRoute', (route) => {
    if (!GUARDED.test(route.url)) return
    const row = `${routeMethod(route)} ${route.url}`
    const access = gate.access[row]
    if (!access) throw new Error(`The route ${row} has no row in the access table`)
    rows.delete(row)
    route.config = { ...route.config, access }
  })
  app.addHook('onReady', async () => {
    if (rows.size > 0) throw new Error(`The access table names routes that do not exist: ${[...rows].join(', ')}`)
  })

  app.addHook('onRequest', async (request, reply) => {
    const { access } = request.routeOptions.config
    if (access && 'public' in access) refuseForeignOrigin(gate, request)
    else if (access) await pass(gate, access, request, reply)
  })

  // A body that took its time was let in by what may have been revoked since.
  app.addHook('preHandler', async (request, reply) => {
    const { access } = request.routeOptions.config
    const isLate = performance.now() - request.admittedAt > admissionMsMax
    if (access && !('public' in access) && isLate) await pass(gate, access, request, reply)
  })
}

async function pass(gate: Gate, access: Access, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { limit, url } = { ...request.routeOptions.config, url: request.routeOptions.url }
  if (!limit) throw new Error(`The route ${url} has no rate limit`)
  const admission = await admit(gate, access, limit, request)
  request.principal = admission.principal
  request.admittedAt = performance.now()
  reply.headers(rateLimitHeaders(limit, admission.usage))
  refuseOver(limit, admission.usage)
  refuseUnentitled(access, admission.principal, request)
  renewCookie(gate, admission, request, reply)
}

async function admit(gate: Gate, access: Access, limit: Limit, request: FastifyRequest): Promise<Admission> {
  refuseQueryCredential(request)
  const bearer = bearerOf(request)
  const session = request.cookies[SESSION_COOKIE]
  if (bearer !== undefined && session !== undefined) {
    throw invalidRequest('Send either a bearer credential or a session cookie, not both.')
  }
  if ('facade' in access) refuseOtherThanChannelToken(bearer)
  const place = { ip: request.ip, requestId: request.id }
  const counted = { limit, channelId: limit.isPerChannel ? channelOf(request) : null }
  if (session !== undefined) {
    if (!isSafeMethod(request.method) && !gate.origins.has(request.headers.origin ?? '')) throw originNotAllowed()
    return gate.auth.admitSession(session, organizationHeader(request), counted, place)
  }
  if (bearer === undefined) throw missingCredential()
  if ('session' in access) throw new AppError('UNAUTHORIZED', 'Sign in: this endpoint takes a dashboard session only.')
  const admission = await gate.auth.admitBearer(bearer, counted, place)
  const named = organizationHeader(request)
  if (named !== null && named !== admission.principal.organizationId) throw notFound('Organization')
  return admission
}

function refuseUnentitled(access: Access, principal: Principal, request: FastifyRequest): void {
  if ('public' in access || 'facade' in access) return
  if ('session' in access) {
    if (!principal.session || !isAtLeast(principal.session.role, access.session)) {
      throw new AppError('INSUFFICIENT_SCOPE', `This needs the role ${access.session} or above.`)
    }
    return
  }
  if (principal.channelId === null) refuseWithout(access.scope, principal)
  else refuseChannelToken(access, principal, request)
}

/** A channel token reaches few routes, on its own channel, and another channel does not exist for it. */
function refuseChannelToken(
  access: { channelToken?: Scope | null },
  principal: Principal,
  request: FastifyRequest,
): void {
  if (access.channelToken === undefined) {
    throw new AppError('INSUFFICIENT_SCOPE', 'A channel token cannot do this. Use an API key.')
  }
  const { id } = request.params as { id?: string }
  if (id?.toLowerCase() !== principal.channelId) throw notFound('Channel')
  if (access.channelToken !== null) refuseWithout(access.channelToken, principal)
}

function refuseWithout(scope: Scope, principal: Principal): void {
  if (!principal.scopes.includes(scope)) {
    throw new AppError('INSUFFICIENT_SCOPE', `The credential lacks the scope ${scope}.`, { details: { scope } })
  }
}

/** A cookie that slides with its session: the browser must not drop it before the hub does. */
function renewCookie(gate: Gate, admission: Admission, request: FastifyRequest, reply: FastifyReply): void {
  const token = request.cookies[SESSION_COOKIE]
  if (admission.isSessionRenewed && token !== undefined) gate.cookie.set(reply, token)
}

/** Signing in takes no cookie, but another site's page must not do it for the person either. */
function refuseForeignOrigin(gate: Gate, request: FastifyRequest): void {
  const { origin } = request.headers
  if (origin !== undefined && !isSafeMethod(request.method) && !gate.origins.has(origin)) throw originNotAllowed()
}

function bearerOf(request: FastifyRequest): string | undefined {
  const { authorization } = request.headers
  if (authorization === undefined) return undefined
  const [, token] = /^Bearer +(\S+)$/i.exec(authorization) ?? []
  if (token === undefined) throw new AppError('UNAUTHORIZED', 'Send the credential as Authorization: Bearer <token>.')
  return token
}

/** Whatever else it is that was sent, a good key or a good cookie too, is no credential here. */
function refuseOtherThanChannelToken(bearer: string | undefined): void {
  if (bearer !== undefined && tokenKind(bearer) === 'channel_token') return
  const message = 'The facade takes a channel token only. Send Authorization: Bearer <channel token>.'
  throw new AppError('UNAUTHORIZED', message)
}

/** The channel that the path names, if it can be one. */
function channelOf(request: FastifyRequest): string | null {
  const { id } = request.params as { id?: string }
  return id !== undefined && isUuid(id) ? id : null
}

function organizationHeader(request: FastifyRequest): string | null {
  const value = request.headers['x-hub-organization']
  if (value === undefined) return null
  if (typeof value !== 'string' || !isUuid(value)) throw invalidRequest('X-Hub-Organization must be a uuid.')
  return value.toLowerCase()
}

/**
 * Addresses end up in logs and histories: a credential there is refused even
 * beside a good one, so that it is noticed, and however it is spelled.
 */
function refuseQueryCredential({ url }: FastifyRequest): void {
  if (!url.includes('?')) return
  const parameters = [...new URLSearchParams(url.slice(url.indexOf('?')))]
  if (
    !parameters.some(([name, value]) => CREDENTIAL_NAME.test(name) || CREDENTIAL.test(name) || CREDENTIAL.test(value))
  )
    return
  const message = 'A credential in the query string is never accepted. Send Authorization: Bearer <token>.'
  throw new AppError('UNAUTHORIZED', message)
}

function missingCredential(): AppError {
  return new AppError('UNAUTHORIZED', 'A credential is required. Send Authorization: Bearer <API key>.')
}

function originNotAllowed(): AppError {
  return new AppError('ORIGIN_NOT_ALLOWED', 'A request with a session must carry the Origin of the dashboard.')
}

function routeMethod(route: RouteOptions): string {
  // Fastify answers HEAD wherever it answers GET, under the same rules.
  return String(route.method) === 'HEAD' ? 'GET' : String(route.method)
}
