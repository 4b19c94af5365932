import { isLoopbackHost } from '../../kernel/net/addresses.ts'

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])
const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]']

export function isSafeMethod(method: string): boolean {
  return SAFE_METHODS.has(method)
}

/** The origins whose pages may send the session cookie: that of PUBLIC_URL, and on loopback its other spellings. */
export function listAllowedOrigins(publicUrl: string): ReadonlySet<string> {
  const url = new URL(publicUrl)
  if (!isLoopbackHost(url.hostname)) return new Set([url.origin])
  const port = url.port === '' ? '' : `:${url.port}`
  return new Set(LOOPBACK_HOSTS.map((host) => `${url.protocol}//${host}${port}`))
}
