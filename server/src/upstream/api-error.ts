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
    const message = "The upstream does not accept the channel's credential any more. Connect the channel again."
    return new AppError('CHANNEL_NOT_CONNECTED', message)
  }
  if (failure.kind === 'refused') {
    return new AppError('UPSTREAM_REJECTED', `The upstream refused: ${failure.title ?? 'no reason given'}`, {
      details: toApiErrorDetails(failure),
    })
  }
  if (failure.kind === 'throttled') {
    return new AppError('RATE_LIMITED', 'The upstream is throttling this number or account. Try again later.', {
      details: toApiErrorDetails(failure),
      retryAfterSeconds: THROTTLE_WAIT_SECONDS,
    })
  }
  return new AppError('UPSTREAM_UNAVAILABLE', 'The upstream sent no usable response. Try again.', {
    cause: failure.cause,
  })
}

export function toApiErrorDetails({ code, error_subcode, title, details, fbtrace_id }: UpstreamFailure) {
  return { code, error_subcode, title, details, fbtrace_id }
}
