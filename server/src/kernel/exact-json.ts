/** A number as it was written. */
export type RawJson = { rawJSON: string }

declare global {
  interface JSON {
    rawJSON(text: string): RawJson
    isRawJSON(value: unknown): value is RawJson
  }
}

type TextRule = (text: string) => string

/**
 * Parses JSON that is to be passed on: every number comes out as it was written,
 * and goes back into `JSON.stringify` unrounded. `onText` sees every string that
 * is a value.
 */
export function parseExact(text: string, onText: TextRule = (value) => value): unknown {
  return JSON.parse(text, (_key: string, value: unknown, context?: { source?: string }) => {
    if (typeof value === 'string') return onText(value)
    // Only what was written has a source, so that nothing is taken for a number twice.
    return typeof value === 'number' && context?.source !== undefined ? JSON.rawJSON(context.source) : value
  })
}

/** Text as it is, and a number as it was written; undefined for anything else. */
export function textIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return JSON.isRawJSON(value) ? value.rawJSON : undefined
}
