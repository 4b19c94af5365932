export type ConnectionOptions = { host: string; port: number; user: string; password: string; database: string }

/** The url as libpq and psql read it: the socket's directory, percent-encoded, in the place of the host. */
export function socketUrl(o: ConnectionOptions): string {
  const credentials = `${encodeURIComponent(o.user)}:${encodeURIComponent(o.password)}`
  return `postgres://${credentials}@${encodeURIComponent(o.host)}:${o.port}/${encodeURIComponent(o.database)}`
}

/**
 * What the `postgres` driver must be told besides a url that names a unix socket
 * (`postgres://user:password@%2Fsocket%2Fdirectory:5432/database`), and undefined
 * for every other url. The driver's own parser (3.4.9) leaves the host encoded
 * and then looks it up as a name; `postgres(url, { ...socketOptions(url) })` is
 * right for both kinds.
 */
export function socketOptions(url: string): ConnectionOptions | undefined {
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
