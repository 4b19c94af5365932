import type { FastifyInstance } from 'fastify'
import { invalidRequest } from '../errors.ts'

/** An answer of the API is data: no browser may run, frame, sniff or keep it. A page sets its own policy. */
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

export function installHeaders(app: FastifyInstance, options: { isHttps: boolean }): void {
  const headers = options.isHttps ? { ...HEADERS, 'Strict-Transport-Security': 'max-age=31536000' } : HEADERS
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers).header('X-Request-Id', request.id)
    // PostgreSQL cannot store a NUL, and no name or id has one.
    if (/%00/.test(request.url)) throw invalidRequest('The address holds a NUL character (%00).')
  })
}
