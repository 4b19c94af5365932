const LONG_INTEGER = /(^|[:,[\s])-?\d{16}/

/**
 * Parses JSON and returns integers beyond 2^53 as strings of their digits. Some
 * ids, above all of templates, come from the upstream as such integers.
 */
export function parseLossless(text: string): unknown {
  // A reviver makes parsing several times slower, so it runs only where the text may need it.
  return hasLongInteger(text) ? JSON.parse(text, keepInteger) : JSON.parse(text)
}

/** Also true for digits inside of a string, which costs time and nothing else. */
export function hasLongInteger(text: string): boolean {
  return LONG_INTEGER.test(text)
}

/** `context.source` is the number's text in the document; only primitive values have one. */
function keepInteger(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  return context?.source !== undefined && /^-?\d+$/.test(context.source) ? context.source : value
}
