import { BoundedMap } from '../bounded-map.ts'
import type { Reason } from '../errors.ts'
import { createLookup, type Lookup, type LookupQuery, type ResolvedAddress } from './lookup.ts'
import { withTimeout } from './with-timeout.ts'

/** Long enough to spare the name servers in a burst, and too short to hide a rebinding. */
const REUSE_MS = 1000
const ANSWERS_MAX = 10_000

/** An answer over TCP can have thousands of addresses. No real receiver has more than this. */
const ADDRESSES_MAX = 64

/** The part of `timeoutMs` that the lookup of one address family may take. */
const FAMILY_TIMEOUT_SHARE = 0.8

export type Resolution =
  | { ok: true; addresses: readonly ResolvedAddress[] }
  | { ok: false; code: 'DNS_FAILED'; reason: Reason<'WEBHOOK_URL_NOT_ALLOWED'> }

export type Resolver = ReturnType<typeof createResolver>

const REASONS: Record<string, Reason<'WEBHOOK_URL_NOT_ALLOWED'>> = {
  ENOTFOUND: 'host_unknown',
  ENODATA: 'host_without_address',
  ETIMEOUT: 'host_timeout',
  TOO_MANY: 'host_with_too_many_addresses',
}

type Options = {
  timeoutMs: number
  lookup?: Lookup
  /** A monotonic clock in milliseconds. */
  now?: () => number
}

/** Resolves names. Concurrent calls for one name share one lookup, and its answer is reused for one second. */
export function createResolver({
  timeoutMs,
  lookup = createLookup({ familyTimeoutMs: timeoutMs * FAMILY_TIMEOUT_SHARE }),
  now = () => performance.now(),
}: Options) {
  const answers = new BoundedMap<string, { resolution: Resolution; arrivedAt: number }>(ANSWERS_MAX)
  const lookups = new Map<string, Promise<Resolution>>()

  /**
   * An entry of `lookups` is removed when the lookup ends and not when its callers time out: otherwise a hanging
   * getaddrinfo would be called again until it occupies every thread.
   */
  function startLookup(key: string, query: LookupQuery): Promise<Resolution> {
    const pending = runLookup(lookup, query).then((resolution) => {
      lookups.delete(key)
      answers.set(key, { resolution, arrivedAt: now() })
      return resolution
    })
    lookups.set(key, pending)
    return pending
  }

  return {
    /** Failures and timeouts are values. Rejects only with the reason of `signal`. */
    async resolve(query: LookupQuery, signal?: AbortSignal): Promise<Resolution> {
      signal?.throwIfAborted()
      const key = `${query.via} ${query.name}`
      const cached = answers.get(key)
      if (cached && now() - cached.arrivedAt < REUSE_MS) return cached.resolution

      const resolution = await withTimeout(lookups.get(key) ?? startLookup(key, query), timeoutMs, signal)
      return resolution === 'timeout' ? failed('ETIMEOUT') : resolution
    },
  }
}

async function runLookup(lookup: Lookup, query: LookupQuery): Promise<Resolution> {
  try {
    const addresses = await lookup(query)
    if (addresses.length === 0) return failed('ENODATA')
    return addresses.length <= ADDRESSES_MAX ? { ok: true, addresses } : failed('TOO_MANY')
  } catch (err) {
    // Any error means that the name has no address to connect to now.
    return failed(err instanceof Error && 'code' in err ? String(err.code) : '')
  }
}

function failed(code: string): Resolution {
  return { ok: false, code: 'DNS_FAILED', reason: REASONS[code] ?? 'host_unresolved' }
}
