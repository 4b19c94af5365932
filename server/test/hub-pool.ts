import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { TestDatabase } from './database.ts'

/** A hub with other options has its own place; a file with more kinds of hubs than this starts some of them again. */
const IDLE_MAX = 3

/** `kind` is what a hub was started with. */
export type Poolable = { kind: unknown; isIdle: () => boolean; stop: () => Promise<void> }

/**
 * Keeps the hubs that tests have left, for later tests of the file: to start a hub takes longer than most tests. They end
 * with the database of the file.
 */
export function createHubPool<Running extends Poolable>() {
  const pools = new WeakMap<TestDatabase, Running[]>()

  function findPool(database: TestDatabase): Running[] {
    const pool = pools.get(database) ?? []
    if (!pools.has(database))
      database.closing.push(async () => void (await Promise.all(pool.map(({ stop }) => stop()))))
    pools.set(database, pool)
    return pool
  }

  return {
    take(database: TestDatabase, kind: unknown): Running | undefined {
      const pool = findPool(database)
      const at = pool.findIndex((running) => isDeepStrictEqual(running.kind, kind))
      return at < 0 ? undefined : pool.splice(at, 1)[0]
    },

    /** A hub that still answers a request is not for another test. */
    async leave(database: TestDatabase, running: Running): Promise<void> {
      // A client may have the whole response just before the server notices that it is sent.
      await setImmediate()
      if (!running.isIdle()) return running.stop()
      const pool = findPool(database)
      pool.unshift(running)
      await Promise.all(pool.splice(IDLE_MAX).map(({ stop }) => stop()))
    },
  }
}
