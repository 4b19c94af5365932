/** JSON values, with bigint for ids above 2^53 and undefined for members that are left out. */
export type Json = string | number | bigint | boolean | null | undefined | Json[] | JsonObject
export type JsonObject = { [key: string]: Json }

export function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function asObject(value: Json): JsonObject {
  return isObject(value) ? value : {}
}

export function asList(value: Json): Json[] {
  return Array.isArray(value) ? value : []
}

/** Numbers become text: the platform accepts `{"to": 5511…}` for `{"to": "5511…"}`. */
export function asText(value: Json): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

export function parseJson(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    // Malformed JSON counts as no parameters, so the error names the first missing parameter.
    return undefined
  }
}

/**
 * JSON in ASCII, with lower-case escapes and escaped slashes, as the platform
 * writes it. Parsing and serializing it again gives other bytes, so a receiver
 * that verifies the signature of re-serialized JSON fails.
 */
export function toAsciiJson(value: Json): string {
  return print(value).replace(/[\u007f-\uffff/]/g, (char) =>
    char === '/' ? '\\/' : `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function print(value: Json): string {
  if (typeof value === 'bigint') return value.toString()
  if (Array.isArray(value)) return `[${value.map((item) => print(item ?? null)).join(',')}]`
  if (isObject(value)) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined)
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${print(member)}`).join(',')}}`
  }
  return JSON.stringify(value ?? null)
}
