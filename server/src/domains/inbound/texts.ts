import { toText } from '../../kernel/json/values.ts'

/** Longer than anything the upstream documents for a name, and short enough for an index. */
const NAME_LENGTH_MAX = 256
/** The year 2100: what lies behind it is no time. */
const TIME_END = 4_102_444_800

/** A text that a column can hold: PostgreSQL knows neither NUL nor half of a surrogate pair. */
export function storable(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed()
}

/** An id, a number or another short name; null where it is none. */
export function nameOrNull(value: unknown): string | null {
  const text = toText(value)
  return text === null || text === '' || text.length > NAME_LENGTH_MAX ? null : storable(text)
}

export function digitsOrNull(value: unknown): string | null {
  return nameOrNull(toText(value)?.replace(/\D/g, ''))
}

/** Unix seconds, as text or as a number, in the form of the wire; now, where they are no time. */
export function timeOf(value: unknown, now: Date): string {
  const digits = toText(value) ?? ''
  const seconds = /^\d+$/.test(digits) ? Number(digits) : TIME_END
  return (seconds < TIME_END ? new Date(seconds * 1000) : now).toISOString()
}
