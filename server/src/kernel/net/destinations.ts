import { BoundedMap } from '../bounded-map.ts'
import type { AllowedDestination } from './allowed-destinations.ts'
import { type Destination, findRefusal, parseDestination, type Refusal } from './destination-url.ts'
import type { ResolvedAddress } from './lookup.ts'
import type { Resolution, Resolver } from './resolver.ts'

/** A URL gets thousands of attempts, and parsing it and checking its addresses takes tens of microseconds. */
const CACHED_MAX = 4096

/** Shared by all callers with this URL, so read-only. */
export type CheckedDestination = {
  readonly ok: true
  readonly url: URL
  readonly addresses: readonly ResolvedAddress[]
}

type Unresolved = Extract<Resolution, { ok: false }>

/** A parsed URL, and the result of the check for the last resolution of its name. */
type CacheEntry = { destination: Destination | Refusal; resolution?: Resolution; result?: CheckedDestination | Refusal }

export type Destinations = ReturnType<typeof createDestinations>

/** Decides if the hub may send to a URL, and to which addresses. `allowed` is WEBHOOK_ALLOWED_DESTINATIONS. */
export function createDestinations({
  allowed,
  resolver,
}: {
  allowed: readonly AllowedDestination[]
  resolver: Resolver
}) {
  const cache = new BoundedMap<string, CacheEntry>(CACHED_MAX)

  function readEntry(text: string): CacheEntry {
    const cached = cache.get(text)
    if (cached) return cached
    const entry: CacheEntry = { destination: parseDestination(text, allowed) }
    // A refused URL may have any length, and is not checked again.
    if (entry.destination.ok) cache.set(text, entry)
    return entry
  }

  function checkAddresses(
    destination: Destination,
    addresses: readonly ResolvedAddress[],
  ): CheckedDestination | Refusal {
    const texts = addresses.map(({ address }) => address)
    return findRefusal(destination, texts, allowed) ?? { ok: true, url: destination.url, addresses }
  }

  return {
    /**
     * Call it when a URL is stored and before every attempt, even if a kept-alive socket exists. The caller connects only
     * to `addresses`, requests `url` itself, and checks the certificate against its name. For a URL with an address
     * instead of a name, neither undici nor `net.connect` calls a `lookup` function, so this check is the only one.
     * Rejects only with the reason of `signal`.
     */
    async check(text: string, signal?: AbortSignal): Promise<CheckedDestination | Refusal | Unresolved> {
      const entry = readEntry(text)
      const { destination } = entry
      if (!destination.ok) return destination
      const { url, host, isAddress, isTrustedHost } = destination
      if (isAddress) {
        entry.result ??= { ok: true, url, addresses: [{ address: host, family: host.includes(':') ? 6 : 4 }] }
        return entry.result
      }

      // A tenant's name must not reach the system's resolver, where it would occupy a thread.
      const resolution = await resolver.resolve({ name: host, via: isTrustedHost ? 'system' : 'dns' }, signal)
      if (!resolution.ok) return resolution
      // The resolver returns the same object while it reuses an answer.
      if (entry.resolution !== resolution || !entry.result) {
        entry.resolution = resolution
        entry.result = checkAddresses(destination, resolution.addresses)
      }
      return entry.result
    },
  }
}
