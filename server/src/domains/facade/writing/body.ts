import { AppError, invalidRequest } from '../../../kernel/errors.ts'
import { parseExact } from '../../../kernel/json/exact.ts'
import { countValues } from '../../../kernel/json/scan.ts'
import { readStrictJson, requireFewValues } from '../../../kernel/json/strict.ts'
import { isObject, type JsonObject } from '../../../kernel/json/values.ts'

/** More than any parameter list of the upstream, and few enough to be parsed one by one. */
const FIELDS_MAX = 1000
const AMPERSAND = 0x26

export type RequestBody = {
  bytes: Buffer | undefined
  /** The reason why the body could not be read. */
  failure?: AppError | undefined
  contentType: string | undefined
  isPresent: boolean
}

/**
 * Parses the parameters of a JSON or form body, and keeps numbers as they were written.
 * The last one of duplicate members counts, and only that one is forwarded.
 */
export function parseBody({ bytes, failure, contentType = '', isPresent }: RequestBody): JsonObject {
  if (failure) throw failure
  if (!isPresent || bytes?.length === 0) return {}
  if (bytes && /^application\/json\b/i.test(contentType)) return parseJsonObject(bytes)
  if (bytes && /^application\/x-www-form-urlencoded\b/i.test(contentType)) return parseForm(bytes)
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', 'json_required')
}

function parseJsonObject(bytes: Buffer): JsonObject {
  const value = parseExactJson(bytes)
  if (!isObject(value) || JSON.isRawJSON(value)) throw invalidRequest('body_not_object')
  return value
}

/** `readStrictJson` refuses texts that cannot be stored; `parseExact` keeps the digits of numbers. */
function parseExactJson(bytes: Buffer): unknown {
  return parseExact(readStrictJson(bytes).text)
}

/** A parameter that is JSON in a text. */
export function parseJsonText(text: string): unknown {
  return parseExactJson(Buffer.from(text))
}

/** In a form, objects and lists are JSON. */
function parseForm(bytes: Buffer): JsonObject {
  requireFewFields(bytes)
  const fields = [...new URLSearchParams(new TextDecoder().decode(bytes))]
  if (new Set(fields.map(([name]) => name)).size < fields.length) {
    throw invalidRequest('form_field_repeated')
  }
  const isJson = (value: string) => /^\s*[[{]/.test(value)
  const documents = fields.flatMap(([, value]) => (isJson(value) ? Buffer.from(value) : []))
  requireFewValues(documents.reduce((sum, document) => sum + countValues(document), 0))
  const body = Object.fromEntries(
    fields.map(([name, value]) => [name, isJson(value) ? parseExactJson(Buffer.from(value)) : value]),
  )
  // Refuses the same texts as in a JSON body.
  readStrictJson(Buffer.from(JSON.stringify(body)))
  return body
}

/** Throws before the fields of a form are split. */
export function requireFewFields(bytes: Buffer): void {
  let fields = 1
  for (const byte of bytes) if (byte === AMPERSAND) fields++
  if (fields > FIELDS_MAX) throw invalidRequest('form_too_many_fields', { parameters: { limit: FIELDS_MAX } })
}
