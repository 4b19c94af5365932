import { isLoopbackHost } from '../../kernel/net/addresses.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])
const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]']

export function isSafeMethod(method: string): boolean {
  return SAFE_METHODS.has(method)
}

/**
 * The origins that may act with a person's cookie: that of PUBLIC_URL. On a
 * loopback address its other spellings count too, since people type either.
 */
export function allowedOrigins(publicUrl: string): ReadonlySet<string> {
  const url = new URL(publicUrl)
  if (!isLoopbackHost(url.hostname)) return new Set([url.origin])
  const port = url.port === '' ? '' : `:${url.port}`
  return new Set(LOOPBACK_HOSTS.map((host) => `${url.protocol}//${host}${port}`))
}
