export type ConnectionOptions = { host: string; port: number; user: string; password: string; database: string }

/** The URL as libpq and psql read it: the socket's directory, percent-encoded, in place of the host. */
export function toSocketUrl(o: ConnectionOptions): string {
  const credentials = `${encodeURIComponent(o.user)}:${encodeURIComponent(o.password)}`
  return `postgres://${credentials}@${encodeURIComponent(o.host)}:${o.port}/${encodeURIComponent(o.database)}`
}

/**
 * The options for a URL that names a unix socket (`postgres://user:password@%2Fsocket%2Fdirectory:5432/database`), and
 * undefined for every other URL. The driver (3.4.9) does not decode the host and looks it up as a name.
 * `postgres(url, { ...parseSocketUrl(url) })` works for both kinds.
 */
export function parseSocketUrl(url: string): ConnectionOptions | undefined {
  const { hostname, port, username, password, pathname } = new URL(url)
  const host = decodeURIComponent(hostname)
  if (!host.startsWith('/')) return undefined

  return {
    host,
    port: Number(port || 5432),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
  }
}
