/** Letters, digits, hyphens, and the underscore that container names have. */
const HOST_NAME = /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/

/** A URL reads a host that ends in a number as an IPv4 address, or not at all. */
const ENDS_IN_NUMBER = /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/

/**
 * Suffixes that only resolve in a local network: special-use names of RFC 6761 and later ones, and those that RFC 6762
 * (appendix G) found in private networks. Suffixes that never resolve (`example`, `invalid`) need no entry.
 */
const LOCAL_SUFFIXES = [
  'localhost',
  'localdomain',
  'local',
  'internal',
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
  'test',
  'arpa', // home.arpa, and the names of addresses
  'onion',
  'alt',
]

/** Returns true if a host in lower case, as a URL has it, is a name and not an address. A name does not end in a dot. */
export function isHostName(host: string): boolean {
  return HOST_NAME.test(host) && !ENDS_IN_NUMBER.test(host)
}

/** Returns true if a name belongs to a local network: a single label, or one of the suffixes above. */
export function isLocalName(name: string): boolean {
  const labels = name.split('.')
  return labels.length === 1 || LOCAL_SUFFIXES.includes(labels.at(-1) ?? '')
}
