import { AppError, notFound } from '../../kernel/errors.ts'
import { toApiError } from '../../upstream/api-error.ts'
import type { UpstreamFailure } from '../../upstream/http/errors.ts'

/** The Graph's answers for an object that is gone or that the token may not see, and for a template of no such name. */
const OBJECT_GONE = { code: 100, error_subcodes: new Set([33, 2593002]) }

/**
 * What a failed call is to a client that takes the facade for the upstream. The
 * upstream's own words stand in `details`, and beside `code` where such clients
 * look for them. A stored credential that is refused is no fault of the caller's
 * own, which is why it is never 401.
 */
export function facadeError(failure: UpstreamFailure): AppError {
  if (failure.isCredentialRefused) {
    const message = "The upstream does not accept the channel's stored credential any more. Connect the channel again."
    return new AppError('UPSTREAM_UNAVAILABLE', message)
  }
  const error = toApiError(failure)
  if (failure.kind !== 'refused' && failure.kind !== 'limited') return error
  const { retryAfterSeconds } = error
  return new AppError(error.code, error.message, {
    details: { ...error.details, type: failure.type, error_data: failure.error_data },
    beside: wordsOf(failure),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  })
}

/** Where something is read or removed by its id, the same answer says that there is no such thing. */
export function missingOr(failure: UpstreamFailure): AppError {
  const isGone = failure.code === OBJECT_GONE.code && OBJECT_GONE.error_subcodes.has(failure.error_subcode ?? 0)
  return failure.kind === 'refused' && isGone ? notFound('Resource') : facadeError(failure)
}

/** As at the upstream, what was not said is not there. */
function wordsOf({ error_subcode, error_data, fbtrace_id, type }: UpstreamFailure): Record<string, unknown> {
  const words = { error_subcode, error_data, fbtrace_id, type }
  return Object.fromEntries(Object.entries(words).filter(([, word]) => word !== null))
}
