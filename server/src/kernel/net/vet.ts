import { BoundedMap } from '../bounded-map.ts'
import type { AllowedDestination } from './allowed-destinations.ts'
import { type Destination, parseDestination, type Refusal, refusalOf } from './destination.ts'
import type { ResolvedAddress } from './lookup.ts'
import type { Resolution, Resolver } from './resolver.ts'

/** Attempts at one URL come by the thousand, and to read it and judge its addresses takes tens of microseconds. */
const KNOWN_MAX = 4096

/** Shared by all callers with this URL, so it is read-only. */
export type Vetted = { readonly ok: true; readonly url: URL; readonly addresses: readonly ResolvedAddress[] }

type Unresolved = Extract<Resolution, { ok: false }>

/** A URL as it was read, and the verdict on the last answer for its name. */
type Known = { destination: Destination | Refusal; resolution?: Resolution; verdict?: Vetted | Refusal }

export type Destinations = ReturnType<typeof createDestinations>

/** Whether the hub may send to a URL, and to which addresses. `allowed` is WEBHOOK_ALLOWED_DESTINATIONS. */
export function createDestinations({
  allowed,
  resolver,
}: {
  allowed: readonly AllowedDestination[]
  resolver: Resolver
}) {
  const known = new BoundedMap<string, Known>(KNOWN_MAX)

  function read(text: string): Known {
    const found = known.get(text)
    if (found) return found
    const made: Known = { destination: parseDestination(text, allowed) }
    // What is refused may be of any length, and is not asked for again.
    if (made.destination.ok) known.set(text, made)
    return made
  }

  function judge(destination: Destination, addresses: readonly ResolvedAddress[]): Vetted | Refusal {
    const found = addresses.map(({ address }) => address)
    return refusalOf(destination, found, allowed) ?? { ok: true, url: destination.url, addresses }
  }

  return {
    /**
     * To be asked when a URL is stored and again before every attempt, even where a kept-alive socket exists. The caller
     * dials only `addresses`, requests `url` itself, and checks the certificate against the name in it. Where the URL
     * has an address instead of a name, neither undici nor `net.connect` calls a `lookup` function: a guard there sees
     * nothing, and this check is the only one. Rejects only with the reason of `signal`.
     */
    async check(text: string, signal?: AbortSignal): Promise<Vetted | Refusal | Unresolved> {
      const one = read(text)
      const { destination } = one
      if (!destination.ok) return destination
      const { url, host, isAddress, isTrustedHost } = destination
      if (isAddress) {
        one.verdict ??= { ok: true, url, addresses: [{ address: host, family: host.includes(':') ? 6 : 4 }] }
        return one.verdict
      }

      // A name that a tenant made up must not reach the system's own resolver, where it would hold a thread.
      const resolution = await resolver.resolve({ name: host, via: isTrustedHost ? 'system' : 'dns' }, signal)
      if (!resolution.ok) return resolution
      // The resolver hands out the same object for as long as it reuses an answer.
      if (one.resolution !== resolution || !one.verdict) {
        one.resolution = resolution
        one.verdict = judge(destination, resolution.addresses)
      }
      return one.verdict
    },
  }
}
