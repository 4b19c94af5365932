import { AppError } from '../errors.ts'

/**
 * At most `requests` in a window that starts with the first request. Counted per credential, or per channel if
 * `isPerChannel`: then each channel has a limit of its own, up to `channelRateMax`, if that is given. All credentials of an organization share `perOrganization`, against which only the requests within
 * the first limit count: one credential out of control does not use it up.
 */
export type Limit = {
  bucket: string
  requests: number
  windowSeconds: number
  isPerChannel?: true
  channelRateMax?: number
  perOrganization?: Limit
}

/** The database's count in the current window, this request included, and the limit of the channel if it has its own. */
export type Usage = { used: number; reset_seconds: number; rate?: number | null }

export function perSecondOfChannel(bucket: string, requests: number): Limit {
  return { bucket, requests, windowSeconds: 1, isPerChannel: true }
}

export function perMinute(bucket: string, requests: number): Limit {
  return { bucket, requests, windowSeconds: 60 }
}

export function perQuarterHour(bucket: string, requests: number): Limit {
  return { bucket, requests, windowSeconds: 15 * 60 }
}

export function perHour(bucket: string, requests: number): Limit {
  return { bucket, requests, windowSeconds: 3600 }
}

export function buildRateLimitHeaders(limit: Limit, usage: Usage): Record<string, string> {
  return {
    'RateLimit-Limit': String(readMaximum(limit, usage)),
    'RateLimit-Remaining': String(Math.max(0, readMaximum(limit, usage) - usage.used)),
    'RateLimit-Reset': String(Math.max(0, usage.reset_seconds)),
  }
}

/** Returns the one with the fewest left: the limit in the headers of a response, or another one that the request counted against. */
export function pickBindingLimit(
  current: Record<string, unknown>,
  other: ReturnType<typeof buildRateLimitHeaders>,
): Record<string, string> {
  const left = Number(current['ratelimit-remaining'] ?? Number.POSITIVE_INFINITY)
  return Number(other['RateLimit-Remaining']) < left ? other : {}
}

/** Throws RATE_LIMITED if this request is over the limit. */
export function requireWithinLimit(limit: Limit, usage: Usage): void {
  if (usage.used <= readMaximum(limit, usage)) return
  const seconds = Math.max(1, usage.reset_seconds)
  throw new AppError('RATE_LIMITED', 'too_many_requests', {
    parameters: { seconds },
    retryAfterSeconds: seconds,
    headers: buildRateLimitHeaders(limit, usage),
  })
}

function readMaximum({ requests }: Limit, { rate }: Usage): number {
  return rate ?? requests
}
