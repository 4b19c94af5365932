import '@fastify/cookie'
import type { FastifyReply } from 'fastify'
import { SESSION_LIFE_SECONDS } from '../session-lifetime.ts'

export const SESSION_COOKIE = 'hub_session'

export type SessionCookie = ReturnType<typeof createSessionCookie>

export function createSessionCookie(isSecure: boolean) {
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure } as const
  return {
    set(reply: FastifyReply, token: string): void {
      reply.setCookie(SESSION_COOKIE, token, { ...options, maxAge: SESSION_LIFE_SECONDS })
    },

    clear(reply: FastifyReply): void {
      reply.clearCookie(SESSION_COOKIE, options)
    },
  }
}
