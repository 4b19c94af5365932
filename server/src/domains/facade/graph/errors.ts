import { type AppError, ERROR_STATUS, type ErrorCode } from '../../../kernel/errors.ts'
import type { UpstreamFailure } from '../../../upstream/http/errors.ts'
import { isSend } from '../allowlist/allowlist.ts'
import { UpstreamCallError } from '../errors.ts'

type GraphErrorFields = { status: number; code: number; error_subcode?: number; is_transient?: boolean }

/** Meta's errors have these members, and no others. */
type GraphError = {
  message: string
  type: string
  code: number
  error_subcode?: number
  error_data?: unknown
  error_user_title?: string
  error_user_msg?: string
  is_transient?: boolean
  fbtrace_id: string
}

const INVALID = { status: 400, code: 100 }
const MISSING = { status: 400, code: 100, error_subcode: 33 }
const FORBIDDEN = { status: 403, code: 10 }
const SUSPENDED = { status: 403, code: 368 }
const UNAVAILABLE = { status: 503, code: 2, is_transient: true }
const RECONNECT = { status: 503, code: 2, is_transient: false }
const NOT_SENT = { status: 500, code: 131000, is_transient: true }
const FAULT = { status: 500, code: 1, is_transient: false }

/** Maps each refusal of the hub to the error that a client of Meta knows. Limits and failed calls of the upstream are below. */
const ERRORS: Record<ErrorCode, GraphErrorFields> = {
  INVALID_REQUEST: INVALID,
  WEBHOOK_URL_NOT_ALLOWED: INVALID,
  INVALID_WEBHOOK: INVALID,
  INVALID_FIELD_MODIFIER: INVALID,
  INVALID_CALL: INVALID,
  INVALID_MEDIA: INVALID,
  INVALID_TEMPLATE_ID: INVALID,
  TEMPLATE_NOT_SENDABLE: { status: 400, code: 132015 },
  IDEMPOTENCY_KEY_REUSED: INVALID,
  CHANNEL_NOT_CONNECTED: { status: 400, code: 133010 },
  NUMBER_ALREADY_CONNECTED: INVALID,
  UPSTREAM_REJECTED: INVALID,
  CHECKOUT_NOT_ALLOWED: INVALID,
  ADDON_NOT_ALLOWED: INVALID,
  BILLING_OFF: INVALID,
  UNAUTHORIZED: { status: 401, code: 190 },
  INSUFFICIENT_SCOPE: FORBIDDEN,
  TWO_FACTOR_REQUIRED: FORBIDDEN,
  ORIGIN_NOT_ALLOWED: FORBIDDEN,
  SUBSCRIPTION_SUSPENDED: SUSPENDED,
  QUOTA_EXCEEDED: SUSPENDED,
  NOT_FOUND: MISSING,
  METHOD_NOT_ALLOWED: MISSING,
  REQUEST_TIMEOUT: INVALID,
  CONFLICT: INVALID,
  OPERATION_IN_PROGRESS: INVALID,
  SEND_RESULT_UNKNOWN: { status: 400, code: 135000, is_transient: false },
  CONNECT_LINK_USED: MISSING,
  CONNECT_LINK_EXPIRED: MISSING,
  PAYLOAD_TOO_LARGE: INVALID,
  MEDIA_TOO_LARGE: INVALID,
  UNSUPPORTED_MEDIA_TYPE: INVALID,
  // Clients of HTTP read this status and its header, and not the body.
  RANGE_NOT_SATISFIABLE: { status: ERROR_STATUS.RANGE_NOT_SATISFIABLE, code: 100 },
  RATE_LIMITED: { status: 429, code: 80007 },
  HEADERS_TOO_LARGE: INVALID,
  INTERNAL_ERROR: FAULT,
  UPSTREAM_UNAVAILABLE: UNAVAILABLE,
  NOT_READY: UNAVAILABLE,
  OVERLOADED: UNAVAILABLE,
}

const LIMIT_OF_NUMBER = { status: 429, code: 130429 }
const LIMIT_OF_ADDRESS = { status: 429, code: 4 }

