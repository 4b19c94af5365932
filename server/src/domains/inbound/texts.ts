import { toText } from '../../kernel/json/values.ts'

/** Longer than any documented id or name, and short enough for an index. */
const NAME_LENGTH_MAX = 256
/** The year 2100 in Unix seconds. Later times are invalid. */
export const TIME_END = 4_102_444_800

/** Replaces what PostgreSQL cannot store: NUL and unpaired surrogates. */
export function toStorableText(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed()
}

/** An id, a number or another short name; null if the value is not one. */
export function toNameOrNull(value: unknown): string | null {
  const text = toText(value)
  return text === null || text === '' || text.length > NAME_LENGTH_MAX ? null : toStorableText(text)
}

export function toDigitsOrNull(value: unknown): string | null {
  return toNameOrNull(toText(value)?.replace(/\D/g, ''))
}

/** Converts Unix seconds, as text or as a number, to an ISO timestamp; `now` if they are invalid. */
export function toTimestamp(value: unknown, now: Date): string {
  const digits = toText(value) ?? ''
  const seconds = /^\d+$/.test(digits) ? Number(digits) : TIME_END
  return (seconds < TIME_END ? new Date(seconds * 1000) : now).toISOString()
}
