const MEDIA_DOMAIN = 'fbsbx.com'

/**
 * Where the upstream keeps files, beside its own host. The addresses of files
 * come from outside and the token goes along, so that it leaves over https, on
 * the usual port, for the platform's own names alone.
 */
export function isMediaHost(origin: string): boolean {
  const { protocol, port, hostname } = URL.parse(origin) ?? {}
  return protocol === 'https:' && port === '' && `.${hostname}`.endsWith(`.${MEDIA_DOMAIN}`)
}
