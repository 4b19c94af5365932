import { isObject, type JsonObject, toText } from '../../kernel/json/values.ts'

/**
 * The ways in which a call fails.
 *
 * `refused`: the upstream read the request and rejected it; the same request
 * fails again. Also a call that the hub rejects before it connects.
 *
 * `throttled`: the upstream throttled the request. It did nothing.
 *
 * `unavailable`: the request certainly had no effect, and a later attempt may
 * succeed. There was no connection, the streamed body was not sent to its end,
 * or a readable error object reports a transient fault.
 *
 * `unknown-outcome`: the request was sent and no readable response came back, so
 * it may have had its effect: the deadline passed, the connection broke, or the
 * response is cut off, too large, a redirect, HTML, or JSON of another shape. A
 * read never has this outcome, because repeating it is harmless: it is `unavailable`.
 * Also a send that the upstream answers with 131000 and HTTP 500: that is an internal
 * fault, which may come after the message was accepted.
 *
 * A readable error object is classified in this order, by code first because
 * Meta asks clients not to rely on the HTTP status:
 *   1. a throttling code: throttled
 *   2. 131000 with HTTP 500 on a send: unknown-outcome
 *   3. `is_transient`, or the code of a transient fault: unavailable
 *   4. a code that is documented as final although it comes with a 5xx: refused
 *   5. an unlisted code with 429: throttled; with a 5xx: unavailable
 *   6. everything else: refused
 */
export type FailureKind = 'refused' | 'throttled' | 'unavailable' | 'unknown-outcome'

/** Fields of the upstream's error object keep their names; all are null without a readable error object. */
export type UpstreamFailure = {
  kind: FailureKind
  status: number | null
  code: number | null
  error_subcode: number | null
  title: string | null
  details: string | null
  /** The message as the upstream wrote it. */
  message: string | null
  error_user_title: string | null
  error_user_msg: string | null
  is_transient: boolean | null
  fbtrace_id: string | null
  type: string | null
  error_data: unknown
  /** The upstream no longer accepts the call's token. Never true for the app's own token. */
  isCredentialRefused: boolean
  cause?: unknown
}

export type Result<T> = { ok: true; value: T } | { ok: false; failure: UpstreamFailure }

/** True if repeating the call has another effect than calling once. A code exchange is a GET and still a write. */
export type Effect = 'read' | 'write'

/** Graph API: 4, 17, 32, 613; accounts: 80007, 80008; numbers, pairs and quality: 13xxxx; calls: 138xxx. */
const THROTTLING_CODES = new Set([4, 17, 32, 613, 80007, 80008, 130429, 131048, 131056, 131064, 133016, 138002, 138005])
/** The upstream's code for a fault without a reason. */
const INTERNAL_FAULT_CODE = 131000
const TRANSIENT_CODES = new Set([1, 2, INTERNAL_FAULT_CODE, 131016, 131057, 133004, 138004, 138007])
const FINAL_CODES_WITH_5XX = new Set([3, 131045, 133000, 134102])
const REFUSED_CREDENTIAL_CODES = new Set([0, 102, 190])

/** Several times what the upstream documents. It reaches clients, and serializing it must not exhaust the stack. */
const ERROR_DATA_DEPTH_MAX = 32

/** The failure that a body reports, or undefined if the body has no readable error object. */
export function parseGraphFailure(status: number, body: unknown, { isSend = false } = {}): UpstreamFailure | undefined {
  const error = isObject(body) ? body.error : undefined
  if (!isObject(error) || !isGraphError(status, error)) return undefined
  const kind = classifyError(status, error, isSend)
  return {
    kind,
    status,
    code: error.code,
    error_subcode: Number.isInteger(error.error_subcode) ? Number(error.error_subcode) : null,
    title: readTitle(error),
    details: readDetails(error),
    message: error.message,
    error_user_title: toText(error.error_user_title),
    error_user_msg: toText(error.error_user_msg),
    is_transient: typeof error.is_transient === 'boolean' ? error.is_transient : null,
    fbtrace_id: toText(error.fbtrace_id),
    type: toText(error.type),
    error_data: isDeeper(error.error_data, ERROR_DATA_DEPTH_MAX) ? null : (error.error_data ?? null),
    isCredentialRefused: kind === 'refused' && REFUSED_CREDENTIAL_CODES.has(error.code),
  }
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1))
}

type GraphError = JsonObject & { code: number; message: string }

/**
 * Gateways also send `{"error":{"code":503,"message":…}}`. Reading that as the upstream's
 * own error would report a completed send as "not done". So the platform's `type` or
 * `fbtrace_id` must be present, except with a 4xx, which never follows a completed request.
 */
function isGraphError(status: number, error: JsonObject): error is GraphError {
  if (!Number.isInteger(error.code) || typeof error.message !== 'string') return false
  const isMarked = typeof error.type === 'string' || typeof error.fbtrace_id === 'string'
  return isMarked || (status >= 400 && status < 500)
}

function classifyError(status: number, { code, is_transient: isTransient }: GraphError, isSend: boolean): FailureKind {
  if (THROTTLING_CODES.has(code)) return 'throttled'
  if (isSend && code === INTERNAL_FAULT_CODE && status === 500) return 'unknown-outcome'
  if (isTransient === true || TRANSIENT_CODES.has(code)) return 'unavailable'
  if (FINAL_CODES_WITH_5XX.has(code)) return 'refused'
  if (status === 429) return 'throttled'
  return status >= 500 ? 'unavailable' : 'refused'
}

/** Messages begin with their code, "(#131009) …", which is a separate field here. */
function readTitle(error: GraphError): string {
  return toText(error.error_user_title) ?? error.message.replace(/^\(#\d+\)\s*/, '')
}

/** `error_data` is an object in messaging errors and may be plain text in others. */
function readDetails({ error_data: data, error_user_msg: explanation }: GraphError): string | null {
  return (isObject(data) ? toText(data.details) : toText(data)) ?? toText(explanation)
}

/** The upstream answers so for an object that does not exist, and for one that the token may not read. */
export function isObjectMissing({ kind, code, error_subcode }: UpstreamFailure): boolean {
  return kind === 'refused' && code === 100 && error_subcode === 33
}

/** The failure of a request without a readable response. */
export function buildNoResponseFailure(
  effect: Effect,
  response: { mayHaveTakenEffect: boolean; status: number | null; traceId: string | null; cause: unknown },
): UpstreamFailure {
  const { status, cause } = response
  const kind = effect === 'write' && response.mayHaveTakenEffect ? 'unknown-outcome' : 'unavailable'
  return { ...NO_ERROR_OBJECT, kind, status, fbtrace_id: response.traceId, cause }
}

/** The failure of a call that the hub refuses before it connects. */
export function buildInvalidCallFailure(title: string, { isCredentialRefused = false } = {}): UpstreamFailure {
  return { ...NO_ERROR_OBJECT, kind: 'refused', title, isCredentialRefused }
}

const NO_ERROR_OBJECT = {
  status: null,
  code: null,
  error_subcode: null,
  title: null,
  details: null,
  message: null,
  error_user_title: null,
  error_user_msg: null,
  is_transient: null,
  fbtrace_id: null,
  type: null,
  error_data: null,
  isCredentialRefused: false,
} as const
