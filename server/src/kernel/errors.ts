/** Every code that can leave the hub, with its status. A code that is not here cannot be thrown. */
export const ERROR_STATUS = {
  INVALID_REQUEST: 400,
  WEBHOOK_URL_NOT_ALLOWED: 400,
  INVALID_WEBHOOK: 400,
  INVALID_FIELD_MODIFIER: 400,
  INVALID_CALL: 400,
  INVALID_MEDIA: 400,
  INVALID_TEMPLATE_ID: 400,
  TEMPLATE_NOT_SENDABLE: 400,
  IDEMPOTENCY_KEY_REUSED: 400,
  CHANNEL_NOT_CONNECTED: 400,
  NUMBER_ALREADY_CONNECTED: 400,
  UPSTREAM_REJECTED: 400,
  CHECKOUT_NOT_ALLOWED: 400,
  ADDON_NOT_ALLOWED: 400,
  BILLING_OFF: 400,
  UNAUTHORIZED: 401,
  INSUFFICIENT_SCOPE: 403,
  TWO_FACTOR_REQUIRED: 403,
  ORIGIN_NOT_ALLOWED: 403,
  SUBSCRIPTION_SUSPENDED: 403,
  QUOTA_EXCEEDED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  CONFLICT: 409,
  OPERATION_IN_PROGRESS: 409,
  SEND_RESULT_UNKNOWN: 409,
  CONNECT_LINK_USED: 410,
  CONNECT_LINK_EXPIRED: 410,
  PAYLOAD_TOO_LARGE: 413,
  MEDIA_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RANGE_NOT_SATISFIABLE: 416,
  RATE_LIMITED: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL_ERROR: 500,
  UPSTREAM_UNAVAILABLE: 502,
  NOT_READY: 503,
  OVERLOADED: 503,
} as const

/** After a 503 without another time: what is unavailable is checked again soon. */
const UNAVAILABLE_SECONDS = 1

export type ErrorCode = keyof typeof ERROR_STATUS
export type ErrorDetails = Record<string, unknown>

/**
 * A failure with a message for the caller. Internal information goes into
 * `cause`, which is logged and never sent.
 */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetails | null
  readonly retryAfterSeconds: number | undefined
  /** Headers of the response. */
  readonly headers: Record<string, string>
  /** Members of the error object besides `code`, in which clients of the upstream expect its error. */
  readonly extraFields: ErrorDetails

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      details?: ErrorDetails
      cause?: unknown
      retryAfterSeconds?: number
      headers?: Record<string, string>
      extraFields?: ErrorDetails
    } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.details = options.details ?? null
    this.retryAfterSeconds = options.retryAfterSeconds ?? (ERROR_STATUS[code] === 503 ? UNAVAILABLE_SECONDS : undefined)
    this.headers = options.headers ?? {}
    this.extraFields = options.extraFields ?? {}
  }

  get status(): number {
    return ERROR_STATUS[this.code]
  }
}

/** For an object that is absent, another organization's, or not allowed in this state: no response distinguishes them. */
export function notFound(what: string): AppError {
  return new AppError('NOT_FOUND', `${what} not found.`)
}

export type Issue = { path: string; message: string }

export function invalidRequest(message: string, issues: Issue[] = []): AppError {
  return new AppError('INVALID_REQUEST', message, { details: { issues } })
}
