import { AppError, copyError, notFound } from '../../kernel/errors.ts'
import { toApiError } from '../../upstream/api-error.ts'
import type { UpstreamFailure } from '../../upstream/http/errors.ts'

/** Graph's error for an object that does not exist or that the token may not read, and for an unknown template name. */
const OBJECT_MISSING = { code: 100, error_subcodes: new Set([33, 2593002]) }

/** An error of the facade that comes from a call of the upstream, with that call's failure. */
export class UpstreamCallError extends AppError {
  readonly failure: UpstreamFailure
  /** The call was to send a message, and certainly sent none. */
  readonly isSend: boolean

  constructor(error: AppError, failure: UpstreamFailure, { isSend = false } = {}) {
    super(...copyError(error))
    this.failure = failure
    this.isSend = isSend
  }
}

/**
 * Converts a failure for clients that use the facade as if it were the upstream. The
 * upstream's error fields are in `details`, and beside `code` where such clients expect
 * them. A refused stored credential is not the caller's own, so it is never 401.
 */
export function toFacadeError(failure: UpstreamFailure): AppError {
  return new UpstreamCallError(describeFailure(failure), failure)
}

/** For the send of a message. */
export function toSendError(failure: UpstreamFailure): AppError {
  return new UpstreamCallError(describeFailure(failure), failure, { isSend: true })
}

/** For reads and deletions by id, Graph's error for a missing object becomes 404. */
export function toFacadeErrorOrNotFound(failure: UpstreamFailure): AppError {
  const isMissing =
    failure.code === OBJECT_MISSING.code && OBJECT_MISSING.error_subcodes.has(failure.error_subcode ?? 0)
  if (failure.kind !== 'refused' || !isMissing) return toFacadeError(failure)
  return new UpstreamCallError(notFound('resource_not_found'), failure)
}

function describeFailure(failure: UpstreamFailure): AppError {
  if (failure.isCredentialRefused) {
    return new AppError('UPSTREAM_UNAVAILABLE', 'upstream_refused_credential')
  }
  const error = toApiError(failure)
  if (failure.kind !== 'refused' && failure.kind !== 'throttled') return error
  const details = { type: failure.type, error_data: failure.error_data }
  return new AppError(...copyError(error, { details, extraFields: pickErrorFields(failure) }))
}

/** Like the upstream, leaves out fields without a value. */
function pickErrorFields({ error_subcode, error_data, fbtrace_id, type }: UpstreamFailure): Record<string, unknown> {
  const fields = { error_subcode, error_data, fbtrace_id, type }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
}
