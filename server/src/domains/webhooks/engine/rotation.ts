import type { Lane } from './lane.ts'

export type Rotation = ReturnType<typeof createRotation>

/**
 * Lanes that may have due deliveries: organizations in turn, and of each the longest waiting lane first. So a lane never
 * waits for the thousand lanes of another organization.
 */
export function createRotation() {
  const organizations = new Map<string, Set<Lane>>()

  function remove(lane: Lane): void {
    const lanes = organizations.get(lane.organizationId)
    lanes?.delete(lane)
    if (lanes?.size === 0) organizations.delete(lane.organizationId)
  }

  return {
    remove,
    isEmpty: () => organizations.size === 0,

    /** A lane that is there keeps its place. */
    add(lane: Lane): void {
      const lanes = organizations.get(lane.organizationId)
      if (lanes) lanes.add(lane)
      else organizations.set(lane.organizationId, new Set([lane]))
    },

    /** Moves the lane behind those of its organization, and the organization behind all others. */
    moveToEnd(lane: Lane): void {
      const lanes = organizations.get(lane.organizationId)
      if (!lanes?.delete(lane)) return
      lanes.add(lane)
      organizations.delete(lane.organizationId)
      organizations.set(lane.organizationId, lanes)
    },

    *[Symbol.iterator](): Generator<Lane> {
      let iterators = [...organizations.values()].map((lanes) => lanes.values())
      while (iterators.length > 0) {
        const going: typeof iterators = []
        for (const iterator of iterators) {
          const { value, done } = iterator.next()
          if (done) continue
          yield value
          going.push(iterator)
        }
        iterators = going
      }
    },
  }
}
