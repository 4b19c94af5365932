import '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ClientInfo } from '../principal.ts'
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

export function readClientInfo(request: FastifyRequest): ClientInfo {
  const userAgent = request.headers['user-agent']?.slice(0, 300) ?? null
  return { ip: request.ip, requestId: request.id, userAgent }
}
