const LOCAL =
  /^(?:localhost|.*\.local|.*\.localhost|127\..*|10\..*|192\.168\..*|172\.(?:1[6-9]|2\d|3[01])\..*|\[(?:::1|f[cd].*)\])$/

/**
 * The destination of an address on the developer's own machine or network, as WEBHOOK_ALLOWED_DESTINATIONS takes it; undefined for any
 * other address.
 */
export function findLocalDestination(url: string): string | undefined {
  const parsed = URL.parse(url.trim())
  if (!parsed || !/^https?:$/.test(parsed.protocol) || !LOCAL.test(parsed.hostname)) return undefined
  return `${parsed.hostname}:${parsed.port || (parsed.protocol === 'https:' ? '443' : '80')}`
}
