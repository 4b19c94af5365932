/** A number as its text in the document. */
type RawJson = { rawJSON: string }

declare global {
  interface JSON {
    rawJSON(text: string): RawJson
    isRawJSON(value: unknown): value is RawJson
  }
}

type TextRule = (text: string) => string

/**
 * Parses JSON that is passed on to another service: `JSON.stringify` writes every
 * number exactly as it came in. `onText` replaces each string that is a value.
 */
export function parseExact(text: string, onText: TextRule = (value) => value): unknown {
  return JSON.parse(text, (_key: string, value: unknown, context?: { source?: string }) => {
    if (typeof value === 'string') return onText(value)
    // Only values of the document have a source, so no number is converted twice.
    return typeof value === 'number' && context?.source !== undefined ? JSON.rawJSON(context.source) : value
  })
}

/** Text as it is, and a number of `parseExact` as its text in the document. Undefined for anything else. */
export function toExactText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return JSON.isRawJSON(value) ? value.rawJSON : undefined
}
