import type { Clock } from '../clock.ts'

/** A process that loses its connection locks again well within this time. */
const GRACE_MS = 3000

/** Finds processes that died: work names their session lock, which has been gone for 3 s. */
export function createLostSessions<Key>({ listUnlocked, now }: { listUnlocked: () => Promise<Key[]>; now: Clock }) {
  let missingSince = new Map<Key, number>()

  return {
    async list(): Promise<Key[]> {
      const before = missingSince
      // If the database is unreachable, all locks are lost: the time begins again.
      missingSince = new Map()
      const missing = await listUnlocked()
      const at = now().getTime()
      missingSince = new Map(missing.map((key) => [key, before.get(key) ?? at]))
      return missing.filter((key) => at - (missingSince.get(key) ?? at) >= GRACE_MS)
    },
  }
}
