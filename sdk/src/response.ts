import { HubApiError, HubConnectionError, HubResponseError, HubTimeoutError } from './errors.ts'
import { parseRetryAfter } from './retries.ts'

const EXCERPT_LENGTH = 500
/** Far more than any answer of the hub. Downloads are streams, and have no limit. */
const BODY_BYTES_MAX = 64 * 1024 * 1024
/** Errors of a connection that was never made, by the codes of Node and Bun. */
const NOT_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT', 'ConnectionRefused'])
/**
 * The same in Deno, whose errors have no code: `error sending request for url (…): client error (Connect): …`, and in
 * versions before 1.46 `error trying to connect`. A URL has no spaces, so that it cannot contain these words.
 */
const NOT_SENT_MESSAGE = /^error sending request for url \(\S*\): (?:client error \(Connect\)|error trying to connect)/

/** The body as text. One that does not end must not fill the memory. */
export async function readText(response: Response, idempotencyKey: string | null): Promise<string> {
  if (!response.body) return ''
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  while (true) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    size += value.length
    if (size > BODY_BYTES_MAX) {
      await reader.cancel()
      throw toResponseError(response, text, idempotencyKey, 'The response is longer than 64 MiB')
    }
    text += decoder.decode(value, { stream: true })
  }
}

/** The JSON of a success. A body that is no JSON object is not the hub's. */
export function parseSuccess(response: Response, text: string, idempotencyKey: string | null): Record<string, unknown> {
  const body = parseObject(text)
  if (!response.ok || !body) throw toResponseError(response, text, idempotencyKey)
  return body
}

/** The error that a refusal stands for: the hub's own, or that of a proxy before it. */
export function toRefusal(response: Response, text: string, idempotencyKey: string | null) {
  const error = parseObject(text)?.error as Record<string, unknown> | undefined
  if (typeof error?.code !== 'string' || typeof error.message !== 'string') {
    return toResponseError(response, text, idempotencyKey)
  }
  return new HubApiError({
    code: error.code,
    message: error.message,
    status: response.status,
    requestId: typeof error.request_id === 'string' ? error.request_id : readRequestId(response),
    details: error.details,
    retryAfterSeconds: readRetryAfter(response),
    idempotencyKey,
  })
}

export function toResponseError(
  response: Response,
  text: string,
  idempotencyKey: string | null,
  problem = "The response is not the hub's",
): HubResponseError {
  const type = response.headers.get('content-type') ?? 'no content type'
  return new HubResponseError({
    code: 'UNREADABLE_RESPONSE',
    message: `${problem}: status ${response.status}, ${type}. Is the URL right, and what is before the hub?`,
    status: response.status,
    requestId: readRequestId(response),
    details: { body: text.slice(0, EXCERPT_LENGTH) },
    idempotencyKey,
  })
}

/** `place` is the address of the hub, which a person may have mistyped; empty on a page of the hub itself. */
export function toConnectionError(cause: unknown, isTimeout: boolean, idempotencyKey: string | null, place = '') {
  if (isTimeout) {
    const message = 'No complete response came in time. The hub may have done what was asked.'
    return new HubTimeoutError({ code: 'TIMEOUT', message, isSent: true, idempotencyKey, cause })
  }
  const isSent = !isNeverConnected(cause)
  const message = isSent
    ? 'The connection broke before the response was complete. The hub may have done what was asked.'
    : `The hub${place && ` at ${place}`} cannot be reached: the request was not sent.`
  return new HubConnectionError({ code: 'CONNECTION_FAILED', message, isSent, idempotencyKey, cause })
}

function readRetryAfter({ headers }: Response): number | null {
  const ms = parseRetryAfter(headers)
  return ms === undefined ? null : Math.ceil(ms / 1000)
}

function isNeverConnected(cause: unknown): boolean {
  if (NOT_SENT.has(readCode(cause))) return true
  return cause instanceof TypeError && NOT_SENT_MESSAGE.test(cause.message)
}

/** `fetch` rejects with a TypeError, whose cause has the code. */
function readCode(err: unknown): string {
  const { code, cause } = (err ?? {}) as { code?: unknown; cause?: unknown }
  if (typeof code === 'string') return code
  return cause === undefined ? '' : readCode(cause)
}

function readRequestId({ headers }: Response): string | null {
  return headers.get('x-request-id')
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    // A proxy's page, or a body that was cut.
    return undefined
  }
}
