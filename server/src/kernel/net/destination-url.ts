import { isIP } from 'node:net'
import type { Reason } from '../errors.ts'
import type { AllowedDestination } from './allowed-destinations.ts'
import { isForbiddenAddress } from './forbidden-address.ts'
import { isHostName, isLocalName } from './host-name.ts'
import { isIn, parseBlock, parseIp } from './ip.ts'
import { isPublicAddress } from './public-address.ts'

export const URL_LENGTH_MAX = 2048
const DEFAULT_PORTS: Record<string, number> = { 'https:': 443, 'http:': 80 }

/** `new URL` would add these parts if they were missing. */
const IN_FULL = /^https?:\/\/[^/?#]/i

/** Characters that `new URL` silently drops or rewrites: a typing error, or an attempt to make two parsers disagree. */
const SILENTLY_REWRITTEN = /[\p{Cc}\s\\]/u

/** The reasons for which a URL is refused, as in the error. */
export type DestinationReason = Reason<'WEBHOOK_URL_NOT_ALLOWED'>

export type Destination = {
  ok: true
  /** The URL that was checked and must be requested: parsing the text again elsewhere could give another host. */
  url: URL
  /** The name, or the address without brackets. */
  host: string
  isAddress: boolean
  port: number
  /** An entry of WEBHOOK_ALLOWED_DESTINATIONS names this host and port. */
  isTrustedHost: boolean
  /** The rule that this URL breaks. It is waived only if every address of the host is in a trusted block. */
  brokenRule: DestinationReason | undefined
}

export type Refusal = { ok: false; code: 'DESTINATION_NOT_ALLOWED'; reason: DestinationReason }

/**
 * Parses a webhook's URL and refuses it if no address could make it valid. An address in the URL is checked here, in any
 * notation (decimal, octal, hexadecimal, short, full-width, percent-encoded), because `new URL` normalizes it. The
 * addresses of a name are checked by {@link findRefusal} once it is resolved. The fragment is dropped: it is never sent.
 */
export function parseDestination(text: string, allowed: readonly AllowedDestination[]): Destination | Refusal {
  if (text.length > URL_LENGTH_MAX) return refusal('url_too_long')
  if (SILENTLY_REWRITTEN.test(text)) return refusal('url_character_forbidden')
  const url = URL.parse(text)
  if (!url) return refusal('url_unreadable')
  const defaultPort = DEFAULT_PORTS[url.protocol]
  if (defaultPort === undefined) return refusal('url_of_other_scheme')
  if (!IN_FULL.test(text)) return refusal('url_not_in_full')
  if (url.username || url.password) return refusal('url_with_credentials')
  url.hash = ''

  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isAddress = isIP(host) !== 0
  const malformed = isAddress ? undefined : findHostProblem(host)
  if (malformed) return refusal(malformed)

  const port = url.port === '' ? defaultPort : Number(url.port)
  const isTrustedHost = allowed.some((entry) => 'host' in entry && entry.host === host && entry.port === port)
  const brokenRule = isTrustedHost ? undefined : findBrokenRule(url.protocol, port, isAddress ? undefined : host)
  const mayBeTrusted = allowed.some((entry) => 'cidr' in entry && entry.port === port)
  if (brokenRule && !mayBeTrusted) return refusal(brokenRule)

  const destination: Destination = { ok: true, url, host, isAddress, port, isTrustedHost, brokenRule }
  return (isAddress ? findRefusal(destination, [host], allowed) : undefined) ?? destination
}

/**
 * The refusal of a destination because of its addresses. One refused address is enough: no real receiver has both
 * public and internal addresses, and a name used for DNS rebinding returns another mixture each time.
 */
export function findRefusal(
  destination: Destination,
  addresses: readonly string[],
  allowed: readonly AllowedDestination[],
): Refusal | undefined {
  for (const address of addresses) {
    if (isForbiddenAddress(address)) {
      return refusal('address_forbidden')
    }
    if (destination.isTrustedHost || isInTrustedBlock(address, destination.port, allowed)) continue
    if (destination.brokenRule) return refusal(destination.brokenRule)
    // The message does not contain the address: the resolver may know internal names that the tenant must not learn.
    if (!isPublicAddress(address)) return refusal('address_not_public')
  }
  return undefined
}

/**
 * A dot at the end is refused and not removed: certificates and most receivers have the name without it, and the stored
 * URL must be the one that the tenant wrote.
 */
function findHostProblem(host: string): DestinationReason | undefined {
  if (host.endsWith('.')) return 'host_ends_in_dot'
  return isHostName(host) ? undefined : 'host_invalid'
}

function findBrokenRule(protocol: string, port: number, name: string | undefined): DestinationReason | undefined {
  if (protocol !== 'https:') return 'url_not_https'
  if (port !== DEFAULT_PORTS['https:']) return 'url_of_other_port'
  if (name !== undefined && isLocalName(name)) return 'host_local'
  return undefined
}

function isInTrustedBlock(address: string, port: number, allowed: readonly AllowedDestination[]): boolean {
  const ip = parseIp(address)
  if (!ip) return false
  return allowed.some(
    (entry) =>
      'cidr' in entry && entry.port === port && isIn(ip, parseBlock(`${entry.cidr.address}/${entry.cidr.bits}`)),
  )
}

function refusal(reason: DestinationReason): Refusal {
  return { ok: false, code: 'DESTINATION_NOT_ALLOWED', reason }
}
