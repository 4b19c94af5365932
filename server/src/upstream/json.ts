export type JsonObject = { [name: string]: unknown }

const LONG_INTEGER = /(^|[:,[\s])-?\d{16}/

/**
 * Parses JSON so that ids survive: an integer that a JavaScript number cannot
 * hold exactly comes out as the string of its digits. The upstream prints some
 * ids (template ids above all) as bare integers beyond 2^53.
 */
export function parseLossless(text: string): unknown {
  // A reviver makes parsing several times slower: only where digits are at stake.
  return hasLongInteger(text) ? JSON.parse(text, keepInteger) : JSON.parse(text)
}

/** May also find digits inside of a string, which costs time and nothing else. */
export function hasLongInteger(text: string): boolean {
  return LONG_INTEGER.test(text)
}

/** `context.source` is the text of a number as it was written; only primitive values have one. */
function keepInteger(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  return context?.source !== undefined && /^-?\d+$/.test(context.source) ? context.source : value
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An id is text, even where it came as a number. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value
  return typeof value === 'number' ? String(value) : null
}

export function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
