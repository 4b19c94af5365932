import { isIP } from 'node:net'
import type { AllowedDestination } from './allowed-destinations.ts'
import { isForbiddenAddress } from './forbidden-address.ts'
import { isHostName, isLocalName } from './host-name.ts'
import { isIn, parseBlock, parseIp } from './ip.ts'
import { isPublicAddress } from './public-address.ts'

const URL_LENGTH_MAX = 2048
const DEFAULT_PORTS: Record<string, number> = { 'https:': 443, 'http:': 80 }

/** `new URL` makes up what is missing of this. */
const IN_FULL = /^https?:\/\/[^/?#]/i

/** What `new URL` drops or rewrites without a word. A URL that has it was mistyped, or made to be read in two ways. */
const SILENTLY_REWRITTEN = /[\p{Cc}\s\\]/u

export type Destination = {
  ok: true
  /** Decided on and to be dialled: reading the text again elsewhere could give another host. */
  url: URL
  /** The name, or the address without brackets. */
  host: string
  isAddress: boolean
  port: number
  /** An entry of WEBHOOK_ALLOWED_DESTINATIONS names this very host and port. */
  isTrustedHost: boolean
  /** The rule that this URL breaks, and that only a trusted block around every one of its addresses makes good. */
  brokenRule: string | undefined
}

export type Refusal = { ok: false; code: 'DESTINATION_NOT_ALLOWED'; reason: string }

/**
 * Reads a webhook's URL and refuses what no address could make good. An address in the URL is judged here, in whichever
 * of its forms (decimal, octal, hexadecimal, short, full-width, percent-encoded): `new URL` has made it plain. The
 * addresses of a name are for {@link refusalOf}, once it is resolved. A fragment is dropped, as it is never sent.
 */
export function parseDestination(text: string, allowed: readonly AllowedDestination[]): Destination | Refusal {
  if (text.length > URL_LENGTH_MAX) return refusal(`The URL is longer than ${URL_LENGTH_MAX} characters.`)
  if (SILENTLY_REWRITTEN.test(text)) return refusal('The URL has a space, a control character or a backslash in it.')
  const url = URL.parse(text)
  if (!url) return refusal('The URL cannot be read. Give it in full, such as https://example.com/hooks.')
  const defaultPort = DEFAULT_PORTS[url.protocol]
  if (defaultPort === undefined) return refusal('Only https URLs are allowed.')
  if (!IN_FULL.test(text)) return refusal('Give the URL in full, such as https://example.com/hooks.')
  if (url.username || url.password) return refusal('The URL has a user name or password in it.')
  url.hash = ''

  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isAddress = isIP(host) !== 0
  const malformed = isAddress ? undefined : malformationOf(host)
  if (malformed) return refusal(malformed)

  const port = url.port === '' ? defaultPort : Number(url.port)
  const isTrustedHost = allowed.some((entry) => 'host' in entry && entry.host === host && entry.port === port)
  const brokenRule = isTrustedHost ? undefined : brokenRuleOf(url.protocol, port, isAddress ? undefined : host)
  const mayBeTrusted = allowed.some((entry) => 'cidr' in entry && entry.port === port)
  if (brokenRule && !mayBeTrusted) return refusal(brokenRule)

  const destination: Destination = { ok: true, url, host, isAddress, port, isTrustedHost, brokenRule }
  return (isAddress ? refusalOf(destination, [host], allowed) : undefined) ?? destination
}

/**
 * The refusal of a destination for its addresses, if there is one. One bad address condemns them all: no honest receiver
 * has both kinds, and a name under attack answers with another mixture each time.
 */
export function refusalOf(
  destination: Destination,
  addresses: readonly string[],
  allowed: readonly AllowedDestination[],
): Refusal | undefined {
  for (const address of addresses) {
    if (isForbiddenAddress(address)) {
      return refusal('The URL leads to a link-local or metadata address, which is never allowed.')
    }
    if (destination.isTrustedHost || isInTrustedBlock(address, destination.port, allowed)) continue
    if (destination.brokenRule) return refusal(destination.brokenRule)
    // The address stays unsaid: it may come from a resolver that knows more than the tenant should.
    if (!isPublicAddress(address)) return refusal('The URL leads to an address that is not public.')
  }
  return undefined
}

/**
 * A dot at the end is refused rather than taken off: certificates and most receivers know the name without it, and
 * nothing here should differ from what the tenant wrote.
 */
function malformationOf(host: string): string | undefined {
  if (host.endsWith('.')) return 'The host name ends in a dot. Leave the dot out.'
  return isHostName(host) ? undefined : 'The host of the URL is not a valid host name.'
}

function brokenRuleOf(protocol: string, port: number, name: string | undefined): string | undefined {
  if (protocol !== 'https:') return 'Only https URLs are allowed.'
  if (port !== DEFAULT_PORTS['https:']) return 'Only port 443 is allowed.'
  if (name !== undefined && isLocalName(name)) return 'The host name is one of a local network. Use a public name.'
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

function refusal(reason: string): Refusal {
  return { ok: false, code: 'DESTINATION_NOT_ALLOWED', reason }
}
