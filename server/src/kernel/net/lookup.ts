import { promises as dns } from 'node:dns'
import { within } from './within.ts'

export type ResolvedAddress = { address: string; family: 4 | 6 }

/**
 * `dns` asks the name servers for what any name server would say. `system` asks as every program on the machine does,
 * with /etc/hosts and search domains: it is for names that the operator chose.
 */
export type Question = { name: string; via: 'dns' | 'system' }

/** All addresses of a name; rejects with an error that has the `code` of node:dns. */
export type Lookup = (question: Question) => Promise<ResolvedAddress[]>

/**
 * Name servers may change while the hub runs, and c-ares reads resolv.conf but once. A new one for each name costs 50 µs.
 */
const RENEW_AFTER_MS = 30_000

/** Each name server is asked so often, the second time with twice the patience. */
const TRIES = 2

/**
 * `patienceMs` is for each family of addresses, and shorter than the caller's own, so that one family counts where the
 * name server never answers for the other.
 */
export function createLookup({ patienceMs, servers }: { patienceMs: number; servers?: string[] }): Lookup {
  const byDns = createDnsLookup(patienceMs, servers)
  return async ({ name, via }) => (via === 'dns' ? byDns(name) : bySystem(name))
}

/**
 * getaddrinfo cannot be stopped and holds one of libuv's four threads, which files and password hashes share. The resolver
 * asks it one question at a time for each name, and only for the few names that an operator trusts.
 */
async function bySystem(name: string): Promise<ResolvedAddress[]> {
  const found = await dns.lookup(name, { all: true, order: 'ipv4first' })
  return found.map(({ address, family }) => ({ address, family: family === 4 ? 4 : 6 }))
}

/** c-ares uses no thread and has its own time-out. Node turns off its cache. */
function createDnsLookup(patienceMs: number, servers: string[] | undefined) {
  let resolver = newResolver()
  let renewAt = performance.now() + RENEW_AFTER_MS

  function newResolver() {
    const made = new dns.Resolver({ timeout: Math.ceil(patienceMs / 3), tries: TRIES })
    if (servers) made.setServers(servers)
    return made
  }

  return async (name: string): Promise<ResolvedAddress[]> => {
    if (performance.now() >= renewAt) {
      resolver = newResolver()
      renewAt = performance.now() + RENEW_AFTER_MS
    }
    const [v4, v6] = await Promise.allSettled([
      inTime(resolver.resolve4(name), patienceMs),
      inTime(resolver.resolve6(name), patienceMs),
    ])
    // One family is enough although the other failed: what is not known is not dialled.
    const found = [...addressesOf(v4, 4), ...addressesOf(v6, 6)]
    if (found.length === 0) throw failureOf([v4, v6])
    return found
  }
}

async function inTime(answer: Promise<string[]>, ms: number): Promise<string[]> {
  const addresses = await within(answer, ms)
  if (addresses === 'late') throw Object.assign(new Error('The name server did not answer'), { code: 'ETIMEOUT' })
  return addresses
}

function addressesOf(outcome: PromiseSettledResult<string[]>, family: 4 | 6): ResolvedAddress[] {
  return outcome.status === 'fulfilled' ? outcome.value.map((address) => ({ address, family })) : []
}

/** "No such record" of one address family says less than the other family's error. */
function failureOf(outcomes: PromiseSettledResult<string[]>[]): unknown {
  const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  return failures.find((failure) => failure.code !== 'ENODATA') ?? failures[0]
}
