import type { Metadata } from './http/params.ts'

/** New keys join the old ones, and an empty value takes a key away; null empties the whole. */
export function mergedMetadata(
  old: Record<string, string>,
  given: Metadata | null | undefined,
): Record<string, string> {
  if (given === null) return {}
  const entries = Object.entries({ ...old, ...given })
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== null))
}
