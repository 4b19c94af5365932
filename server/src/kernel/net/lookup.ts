import { promises as dns } from 'node:dns'
import { withTimeout } from './with-timeout.ts'

export type ResolvedAddress = { address: string; family: 4 | 6 }

/**
 * `dns` queries the name servers only. `system` resolves like other programs of the machine, with /etc/hosts and search
 * domains, and is for names that the operator configured.
 */
export type LookupQuery = { name: string; via: 'dns' | 'system' }

/** All addresses of a name; rejects with an error that has the `code` of node:dns. */
export type Lookup = (query: LookupQuery) => Promise<ResolvedAddress[]>

/**
 * Name servers may change while the hub runs, but c-ares reads resolv.conf only once. A new resolver costs 50 µs.
 */
const RENEW_AFTER_MS = 30_000

/** Queries per name server. The second one has twice the timeout. */
const ATTEMPTS = 2

/**
 * `familyTimeoutMs` applies to each address family. It is shorter than the caller's timeout, so that the addresses of one
 * family are used if the name server never answers for the other.
 */
export function createLookup({ familyTimeoutMs, servers }: { familyTimeoutMs: number; servers?: string[] }): Lookup {
  const lookUpByDns = createDnsLookup(familyTimeoutMs, servers)
  return async ({ name, via }) => (via === 'dns' ? lookUpByDns(name) : lookUpBySystem(name))
}

/**
 * getaddrinfo cannot be canceled and occupies one of libuv's four threads, which files and password hashes share. The
 * resolver runs one lookup at a time for each name, and only for the few names that an operator trusts.
 */
async function lookUpBySystem(name: string): Promise<ResolvedAddress[]> {
  const addresses = await dns.lookup(name, { all: true, order: 'ipv4first' })
  return addresses.map(({ address, family }) => ({ address, family: family === 4 ? 4 : 6 }))
}

/** Queries with c-ares, which uses no thread and has its own timeout. Node turns off the cache of c-ares. */
function createDnsLookup(familyTimeoutMs: number, servers: string[] | undefined) {
  let resolver = newResolver()
  let renewAt = performance.now() + RENEW_AFTER_MS

  function newResolver() {
    const created = new dns.Resolver({ timeout: Math.ceil(familyTimeoutMs / 3), tries: ATTEMPTS })
    if (servers) created.setServers(servers)
    return created
  }

  return async (name: string): Promise<ResolvedAddress[]> => {
    if (performance.now() >= renewAt) {
      resolver = newResolver()
      renewAt = performance.now() + RENEW_AFTER_MS
    }
    const [v4, v6] = await Promise.allSettled([
      resolveInTime(resolver.resolve4(name), familyTimeoutMs),
      resolveInTime(resolver.resolve6(name), familyTimeoutMs),
    ])
    // One family is enough even if the other failed: unknown addresses are never connected to.
    const addresses = [...toAddresses(v4, 4), ...toAddresses(v6, 6)]
    if (addresses.length === 0) throw chooseFailure([v4, v6])
    return addresses
  }
}

async function resolveInTime(answer: Promise<string[]>, ms: number): Promise<string[]> {
  const addresses = await withTimeout(answer, ms)
  if (addresses === 'timeout') throw Object.assign(new Error('The name server did not answer'), { code: 'ETIMEOUT' })
  return addresses
}

function toAddresses(outcome: PromiseSettledResult<string[]>, family: 4 | 6): ResolvedAddress[] {
  return outcome.status === 'fulfilled' ? outcome.value.map((address) => ({ address, family })) : []
}

/** The error of a family, rather than "no such record" (ENODATA) of the other. */
function chooseFailure(outcomes: PromiseSettledResult<string[]>[]): unknown {
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  return failures.find((failure) => failure.code !== 'ENODATA') ?? failures[0]
}
