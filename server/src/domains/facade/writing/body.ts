import { AppError, invalidRequest } from '../../../kernel/errors.ts'
import { parseExact } from '../../../kernel/json/exact.ts'
import { readStrictJson } from '../../../kernel/json/strict.ts'
import { isObject, type JsonObject } from '../../../kernel/json/values.ts'

export type RequestBody = {
  bytes: Buffer | undefined
  /** Why the body could not be read. */
  failure?: AppError | undefined
  contentType: string | undefined
  isPresent: boolean
}

/**
 * Parses the parameters of a JSON or form body, and keeps numbers as they were written.
 * Of duplicate members the last one counts, and only that one is forwarded.
 */
export function parseBody({ bytes, failure, contentType = '', isPresent }: RequestBody): JsonObject {
  if (failure) throw failure
  if (!isPresent || bytes?.length === 0) return {}
  if (bytes && /^application\/json\b/i.test(contentType)) return parseJsonObject(bytes)
  if (bytes && /^application\/x-www-form-urlencoded\b/i.test(contentType)) return parseForm(bytes)
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as Content-Type: application/json.')
}

function parseJsonObject(bytes: Buffer): JsonObject {
  const value = parseExactJson(bytes)
  if (!isObject(value) || JSON.isRawJSON(value)) throw invalidRequest('The body must be a JSON object.')
  return value
}

/** `readStrictJson` refuses texts that cannot be stored; `parseExact` keeps the digits of numbers. */
function parseExactJson(bytes: Buffer): unknown {
  return parseExact(readStrictJson(bytes).text)
}

/** In a form, objects and lists are JSON. */
function parseForm(bytes: Buffer): JsonObject {
  const pairs = [...new URLSearchParams(new TextDecoder().decode(bytes))]
  const members = new Map(
    pairs.map(([name, value]) => [name, /^\s*[[{]/.test(value) ? parseExactJson(Buffer.from(value)) : value]),
  )
  if (members.size < pairs.length) throw invalidRequest('A field appears more than once in the form.')
  const body = Object.fromEntries(members)
  // Refuses the same texts as in a JSON body.
  readStrictJson(Buffer.from(JSON.stringify(body)))
  return body
}
