import { AppError } from '../errors.ts'

/** The number of requests in a window that starts with the first one: per credential, or per channel for all credentials. */
export type Limit = { bucket: string; requests: number; windowSeconds: number; isPerChannel?: true }

/** The count of the database, with this request. */
export type Usage = { used: number; reset_seconds: number }

export function perSecondOfChannel(bucket: string, requests: number): Limit {
  return { bucket, requests, windowSeconds: 1, isPerChannel: true }
}

export function perMinute(bucket: string, requests: number): Limit {
  return { bucket, requests, windowSeconds: 60 }
}

export function perHour(bucket: string, requests: number): Limit {
  return { bucket, requests, windowSeconds: 3600 }
}

export function buildRateLimitHeaders(limit: Limit, usage: Usage): Record<string, string> {
  return {
    'RateLimit-Limit': String(limit.requests),
    'RateLimit-Remaining': String(Math.max(0, limit.requests - usage.used)),
    'RateLimit-Reset': String(Math.max(0, usage.reset_seconds)),
  }
}

export function requireWithinLimit(limit: Limit, usage: Usage): void {
  if (usage.used <= limit.requests) return
  const seconds = Math.max(1, usage.reset_seconds)
  throw new AppError('RATE_LIMITED', `Too many requests. Try again in ${seconds} seconds.`, {
    retryAfterSeconds: seconds,
    headers: buildRateLimitHeaders(limit, usage),
  })
}
