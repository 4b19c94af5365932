import type { FastifyRequest } from 'fastify'
import type { Simulation } from '../simulation.ts'

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]']
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

/** Returns true if a page of another site, open in the same browser, sent the request. */
export function isForeign({ headers: { origin } }: FastifyRequest, { allowedOrigins }: Simulation): boolean {
  return origin !== undefined && !(URL.canParse(origin) && isAllowedOrigin(new URL(origin), allowedOrigins))
}

/**
 * Returns true if the request names another host than this simulator: a page whose own name resolves to this machine is of its
 * own origin, and may have no `Origin` header.
 */
export function isForAnotherHost(
  { headers: { host = '' } }: FastifyRequest,
  { graph, allowedOrigins }: Simulation,
): boolean {
  const name = URL.parse(`http://${host}`)?.hostname ?? ''
  const own = [graph.url(), ...allowedOrigins].map((url) => new URL(url).hostname)
  return !LOOPBACK_HOSTS.includes(name) && !own.includes(name)
}

export function isAllowedOrigin(url: URL, allowedOrigins: readonly string[]): boolean {
  const isLoopback = LOOPBACK_HOSTS.includes(url.hostname)
  return /^https?:$/.test(url.protocol) && (isLoopback || allowedOrigins.includes(url.origin))
}
