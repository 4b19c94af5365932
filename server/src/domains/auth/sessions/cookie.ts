import '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { SESSION_LIFE_SECONDS } from '../session-lifetime.ts'

const NAME = 'hub_session'

export type SessionCookie = ReturnType<typeof createSessionCookie>

/**
 * The cookie of a dashboard session. On https a browser takes one whose name begins with `__Host-` only from this host
 * itself and encrypted: another host of the domain cannot set it.
 */
export function createSessionCookie(isSecure: boolean) {
  const name = isSecure ? `__Host-${NAME}` : NAME
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure } as const
  return {
    name,

    read(request: FastifyRequest): string | undefined {
      return request.cookies[name]
    },

    set(reply: FastifyReply, token: string): void {
      reply.setCookie(name, token, { ...options, maxAge: SESSION_LIFE_SECONDS })
    },

    clear(reply: FastifyReply): void {
      reply.clearCookie(name, options)
    },
  }
}
