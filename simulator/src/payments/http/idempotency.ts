import { createHash } from 'node:crypto'
import { isObject, type Json } from '../../json.ts'
import type { PaymentState, SavedAnswer } from '../state.ts'
import { early } from './errors.ts'

const KEEP_SECONDS = 24 * 3_600
const KEY_LENGTH_MAX = 255

export interface Attempted {
  key: string
  path: string
  fingerprint: string
}

export type Idempotency = ReturnType<typeof createIdempotency>

/**
 * The same key brings the same answer for a day, whether it was good or bad.
 * It is refused for another request, and while the first one is under way.
 */
export function createIdempotency(answers: PaymentState['answers']) {
  const underWay = new Set<string>()

  return {
    /** The answer that this key already has; otherwise the key is taken until it is saved or let go. */
    begin({ key, path, fingerprint }: Attempted, now: number): SavedAnswer | undefined {
      checkKey(key)
      if (underWay.has(key)) throw inUse(key)
      const saved = answers.get(key)
      if (saved && now - saved.savedAt < KEEP_SECONDS) {
        if (saved.path !== path)
          throw misused(key, `for the same endpoint they were first used for ('${saved.path}' vs '${path}')`)
        if (saved.fingerprint !== fingerprint) throw misused(key, 'with the same parameters they were first used with')
        return saved
      }
      underWay.add(key)
      return undefined
    },

    save(
      { key, path, fingerprint }: Attempted,
      answer: Pick<SavedAnswer, 'status' | 'body' | 'requestId' | 'savedAt'>,
    ) {
      answers.set(key, { path, fingerprint, ...answer })
    },

    release(key: string): void {
      underWay.delete(key)
    },
  }
}

/** The order in which parameters were given does not matter. */
export function fingerprintOf(params: Json): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(params)))
    .digest('hex')
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  return Object.keys(value)
    .sort()
    .map((name) => [name, sorted(value[name])])
}

function checkKey(key: string): void {
  if (key.length <= KEY_LENGTH_MAX) return
  const message = `The idempotency key is too long: it may have up to ${KEY_LENGTH_MAX} characters.`
  throw early(400, { message, type: 'invalid_request_error' })
}

function misused(key: string, how: string) {
  const message = `Keys for idempotent requests can only be used ${how}. Try using a key other than '${key}' if you meant to execute a different request.`
  return early(400, { message, type: 'idempotency_error' })
}

function inUse(key: string) {
  const message = `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`
  return early(409, { message, type: 'idempotency_error', code: 'idempotency_key_in_use' })
}
