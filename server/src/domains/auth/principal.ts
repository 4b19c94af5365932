import type { Act } from '../audit/act.ts'
import type { Role, Scope } from './scopes.ts'

/** Who is calling, and for which organization. Every tenant's query takes its organization from here. */
export type Principal = {
  organizationId: string
  scopes: readonly Scope[]
  act: Act
  /** A channel token reaches this channel and nothing else. */
  channelId: string | null
  session: SessionPrincipal | null
}

export type SessionPrincipal = { id: string; userId: string; email: string; role: Role }

/** Somebody who is not signed in yet. */
export type ClientInfo = { ip: string; requestId: string; userAgent: string | null }

declare module 'fastify' {
  interface FastifyRequest {
    principal: Principal
  }
}

/** Only routes for sessions reach what calls this, so a missing session is a mistake in the access table. */
export function requireSession(principal: Principal): SessionPrincipal {
  if (!principal.session) throw new Error('A route for sessions was reached without one')
  return principal.session
}
