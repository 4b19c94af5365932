import { readFileSync } from 'node:fs'

export type ConnectionOptions = { host: string; port: number; user: string; password: string; database: string }

/** The encryption of a connection; `prefer` falls back to plain text if the server has no TLS. */
export type Tls = { isRequired: boolean; rejectUnauthorized: boolean; ca?: string }

/** The address of a database: one server, or several of which one takes writes. */
export type Target = {
  servers: readonly { host: string; port: number }[]
  user: string
  password: string
  database: string
  tls: Tls | undefined
  /** Settings of a session, as a server takes them on its command line. */
  options: string | undefined
  /** A server that refuses writes is not used. */
  isReadWrite: boolean
}

const DEFAULT_PORT = 5432
const URL_PARTS =
  /^postgres(?:ql)?:\/\/(?:(?<user>[^:@/]*)(?::(?<password>[^/]*))?@)?(?<servers>[^/?#@]*)(?:\/(?<database>[^/?#]*))?(?:\?(?<query>[^#]*))?$/
/** A name, an address, an IPv6 address in brackets, or the percent-encoded directory of a unix socket. */
const SERVER = /^(?<host>\[[0-9a-f:.]+\]|[^:[\]]+)(?::(?<port>\d{1,5}))?$/i

const TLS_MODES: Record<string, Omit<Tls, 'ca'> | undefined> = {
  disable: undefined,
  allow: { isRequired: false, rejectUnauthorized: false },
  prefer: { isRequired: false, rejectUnauthorized: false },
  require: { isRequired: true, rejectUnauthorized: false },
  'verify-ca': { isRequired: true, rejectUnauthorized: true },
  'verify-full': { isRequired: true, rejectUnauthorized: true },
}
const READ_WRITE = ['read-write', 'primary']
const PARAMETERS = ['sslmode', 'sslrootcert', 'target_session_attrs', 'options']
/** Part of the URLs that providers hand out. They change nothing here. */
const IGNORED = ['application_name', 'channel_binding', 'connect_timeout', 'gssencmode']

/** A database URL that cannot be used. The message is for the operator, and names no secret. */
export class InvalidDatabaseUrl extends Error {
  override name = 'InvalidDatabaseUrl'
}

/**
 * Reads a URL as libpq and psql do: `postgres://user:password@a,b:5433/database?target_session_attrs=read-write`. A
 * directory of unix sockets is percent-encoded in place of the host.
 */
export function parseDatabaseUrl(url: string): Target {
  const parts = URL_PARTS.exec(url)?.groups
  if (!parts)
    throw new InvalidDatabaseUrl(
      'must be a URL of the form postgres://user:password@host:5432/database, with / in a password as %2F',
    )
  const query = new URLSearchParams(parts.query)
  const servers = (parts.servers || 'localhost').split(',').map(parseServer)
  const user = decode(parts.user) || 'postgres'
  return {
    servers,
    user,
    password: decode(parts.password),
    database: decode(parts.database) || user,
    tls: readTls(query),
    options: query.get('options') ?? undefined,
    isReadWrite: readIsReadWrite(query) || servers.length > 1,
  }
}

/** The URL as libpq and psql read it: the socket's directory, percent-encoded, in place of the host. */
export function toSocketUrl(o: ConnectionOptions): string {
  const credentials = `${encodeURIComponent(o.user)}:${encodeURIComponent(o.password)}`
  return `postgres://${credentials}@${encodeURIComponent(o.host)}:${o.port}/${encodeURIComponent(o.database)}`
}

/** The servers and the database, without secrets. */
export function describeTarget({ servers, database }: Target): string {
  return `${servers.map(({ host, port }) => (host.startsWith('/') ? host : `${host}:${port}`)).join(',')}/${database}`
}

function parseServer(text: string): { host: string; port: number } {
  const { host = '', port } = SERVER.exec(text)?.groups ?? {}
  const number = Number(port ?? DEFAULT_PORT)
  if (host === '' || number < 1 || number > 65_535) {
    // This text may be part of a password in which a slash is not encoded, so it is not repeated.
    throw new InvalidDatabaseUrl('has a server that is not of the form host:port')
  }
  return { host: decode(host).replace(/^\[|\]$/g, ''), port: number }
}

function decode(text = ''): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new InvalidDatabaseUrl('has a percent sign that encodes nothing: write it as %25')
  }
}

function readTls(query: URLSearchParams): Tls | undefined {
  const mode = query.get('sslmode') ?? 'disable'
  if (!(mode in TLS_MODES)) {
    throw new InvalidDatabaseUrl(`has sslmode=${mode}, which is none of ${Object.keys(TLS_MODES).join(', ')}`)
  }
  const tls = TLS_MODES[mode]
  const file = query.get('sslrootcert')
  if (!tls || file === null) return tls
  const checked = { ...tls, rejectUnauthorized: true }
  try {
    return file === 'system' ? checked : { ...checked, ca: readFileSync(file, 'utf8') }
  } catch (err) {
    throw new InvalidDatabaseUrl(`names a file in sslrootcert that cannot be read (${(err as { code: string }).code})`)
  }
}

function readIsReadWrite(query: URLSearchParams): boolean {
  const unknown = [...query.keys()].find((key) => ![...PARAMETERS, ...IGNORED].includes(key))
  if (unknown)
    throw new InvalidDatabaseUrl(`has the unknown parameter "${unknown}"; known are ${PARAMETERS.join(', ')}`)
  const attribute = query.get('target_session_attrs')
  if (attribute === null || attribute === 'any') return false
  if (READ_WRITE.includes(attribute)) return true
  throw new InvalidDatabaseUrl(`has target_session_attrs=${attribute}, but the hub needs a server that takes writes`)
}
