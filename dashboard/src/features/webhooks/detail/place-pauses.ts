import type { Pause } from '@hubline/sdk/console'

/**
 * Places each pause before a delivery, both newest first; those under `undefined` are older than all deliveries. Of a list that was
 * cut, nothing older than its last delivery is placed; of one that begins further down, nothing newer than `below`.
 */
export function placePauses(
  deliveries: readonly { id: string; created_at: string }[],
  pauses: readonly Pause[],
  isCut: boolean,
  below?: string,
): Map<string | undefined, Pause[]> {
  const placed = new Map<string | undefined, Pause[]>()
  for (const pause of pauses) {
    if (below !== undefined && Date.parse(pause.from) > Date.parse(below)) continue
    const next = deliveries.find(({ created_at }) => Date.parse(created_at) < Date.parse(pause.from))
    if (next === undefined && isCut) continue
    placed.set(next?.id, [...(placed.get(next?.id) ?? []), pause])
  }
  return placed
}
