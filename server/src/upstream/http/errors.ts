import { isObject, type JsonObject, textOf } from '../json.ts'

/**
 * What a call can come to when it does not come to its answer.
 *
 * `refused`: the upstream read the request and said no. Sending the same again
 * brings the same no. Also what we refuse ourselves, before a connection is made.
 *
 * `limited`: the upstream said "not now" for a throttle. Nothing was done.
 *
 * `unavailable`: certainly not done, and worth another try later. The connection
 * was never made, the streamed body never left whole, or a readable error object
 * says that the fault is transient.
 *
 * `unknown-outcome`: the request left and nothing readable came back, so it may
 * have been done: the deadline passed, the connection broke, the answer is cut
 * off, too large, a redirect, HTML, or JSON of another shape. A read has no such
 * outcome, because asking again harms nobody: there it is `unavailable`.
 *
 * A readable error object is judged in this order, by the code first because
 * Meta asks clients not to build on the HTTP status:
 *   1. a throttle's code: limited
 *   2. `is_transient`, or a transient fault's code: unavailable
 *   3. a code that is documented as final although it comes with a 5xx: refused
 *   4. an unlisted code with 429: limited; with a 5xx: unavailable
 *   5. everything else: refused
 */
export type FailureKind = 'refused' | 'limited' | 'unavailable' | 'unknown-outcome'

/** Fields of the upstream's error object keep their names; all are null where no readable one came. */
export type UpstreamFailure = {
  kind: FailureKind
  status: number | null
  code: number | null
  error_subcode: number | null
  title: string | null
  details: string | null
  fbtrace_id: string | null
  type: string | null
  error_data: unknown
  /** The token that the caller passed in is dead. Never said of the app's own token. */
  isCredentialRefused: boolean
  cause?: unknown
}

export type Result<T> = { ok: true; value: T } | { ok: false; failure: UpstreamFailure }

/** Whether doing it twice differs from doing it once. The HTTP method does not tell: a code exchange is a GET. */
export type Effect = 'read' | 'write'

/** Of the whole Graph API 4, 17, 32 and 613; of accounts 80007 and 80008; of numbers, pairs and quality 13xxxx; of calls 138xxx. */
const THROTTLES = new Set([4, 17, 32, 613, 80007, 80008, 130429, 131048, 131056, 131064, 133016, 138002, 138005])
const TRANSIENT = new Set([1, 2, 131000, 131016, 131057, 133004, 138004, 138007])
const FINAL_DESPITE_5XX = new Set([3, 131045, 133000, 134102])
const DEAD_CREDENTIAL = new Set([0, 102, 190])

/** The failure that a body reports, or undefined when the body holds no readable error object. */
export function reportedFailure(status: number, body: unknown): UpstreamFailure | undefined {
  const error = isObject(body) ? body.error : undefined
  if (!isObject(error) || !isGraphError(status, error)) return undefined
  const kind = kindOf(status, error)
  return {
    kind,
    status,
    code: error.code,
    error_subcode: Number.isInteger(error.error_subcode) ? Number(error.error_subcode) : null,
    title: titleOf(error),
    details: detailsOf(error),
    fbtrace_id: textOf(error.fbtrace_id),
    type: textOf(error.type),
    error_data: error.error_data ?? null,
    isCredentialRefused: kind === 'refused' && DEAD_CREDENTIAL.has(error.code),
  }
}

type GraphError = JsonObject & { code: number; message: string }

/**
 * Gateways also answer `{"error":{"code":503,"message":…}}`. Taken for the
 * upstream's own word, that would call a send that went through "not done": so
 * beside a 4xx, which nobody gives after doing, the platform's marks must be there.
 */
function isGraphError(status: number, error: JsonObject): error is GraphError {
  if (!Number.isInteger(error.code) || typeof error.message !== 'string') return false
  const isMarked = typeof error.type === 'string' || typeof error.fbtrace_id === 'string'
  return isMarked || (status >= 400 && status < 500)
}

function kindOf(status: number, { code, is_transient: isTransient }: GraphError): FailureKind {
  if (THROTTLES.has(code)) return 'limited'
  if (isTransient === true || TRANSIENT.has(code)) return 'unavailable'
  if (FINAL_DESPITE_5XX.has(code)) return 'refused'
  if (status === 429) return 'limited'
  return status >= 500 ? 'unavailable' : 'refused'
}

/** Messages begin with their code, "(#131009) …", which has a field of its own here. */
function titleOf(error: GraphError): string {
  return textOf(error.error_user_title) ?? error.message.replace(/^\(#\d+\)\s*/, '')
}

/** `error_data` is an object on messaging errors and may be plain text on others. */
function detailsOf({ error_data: data, error_user_msg: explanation }: GraphError): string | null {
  return (isObject(data) ? textOf(data.details) : textOf(data)) ?? textOf(explanation)
}

/** The failure of a request that brought no readable answer. */
export function silentFailure(
  effect: Effect,
  lost: { mayBeDone: boolean; status: number | null; traceId: string | null; cause: unknown },
): UpstreamFailure {
  const { status, cause } = lost
  const kind = effect === 'write' && lost.mayBeDone ? 'unknown-outcome' : 'unavailable'
  return { ...UNREPORTED, kind, status, fbtrace_id: lost.traceId, cause }
}

/** What is refused on this side, without a connection. */
export function ownRefusal(title: string, { isCredentialRefused = false } = {}): UpstreamFailure {
  return { ...UNREPORTED, kind: 'refused', title, isCredentialRefused }
}

const UNREPORTED = {
  status: null,
  code: null,
  error_subcode: null,
  title: null,
  details: null,
  fbtrace_id: null,
  type: null,
  error_data: null,
  isCredentialRefused: false,
} as const