/** The upstream's refusals of the stored credential, or of what it may do. */
const CREDENTIAL_CODES = new Set([0, 10, 102, 190, 200])

/** `isAuthenticated`: the refusal came after the token was found valid. */
export type RefusedGraphRequest = { id: string; method: string; url: string; isAuthenticated: boolean }

/** The response to a request to `/graph` that failed. */
export function toGraphError(
  request: RefusedGraphRequest,
  error: AppError,
): { status: number; body: { error: GraphError } } {
  if (error instanceof UpstreamCallError && isReported(error.failure)) return keepUpstreamError(request, error.failure)
  const { status, ...fields } = classify(request, error)
  const details = error.code === 'SEND_RESULT_UNKNOWN' ? describeUnknownSend(error) : undefined
  const type = fields.error_subcode === MISSING.error_subcode ? 'GraphMethodException' : 'OAuthException'
  return {
    status,
    body: {
      error: {
        message: describe(request, error, fields),
        type,
        ...fields,
        ...(details && { error_data: { messaging_product: 'whatsapp', details } }),
        fbtrace_id: request.id,
      },
    },
  }
}

function classify({ method, url, isAuthenticated }: RefusedGraphRequest, error: AppError): GraphErrorFields {
  if (error instanceof UpstreamCallError) {
    if (isCredentialRefused(error.failure)) return RECONNECT
    return error.isSend && error.code === 'UPSTREAM_UNAVAILABLE' ? NOT_SENT : ERRORS[error.code]
  }
  if (error.code !== 'RATE_LIMITED') return ERRORS[error.code]
  if (!isAuthenticated) return LIMIT_OF_ADDRESS
  return isSend(method, url) ? LIMIT_OF_NUMBER : ERRORS.RATE_LIMITED
}

/** Returns true if the upstream's own error reaches the client. */
function isReported(failure: UpstreamFailure): boolean {
  if (isCredentialRefused(failure)) return false
  return failure.code !== null && (failure.kind === 'refused' || failure.kind === 'throttled')
}

function isCredentialRefused({ isCredentialRefused: isRefused, kind, code }: UpstreamFailure): boolean {
  return isRefused || (kind === 'refused' && code !== null && CREDENTIAL_CODES.has(code))
}

function keepUpstreamError({ id }: RefusedGraphRequest, failure: UpstreamFailure) {
  const { status, code, message, type, error_subcode, error_data, error_user_title, error_user_msg, fbtrace_id } =
    failure
  const { is_transient } = failure
  const given = { error_subcode, error_data, error_user_title, error_user_msg, is_transient }
  const error: GraphError = {
    message: message ?? '',
    type: type ?? 'OAuthException',
    code: code ?? INVALID.code,
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)),
    fbtrace_id: fbtrace_id ?? id,
  }
  return { status: status !== null && status >= 400 ? status : INVALID.status, body: { error } }
}

function describe({ method, url }: RefusedGraphRequest, error: AppError, fields: Omit<GraphErrorFields, 'status'>) {
  if (fields.code === ERRORS.UNAUTHORIZED.code) return error.message
  if (fields.error_subcode === MISSING.error_subcode) return describeMissing(method, url)
  if (error.code === 'SEND_RESULT_UNKNOWN') return `(#${fields.code}) The outcome of the send is unknown.`
  const isReconnect = error instanceof UpstreamCallError && isCredentialRefused(error.failure)
  return `(#${fields.code}) ${isReconnect ? 'The number must be connected again.' : error.message}`
}

/** Meta's words. Only an id is repeated: anything else in a path may be a secret in the wrong place. */
function describeMissing(method: string, url: string): string {
  const [, id] = /^\/graph\/(?:v\d{1,2}\.\d\/)?(\d{1,32})(?:[/?]|$)/.exec(url) ?? []
  const object = id === undefined ? 'The path' : `Object with ID '${id}'`
  const reason = 'does not exist, cannot be loaded due to missing permissions, or does not support this operation'
  return `Unsupported ${method.toLowerCase()} request. ${object} ${reason}.`
}

function describeUnknownSend({ details }: AppError): string {
  return `The message may have been sent. Do not send it again: look it up under ${details?.message_id}`
}
