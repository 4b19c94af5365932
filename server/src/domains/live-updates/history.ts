import { readIdTime } from '../../kernel/ids.ts'
import type { SentUpdate } from './schemas.ts'

const LENGTH_MAX = 500

export type History = ReturnType<typeof createHistory>

/**
 * The latest updates of an organization, which its streams share: a stream has a position in it and no buffer of its own.
 * A stream that falls behind what is kept finds nothing at its position.
 */
export function createHistory(createdAtMs: number) {
  let updates: SentUpdate[] = []
  let first = 0
  let completeSinceMs = createdAtMs

  /** Removes in bulk: it moves all that stay. */
  function removeOldest(): void {
    const removed = updates.slice(0, -LENGTH_MAX)
    updates = updates.slice(-LENGTH_MAX)
    first += removed.length
    completeSinceMs = Math.max(completeSinceMs, ...removed.map(({ id }) => readIdTime(id) + 1))
  }

  return {
    add(added: readonly SentUpdate[]): void {
      updates.push(...added)
      if (updates.length > 2 * LENGTH_MAX) removeOldest()
    },

    getEnd: () => first + updates.length,

    /** Undefined if updates after the position are gone. */
    read: (position: number): readonly SentUpdate[] | undefined =>
      position < first ? undefined : updates.slice(position - first),

    /** Finds the position at which a client continues, `overlapMs` before its last update; undefined if it may miss some. */
    find(lastId: string, overlapMs: number): number | undefined {
      const sinceMs = readIdTime(lastId) - overlapMs
      const isComplete = sinceMs >= completeSinceMs || updates.some(({ id }) => id === lastId)
      if (!isComplete) return undefined
      const index = updates.findIndex(({ id }) => readIdTime(id) >= sinceMs)
      return first + (index < 0 ? updates.length : index)
    },

    /** To be called when updates may have been missed. */
    clear(atMs: number): void {
      // One more than there were, so that a stream at the end notices too.
      first += updates.length + 1
      updates = []
      completeSinceMs = atMs
    },
  }
}
