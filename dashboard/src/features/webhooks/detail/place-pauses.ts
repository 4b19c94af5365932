import type { Delivery, Pause } from '@hubline/sdk/console'

/**
 * Places each pause before a delivery, both newest first; those under `undefined` are older than all deliveries. Of a list that was
 * cut, nothing older than its last delivery is placed.
 */
export function placePauses(
  deliveries: readonly Delivery[],
  pauses: readonly Pause[],
  isCut: boolean,
): Map<string | undefined, Pause[]> {
  const placed = new Map<string | undefined, Pause[]>()
  for (const pause of pauses) {
    const next = deliveries.find(({ created_at }) => Date.parse(created_at) < Date.parse(pause.from))
    if (next === undefined && isCut) continue
    placed.set(next?.id, [...(placed.get(next?.id) ?? []), pause])
  }
  return placed
}
