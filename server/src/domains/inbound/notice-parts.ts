import type { EventKind } from '../events/catalog.ts'

/** `at` is the upstream's time, absent where it gives none; `part`, what tells the part from others of its field. */
export type Part = { kind: EventKind; at: unknown; data: object; part: unknown }

export function chunk<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size))
}
