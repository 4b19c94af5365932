import { AppError } from '../../kernel/errors.ts'
import type { Initiator } from '../audit/initiator.ts'
import type { Role, Scope } from './scopes.ts'

/** The authenticated caller. Every tenant query takes its organization from here. */
export type Principal = {
  organizationId: string
  scopes: readonly Scope[]
  initiator: Initiator
  /** A channel token reaches this channel and nothing else. */
  channelId: string | null
  session: SessionPrincipal | null
}

export type SessionPrincipal = { id: string; userId: string; email: string; role: Role }

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal
  }
}

/** Only routes for sessions call this, so a missing session is a mistake in the access rules. */
export function requireSession(principal: Principal): SessionPrincipal {
  if (!principal.session) throw new Error('A route for sessions was called without a session')
  return principal.session
}

export function requireScope(principal: Principal, scope: Scope): void {
  if (principal.scopes.includes(scope)) return
  throw new AppError('INSUFFICIENT_SCOPE', 'scope_missing', { parameters: { scope }, details: { scope } })
}

/** The error names the first of the scopes. */
export function requireAnyScope(principal: Principal, scopes: readonly Scope[]): void {
  const [first] = scopes
  if (first && !scopes.some((scope) => principal.scopes.includes(scope))) requireScope(principal, first)
}

/** A principal grants only scopes that it has itself. The message names every missing one, the details the first. */
export function requireScopesToGrant(principal: Principal, scopes: readonly Scope[]): void {
  const missing = scopes.filter((scope) => !principal.scopes.includes(scope))
  if (missing.length === 0) return
  throw new AppError('INSUFFICIENT_SCOPE', 'scopes_not_grantable', {
    parameters: { scopes: missing.join(', ') },
    details: { scope: missing[0] },
  })
}
