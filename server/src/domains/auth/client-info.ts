import type { FastifyRequest } from 'fastify'

const USER_AGENT_LENGTH_MAX = 300

/** The details in a request about a client that may not be signed in. */
export type ClientInfo = { ip: string; requestId: string; userAgent: string | null }

export function readClientInfo(request: FastifyRequest): ClientInfo {
  const userAgent = request.headers['user-agent']?.slice(0, USER_AGENT_LENGTH_MAX) ?? null
  return { ip: request.ip, requestId: request.id, userAgent }
}
