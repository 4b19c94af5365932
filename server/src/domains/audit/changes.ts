import { isDeepStrictEqual } from 'node:util'
import type { Json } from '../../kernel/db/pool.ts'

/** A field before and after a change. */
export type Change = { from: Json; to: Json; redacted?: true }

/** The change of a value that the log must not contain: it says only that the field changed. */
export const REDACTED_CHANGE: Change = { from: null, to: null, redacted: true }

/** The fields of `after` that differ from `before`. A list is a set here: another order is no change. */
export function listChanges(before: Record<string, Json>, after: Record<string, Json>): Record<string, Change> {
  const changed = Object.entries(after).filter(([field, to]) => !isSame(before[field] ?? null, to))
  return Object.fromEntries(changed.map(([field, to]) => [field, { from: before[field] ?? null, to }]))
}

function isSame(from: Json, to: Json): boolean {
  return isDeepStrictEqual(sortList(from), sortList(to))
}

function sortList(value: Json): Json {
  return Array.isArray(value) ? [...value].sort() : value
}
