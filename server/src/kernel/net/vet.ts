import type { AllowedDestination } from './allowed-destinations.ts'
import { parseDestination, type Refusal, refusalOf } from './destination.ts'
import type { ResolvedAddress } from './lookup.ts'
import type { Resolution, Resolver } from './resolver.ts'

export type Vetted = { ok: true; url: URL; addresses: readonly ResolvedAddress[] }

export type Destinations = ReturnType<typeof createDestinations>

/** Whether the hub may send to a URL, and to which addresses. `allowed` is WEBHOOK_ALLOWED_DESTINATIONS. */
export function createDestinations({
  allowed,
  resolver,
}: {
  allowed: readonly AllowedDestination[]
  resolver: Resolver
}) {
  return {
    /**
     * To be asked when a URL is stored and again before every attempt, even where a kept-alive socket exists. The caller
     * dials only `addresses`, requests `url` itself, and checks the certificate against the name in it. Where the URL
     * has an address instead of a name, neither undici nor `net.connect` calls a `lookup` function: a guard there sees
     * nothing, and this check is the only one. Rejects only with the reason of `signal`.
     */
    async check(text: string, signal?: AbortSignal): Promise<Vetted | Refusal | Extract<Resolution, { ok: false }>> {
      const destination = parseDestination(text, allowed)
      if (!destination.ok) return destination
      const { url, host, isAddress, isTrustedHost } = destination
      if (isAddress) return { ok: true, url, addresses: [{ address: host, family: host.includes(':') ? 6 : 4 }] }

      // A name that a tenant made up must not reach the system's own resolver, where it would hold a thread.
      const resolution = await resolver.resolve({ name: host, via: isTrustedHost ? 'system' : 'dns' }, signal)
      if (!resolution.ok) return resolution
      const { addresses } = resolution
      const found = addresses.map(({ address }) => address)
      return refusalOf(destination, found, allowed) ?? { ok: true, url, addresses }
    },
  }
}
