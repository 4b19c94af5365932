import type { ParameterName, TextKey } from '@hubline/locales/catalog.ts'
import { en as ERRORS } from '@hubline/locales/errors/en.ts'
import { en as ISSUES } from '@hubline/locales/issues/en.ts'
import { fillText } from './pages/fill-text.ts'

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

/** The sentence of each reason, by code. */
export const SENTENCES: Record<ErrorCode, Readonly<Record<string, string>>> = ERRORS
const ISSUE_TEXTS: Readonly<Record<string, string>> = ISSUES

/** The reasons why an error has its code. The list is documented, and a reason is never renamed: clients translate by it. */
export type Reason<Code extends ErrorCode = ErrorCode> = Code extends ErrorCode
  ? keyof (typeof ERRORS)[Code] & string
  : never
export type IssueReason = TextKey<keyof typeof ISSUES>

/** The values of a sentence, for its places such as `{{limit}}`. */
export type Parameters = Readonly<Record<string, string | number>>

/** Names all parameters of the English sentence and no other, so that a wrong list does not compile. */
type Given<Text> = Readonly<Record<ParameterName<Text>, string | number>>
type Sentence<Code extends ErrorCode, Why> = Code extends ErrorCode
  ? Why extends keyof (typeof ERRORS)[Code]
    ? (typeof ERRORS)[Code][Why]
    : never
  : never
type IssueText<Why extends IssueReason> = (typeof ISSUES)[keyof typeof ISSUES & (Why | `${Why}_other`)]

type Options = {
  details?: Record<string, unknown>
  /** A sentence after that of the reason, in the words of another service. */
  note?: string | undefined
  cause?: unknown
  retryAfterSeconds?: number
  headers?: Record<string, string>
  extraFields?: Record<string, unknown>
}

type WithParameters<Text, Others> = [ParameterName<Text>] extends [never]
  ? [options?: Others & { parameters?: never }]
  : [options: Others & { parameters: Given<Text> }]

/** Every error has these members in `details`, besides those of its code. */
export type ErrorDetails = Record<string, unknown> & { reason: string; parameters: Parameters }

/**
 * A failure with a message for the caller, made of the sentence of its reason. Internal information goes into `cause`,
 * which is logged and never sent.
 */
export class AppError<Code extends ErrorCode = ErrorCode, Why extends Reason<Code> = Reason<Code>> extends Error {
  readonly code: ErrorCode
  readonly reason: string
  readonly details: ErrorDetails
  readonly note: string | undefined
  readonly retryAfterSeconds: number | undefined
  /** Headers of the response. */
  readonly headers: Record<string, string>
  /** Members of the error object besides `code`, in which clients of the upstream expect its error. */
  readonly extraFields: Record<string, unknown>

  constructor(code: Code, reason: Why, ...[given]: WithParameters<Sentence<Code, Why>, Options>) {
    const options: Options & { parameters?: Parameters } = given ?? {}
    const { parameters = {}, note } = options
    const sentence = fillText(SENTENCES[code][reason] ?? reason, parameters)
    super(note === undefined ? sentence : `${sentence} ${note}`, { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.reason = reason
    this.details = { ...options.details, reason, parameters }
    this.note = note
    this.retryAfterSeconds = options.retryAfterSeconds ?? (ERROR_STATUS[code] === 503 ? UNAVAILABLE_SECONDS : undefined)
    this.headers = options.headers ?? {}
    this.extraFields = options.extraFields ?? {}
  }

  get status(): number {
    return ERROR_STATUS[this.code]
  }
}

/** The arguments of an equal error, with `more`: for an error that says the same with further details. */
export function copyError(error: AppError, more: Options = {}): [code: ErrorCode, reason: never, options: never] {
  const { code, reason, details, note, cause, retryAfterSeconds, headers, extraFields } = error
  const options = {
    parameters: details.parameters,
    details: { ...details, ...more.details },
    headers,
    extraFields: { ...extraFields, ...more.extraFields },
    ...(note !== undefined && { note }),
    ...(cause !== undefined && { cause }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  }
  return [code, reason as never, options as never]
}

/** Reasons whose sentence has no parameters. */
type Plain<Code extends ErrorCode> = {
  [Why in Reason<Code>]: [ParameterName<Sentence<Code, Why>>] extends [never] ? Why : never
}[Reason<Code>]

/** For an object that is absent, another organization's, or not allowed in this state: no response distinguishes them. */
export function notFound(reason: Plain<'NOT_FOUND'>): AppError {
  return new AppError('NOT_FOUND', reason)
}

/** One value of a request that is wrong: `path` is a JSON pointer, and the reason one of the issues or of the error. */
export type Issue = { path: string; message: string; reason: string; parameters: Parameters }

export function toIssue<Why extends IssueReason>(
  path: string,
  reason: Why,
  ...[parameters]: [ParameterName<IssueText<Why>>] extends [never] ? [] : [parameters: Given<IssueText<Why>>]
): Issue {
  const values: Parameters = parameters ?? {}
  const text = ISSUE_TEXTS[reason] ?? ISSUE_TEXTS[`${reason}_${values.count === 1 ? 'one' : 'other'}`] ?? reason
  return { path, message: fillText(text, values), reason, parameters: values }
}

type Refusal = Omit<Options, 'details'> & {
  issues?: Issue[]
  /** The path of the only value that is wrong, if the sentence of the error says it all. */
  path?: string
}

export function invalidRequest<Why extends Reason<'INVALID_REQUEST'>>(
  reason: Why,
  ...[options = {}]: WithParameters<Sentence<'INVALID_REQUEST', Why>, Refusal>
): AppError {
  const { issues = [], path, ...others }: Refusal & { parameters?: Parameters } = options
  const error = new AppError(...refuse(reason, { ...others, details: { issues } }))
  if (path === undefined) return error
  const issue: Issue = { path, message: error.message, reason, parameters: error.details.parameters }
  return new AppError(...copyError(error, { details: { issues: [issue] } }))
}

function refuse(reason: string, options: Options & { parameters?: Parameters }) {
  return ['INVALID_REQUEST', reason as never, options as never] as const
}

/** For values of a part of the request. The message names the first, by its path or by `name`. */
export function invalidPart(
  part: 'body' | 'query' | 'path' | 'headers' | 'request',
  issues: readonly [Issue, ...Issue[]],
  name: string = issues[0].path || '/',
): AppError {
  return invalidRequest(`${part}_invalid`, {
    issues: [...issues],
    parameters: { path: name, problem: issues[0].message },
  })
}
