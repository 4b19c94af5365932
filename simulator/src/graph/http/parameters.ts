import { asObject, isObject, type Json, type JsonObject, parseJson } from '../../json.ts'
import { invalid, required } from './errors.ts'

/**
 * Parameters come from the query and from a form or JSON body, which takes
 * precedence. A body of another content type has no parameters.
 */
export function parseParameters(query: URLSearchParams, contentType: string, body: string): JsonObject {
  return { ...fromPairs(query), ...bodyParameters(contentType, body) }
}

function bodyParameters(contentType: string, body: string): JsonObject {
  if (contentType.startsWith('application/json')) return asObject(parseJson(body))
  if (contentType.startsWith('application/x-www-form-urlencoded')) return fromPairs(new URLSearchParams(body))
  return {}
}

/** In a query or form, objects and lists are JSON, and a name that ends in [] may repeat. */
function fromPairs(pairs: URLSearchParams): JsonObject {
  const parameters: JsonObject = {}
  for (const [name, value] of pairs) {
    if (name.endsWith('[]')) {
      const list = parameters[name.slice(0, -2)]
      parameters[name.slice(0, -2)] = [...(Array.isArray(list) ? list : []), value]
    } else {
      parameters[name] = structured(value)
    }
  }
  return parameters
}

function structured(value: string): Json {
  return /^[[{]/.test(value) ? (parseJson(value) ?? value) : value
}

/** Readers of nested parameters, with the platform's error messages. Paths look like `text['body']`. */

export function joinPath(path: string, key: string | number): string {
  return typeof key === 'number' ? `${path}[${key}]` : path === '' ? key : `${path}['${key}']`
}

export function requireObject(parent: JsonObject, key: string, path = ''): JsonObject {
  const value = parent[key]
  const where = joinPath(path, key)
  if (value === undefined || value === null) throw required(where)
  if (!isObject(value)) throw invalid(`Param ${where} must be a JSON object.`)
  return value
}

export function requireList(parent: JsonObject, key: string, path = ''): Json[] {
  const value = parent[key]
  const where = joinPath(path, key)
  if (value === undefined || value === null) throw required(where)
  if (!Array.isArray(value)) throw invalid(`Param ${where} must be an array.`)
  return value
}

export function requireObjects(parent: JsonObject, key: string, path = ''): JsonObject[] {
  return requireList(parent, key, path).map((item, index) => {
    if (!isObject(item)) throw invalid(`Param ${joinPath(joinPath(path, key), index)} must be a JSON object.`)
    return item
  })
}

export function requireText(parent: JsonObject, key: string, path: string, max?: number): string {
  const value = parent[key]
  const where = joinPath(path, key)
  if (value === undefined || value === null || value === '') throw required(where)
  if (typeof value !== 'string') throw invalid(`Param ${where} must be a string.`)
  if (max !== undefined && value.length > max) throw invalid(`Param ${where} must be at most ${max} characters long.`)
  return value
}

export function checkOptionalText(parent: JsonObject, key: string, path: string, max?: number): string | undefined {
  return parent[key] === undefined || parent[key] === '' ? undefined : requireText(parent, key, path, max)
}

export function checkKeys(object: JsonObject, path: string, allowed: readonly string[]): void {
  const unexpected = Object.keys(object).find((key) => !allowed.includes(key))
  if (unexpected) throw invalid(`Unexpected key "${unexpected}" on param "${path}".`)
}

/** In a query or form a flag is a text. */
export function parseFlag(value: Json, path: string): boolean {
  if (value === true || value === 'true') return true
  if (value === false || value === 'false') return false
  throw invalid(`Param ${path} must be a boolean.`)
}

export function requireProduct(params: JsonObject): void {
  if (params.messaging_product !== 'whatsapp') throw required('messaging_product')
}

export function requireChoice(value: Json, path: string, allowed: readonly string[]): string {
  if (typeof value === 'string' && allowed.includes(value)) return value
  throw invalid(`Param ${path} must be one of {${allowed.join(', ')}} - got "${String(value)}".`)
}
