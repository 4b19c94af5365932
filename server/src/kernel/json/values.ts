export type JsonObject = { [name: string]: unknown }

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Text as it is, and a number as its digits: ids are text, even where the upstream sends a number. Null for the rest. */
export function toText(value: unknown): string | null {
  if (typeof value === 'string') return value
  return typeof value === 'number' ? String(value) : null
}

export function toNumber(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

export function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
