import { AppError, type ErrorCode } from '../kernel/errors.ts'
import type { UpstreamFailure } from './http/errors.ts'

const THROTTLE_WAIT_SECONDS = 5

/** The codes of `toApiError`. */
export const UPSTREAM_ERRORS: readonly ErrorCode[] = [
  'CHANNEL_NOT_CONNECTED',
  'UPSTREAM_REJECTED',
  'RATE_LIMITED',
  'UPSTREAM_UNAVAILABLE',
]

/** Converts a failed upstream call into the error of an API call. The upstream's error fields become `details`. */
export function toApiError(failure: UpstreamFailure): AppError {
  if (failure.isCredentialRefused) {
    return new AppError('CHANNEL_NOT_CONNECTED', 'credential_refused')
  }
  if (failure.kind === 'refused') {
    return upstreamRefused(toApiErrorDetails(failure))
  }
  if (failure.kind === 'throttled') {
    return new AppError('RATE_LIMITED', 'upstream_throttled', {
      details: toApiErrorDetails(failure),
      retryAfterSeconds: THROTTLE_WAIT_SECONDS,
    })
  }
  return new AppError('UPSTREAM_UNAVAILABLE', 'upstream_unavailable', {
    cause: failure.cause,
  })
}

/** The upstream refused, with the reason that it gave. */
export function upstreamRefused(details: { title: string | null; [name: string]: unknown }): AppError {
  const { title } = details
  if (title === null) return new AppError('UPSTREAM_REJECTED', 'upstream_refused_without_title', { details })
  return new AppError('UPSTREAM_REJECTED', 'upstream_refused', { parameters: { title }, details })
}

export function toApiErrorDetails({ code, error_subcode, title, details, fbtrace_id }: UpstreamFailure) {
  return { code, error_subcode, title, details, fbtrace_id }
}
