import type { ErrorDetails, ErrorReason } from './generated/types.gen.ts'

export type ErrorCode = keyof ErrorDetails

type Failure = {
  code: string
  message: string
  status?: number | null
  requestId?: string | null
  details?: unknown
  retryAfterSeconds?: number | null
  idempotencyKey?: string | null
  cause?: unknown
}

/** The base of every failure of the SDK. Its subclasses say who failed. */
export class HubError extends Error {
  readonly code: string
  /** The HTTP status, or null where no response came. */
  readonly status: number | null
  /** The hub's id of the request, for a question to the operator of the hub. */
  readonly requestId: string | null
  readonly details: unknown
  /** The reason why the hub refused, in snake_case, to translate the message by. Null if it gives none. */
  readonly reason: string | null
  /** The values in the message of the hub, by name. */
  readonly parameters: Readonly<Record<string, string | number>>
  /** The hub asks to wait this long before the next attempt; null if it does not say. */
  readonly retryAfterSeconds: number | null
  /** The key of the failed request: repeat it with the same key, and it does not happen twice. */
  readonly idempotencyKey: string | null

  constructor({ code, message, status, requestId, details, retryAfterSeconds, idempotencyKey, cause }: Failure) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = new.target.name
    this.code = code
    this.status = status ?? null
    this.requestId = requestId ?? null
    this.details = details ?? null
    const { reason, parameters } = (details ?? {}) as ErrorReason
    this.reason = reason ?? null
    this.parameters = parameters ?? {}
    this.retryAfterSeconds = retryAfterSeconds ?? null
    this.idempotencyKey = idempotencyKey ?? null
  }
}

/** The hub refused the request. `is` tells the codes apart, with the type of their `details`. */
export class HubApiError<Code extends ErrorCode = ErrorCode> extends HubError {
  declare readonly code: Code
  declare readonly status: number
  declare readonly details: ErrorDetails[Code]
  /** `instanceof` narrows to this type. Without it, the compiler takes `any` for `Code`. */
  declare static readonly [Symbol.hasInstance]: (value: unknown) => value is HubApiError

  is<Other extends ErrorCode>(code: Other): this is HubApiError<Other> {
    return (this.code as string) === code
  }
}

/** Something answered that is not the hub, or an answer of the hub that is cut or altered: a proxy's page, half a JSON. */
export class HubResponseError extends HubError {
  declare readonly code: 'UNREADABLE_RESPONSE'
  declare readonly status: number
  /** The beginning of the body. */
  declare readonly details: { body: string }
}

/** No complete response came. Where `isSent` is false, the request certainly did not reach the hub. */
export class HubConnectionError extends HubError {
  declare readonly code: 'CONNECTION_FAILED' | 'TIMEOUT'
  readonly isSent: boolean

  constructor({ isSent, ...failure }: Failure & { isSent: boolean }) {
    super(failure)
    this.isSent = isSent
  }
}

/** No complete response came within `timeoutMs`. */
export class HubTimeoutError extends HubConnectionError {
  declare readonly code: 'TIMEOUT'
}

/** A delivery that was not signed with the secret, or not now. */
export class HubSignatureError extends HubError {
  declare readonly code: 'INVALID_SIGNATURE'
}
