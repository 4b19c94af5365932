const MEDIA_DOMAIN = 'fbsbx.com'

/**
 * Hosts of the platform's files. File URLs come from outside and the request carries the
 * token, so the token is sent only to the platform's own names, over https, on port 443.
 */
export function isMediaHost(origin: string): boolean {
  const { protocol, port, hostname } = URL.parse(origin) ?? {}
  return protocol === 'https:' && port === '' && `.${hostname}`.endsWith(`.${MEDIA_DOMAIN}`)
}
