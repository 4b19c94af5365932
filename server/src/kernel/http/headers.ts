import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { invalidRequest } from '../errors.ts'
import { addSyncHook } from './sync-hook.ts'

/** Responses of the API are data: no browser may run, frame, sniff or cache them. A page sets its own policy. */
const HEADERS: Record<string, string> = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  'Cache-Control': 'no-store',
}

const HSTS = { 'Strict-Transport-Security': 'max-age=31536000' }

export function installHeaders(app: FastifyInstance, options: { isHttps: boolean }): void {
  addSyncHook(app, 'onRequest', (request, reply) => {
    setHeaders(request, reply, options)
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
      throw invalidRequest('host_missing')
    }
    // PostgreSQL cannot store a NUL, and no name or id has one.
    if (/%00/.test(request.url)) throw invalidRequest('address_nul_character')
    if (!isDecodable(request.url)) throw invalidRequest('address_unreadable')
  })
}

export function setHeaders(request: FastifyRequest, reply: FastifyReply, { isHttps }: { isHttps: boolean }): void {
  reply.headers(buildResponseHeaders(request.id, isHttps))
}

export function buildResponseHeaders(requestId: string, isHttps: boolean): Record<string, string> {
  return { ...HEADERS, ...(isHttps && HSTS), 'X-Request-Id': requestId }
}

function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url)
    return true
  } catch {
    // The only possible error is a malformed sequence.
    return false
  }
}
