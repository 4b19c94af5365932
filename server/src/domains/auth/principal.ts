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
