import type { FastifyRequest } from 'fastify'
import type { Simulation } from '../simulation.ts'

const BODY_BYTES_MAX = 8 * 1024 * 1024

/** The URL as the client wrote it; only its path and query count. */
export function readUrl({ originalUrl }: FastifyRequest): URL {
  // A path can start with two slashes, which alone would start a host name.
  return new URL(originalUrl.replace(/^\//, 'http://simulator/'), 'http://simulator')
}

/** Reads the whole body; undefined if it is too large. */
export async function readBody({ raw }: FastifyRequest): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of raw as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= BODY_BYTES_MAX) chunks.push(chunk)
  }
  return size <= BODY_BYTES_MAX ? Buffer.concat(chunks).toString() : undefined
}

/** Whether a page of another site, open in the same browser, sent the request. */
export function isForeign({ headers: { origin } }: FastifyRequest, { allowedOrigins }: Simulation): boolean {
  return origin !== undefined && !(URL.canParse(origin) && isAllowedOrigin(new URL(origin), allowedOrigins))
}

export function isAllowedOrigin(url: URL, allowedOrigins: readonly string[]): boolean {
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  return /^https?:$/.test(url.protocol) && (isLoopback || allowedOrigins.includes(url.origin))
}
