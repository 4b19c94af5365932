import { toStorableText } from '../../kernel/db/rows.ts'
import { toText } from '../../kernel/json/values.ts'

/** Longer than any documented id or name, and short enough for an index. */
const SHORT_TEXT_LENGTH_MAX = 256
/** The year 2100 in Unix seconds. Later times are invalid. */
export const TIMESTAMP_MAX = 4_102_444_800

/** An id, a number or another short text; null if the value is not one. */
export function toShortTextOrNull(value: unknown): string | null {
  const text = toText(value)
  return text === null || text === '' || text.length > SHORT_TEXT_LENGTH_MAX ? null : toStorableText(text)
}

export function toDigitsOrNull(value: unknown): string | null {
  return toShortTextOrNull(toText(value)?.replace(/\D/g, ''))
}

/** Converts Unix seconds, as text or as a number, to an ISO timestamp; `now` if they are invalid. */
export function toTimestamp(value: unknown, now: Date): string {
  const digits = toText(value) ?? ''
  const seconds = /^\d+$/.test(digits) ? Number(digits) : TIMESTAMP_MAX
  return (seconds < TIMESTAMP_MAX ? new Date(seconds * 1000) : now).toISOString()
}
