import { BoundedMap } from '../bounded-map.ts'
import { createLookup, type Lookup, type Question, type ResolvedAddress } from './lookup.ts'
import { within } from './within.ts'

/** Long enough to spare the name servers in a burst, too short for a rebinding to hide in. */
const REUSE_MS = 1000
const ANSWERS_MAX = 10_000

/** An answer over TCP has room for thousands; a receiver with more than this is none. */
const ADDRESSES_MAX = 64

/** The part of `timeoutMs` that one family of addresses may take. */
const PATIENCE_SHARE = 0.8

export type Resolution =
  | { ok: true; addresses: readonly ResolvedAddress[] }
  | { ok: false; code: 'DNS_FAILED'; reason: string }

export type Resolver = ReturnType<typeof createResolver>

const REASONS: Record<string, string> = {
  ENOTFOUND: 'The host name does not exist.',
  ENODATA: 'The host name has no address.',
  ETIMEOUT: 'The host name was not resolved in time.',
  TOO_MANY: 'The host name has too many addresses.',
}

type Options = {
  timeoutMs: number
  lookup?: Lookup
  /** Milliseconds that never run backwards. */
  now?: () => number
}

/** Resolves names. Many who ask for one name at a time share one question, and its answer serves for a second more. */
export function createResolver({
  timeoutMs,
  lookup = createLookup({ patienceMs: timeoutMs * PATIENCE_SHARE }),
  now = () => performance.now(),
}: Options) {
  const answers = new BoundedMap<string, { resolution: Resolution; arrivedAt: number }>(ANSWERS_MAX)
  const flights = new Map<string, Promise<Resolution>>()

  /**
   * A flight is over when its lookup is, not when those who wait have gone: a hanging getaddrinfo would otherwise be
   * asked again and again until it holds every thread.
   */
  function fly(key: string, question: Question): Promise<Resolution> {
    const flight = ask(lookup, question).then((resolution) => {
      flights.delete(key)
      answers.set(key, { resolution, arrivedAt: now() })
      return resolution
    })
    flights.set(key, flight)
    return flight
  }

  return {
    /** Failure and time-out are values; only `signal` makes it reject, with its own reason. */
    async resolve(question: Question, signal?: AbortSignal): Promise<Resolution> {
      signal?.throwIfAborted()
      const key = `${question.via} ${question.name}`
      const known = answers.get(key)
      if (known && now() - known.arrivedAt < REUSE_MS) return known.resolution

      const resolution = await within(flights.get(key) ?? fly(key, question), timeoutMs, signal)
      return resolution === 'late' ? failed('ETIMEOUT') : resolution
    },
  }
}

async function ask(lookup: Lookup, question: Question): Promise<Resolution> {
  try {
    const addresses = await lookup(question)
    if (addresses.length === 0) return failed('ENODATA')
    return addresses.length <= ADDRESSES_MAX ? { ok: true, addresses } : failed('TOO_MANY')
  } catch (err) {
    // Any error means that the name has no address to connect to now.
    return failed(err instanceof Error && 'code' in err ? String(err.code) : '')
  }
}

function failed(code: string): Resolution {
  return { ok: false, code: 'DNS_FAILED', reason: REASONS[code] ?? 'The host name could not be resolved.' }
}
