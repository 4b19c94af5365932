import { createHash } from 'node:crypto'
import { isObject, type Json } from '../../json.ts'
import type { PaymentState, SavedResponse } from '../state.ts'
import { earlyError } from './errors.ts'

const KEEP_SECONDS = 24 * 3_600
const KEY_LENGTH_MAX = 255

export type Idempotency = ReturnType<typeof createIdempotency>

/**
 * A key gets the same response for a day, errors included. It is refused for another request, and while the first
 * request is in progress.
 */
export function createIdempotency(responses: PaymentState['responses']) {
  const inProgress = new Set<string>()

  return {
    /** The saved response of the key. Without one, the key is in progress until `end`. */
    begin(
      key: string,
      { path, fingerprint }: Pick<SavedResponse, 'path' | 'fingerprint'>,
      now: number,
    ): SavedResponse | undefined {
      if (key.length > KEY_LENGTH_MAX) {
        const message = `The idempotency key is too long: it may have up to ${KEY_LENGTH_MAX} characters.`
        throw earlyError(400, message, 'invalid_request_error')
      }
      if (inProgress.has(key)) throw keyInUse(key)
      const saved = responses.get(key)
      if (saved === undefined || now - saved.savedAt >= KEEP_SECONDS) {
        inProgress.add(key)
        return undefined
      }
      if (saved.path !== path) {
        throw keyReused(key, `for the same endpoint they were first used for ('${saved.path}' vs '${path}')`)
      }
      if (saved.fingerprint !== fingerprint) throw keyReused(key, 'with the same parameters they were first used with')
      return saved
    },

    save: (key: string, response: SavedResponse) => responses.set(key, response),
    end: (key: string) => inProgress.delete(key),
  }
}

/** The order of the parameters does not matter. */
export function hashParams(params: Json): string {
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
