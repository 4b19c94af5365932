import { AppError, invalidRequest } from '../../kernel/errors.ts'
import { parseExact } from '../../kernel/json/exact.ts'
import { readStrictJson } from '../../kernel/json/strict.ts'
import { isObject, type JsonObject } from '../../kernel/json/values.ts'

export type Body = { bytes: Buffer | undefined; contentType: string | undefined; isPresent: boolean }

/**
 * The parameters in a body, from JSON or from a form, with numbers as they were
 * written. What is read here is what leaves: a member that stands there twice
 * is one, the last, for the hub and for the upstream.
 */
export function parseBody({ bytes, contentType = '', isPresent }: Body): JsonObject {
  if (!isPresent || bytes?.length === 0) return {}
  if (bytes && /^application\/json\b/i.test(contentType)) return objectIn(bytes)
  if (bytes && /^application\/x-www-form-urlencoded\b/i.test(contentType)) return formIn(bytes)
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as Content-Type: application/json.')
}

function objectIn(bytes: Buffer): JsonObject {
  const value = exactIn(bytes)
  if (!isObject(value) || JSON.isRawJSON(value)) throw invalidRequest('The body must be a JSON object.')
  return value
}

/** The first reader refuses what nothing behind it can hold; the second one keeps the numbers. */
function exactIn(bytes: Buffer): unknown {
  return parseExact(readStrictJson(bytes).text)
}

/** In a form an object or a list is written as JSON. */
function formIn(bytes: Buffer): JsonObject {
  const pairs = [...new URLSearchParams(new TextDecoder().decode(bytes))]
  const members = new Map(pairs.map(([name, value]) => [name, /^\s*[[{]/.test(value) ? valueIn(value) : value]))
  if (members.size < pairs.length) throw invalidRequest('The form has a field more than once.')
  const body = Object.fromEntries(members)
  // What a form can spell and nothing can hold is refused as it is in JSON.
  readStrictJson(Buffer.from(JSON.stringify(body)))
  return body
}

function valueIn(text: string): unknown {
  return exactIn(Buffer.from(text))
}
