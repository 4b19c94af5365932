import { createHash } from 'node:crypto'
import { isObject, type Json } from '../../json.ts'
import type { PaymentState } from '../state.ts'
import { earlyError } from './errors.ts'

const KEEP_SECONDS = 24 * 3_600
const KEY_LENGTH_MAX = 255

export type RunOnce = ReturnType<typeof createIdempotency>

export interface PaymentResponse {
  status: number
  body: string
  headers?: Record<string, string>
}

interface KeyedRequest {
  key: string
  path: string
  params: Json
  requestId: string
}

/**
 * A key gets the same response for a day, errors included. It is refused for another request, and while the first
 * request is in progress.
 */
export function createIdempotency(responses: PaymentState['responses']) {
  const inProgress = new Set<string>()

  /** Runs the request, or returns the saved response of its key. */
  return async function runOnce(
    { key, path, params, requestId }: KeyedRequest,
    now: () => number,
    run: () => Promise<PaymentResponse>,
  ): Promise<PaymentResponse> {
    if (key.length > KEY_LENGTH_MAX) {
      const message = `The idempotency key is too long: it may have up to ${KEY_LENGTH_MAX} characters.`
      throw earlyError(400, message, 'invalid_request_error')
    }
    if (inProgress.has(key)) throw keyInUse(key)
    const fingerprint = hashParams(params)
    const saved = responses.get(key)
    if (saved && now() - saved.savedAt < KEEP_SECONDS) {
      const { status, body, requestId: original } = saved
      if (saved.path !== path) {
        throw keyReused(key, `for the same endpoint they were first used for ('${saved.path}' vs '${path}')`)
      }
      if (saved.fingerprint !== fingerprint) throw keyReused(key, 'with the same parameters they were first used with')
      const headers = { 'idempotent-replayed': 'true', 'idempotency-key': key, 'original-request': original }
      return { status, body, headers }
    }
    inProgress.add(key)
    try {
      const { status, body } = await run()
      responses.set(key, { path, fingerprint, status, body, requestId, savedAt: now() })
      return { status, body, headers: { 'idempotency-key': key, 'original-request': requestId } }
    } finally {
      inProgress.delete(key)
    }
  }
}

/** The order of the parameters does not matter. */
function hashParams(params: Json): string {
  return createHash('sha256')
    .update(JSON.stringify(sortKeys(params)))
    .digest('hex')
}

function sortKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (!isObject(value)) return value
  return Object.keys(value)
    .sort()
    .map((name) => [name, sortKeys(value[name])])
}

function keyReused(key: string, how: string) {
  const message = `Keys for idempotent requests can only be used ${how}. Try using a key other than '${key}' if you meant to execute a different request.`
  return earlyError(400, message, 'idempotency_error')
}

function keyInUse(key: string) {
  const message = `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`
  return earlyError(409, message, 'idempotency_error', 'idempotency_key_in_use')
}
