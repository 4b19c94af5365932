import { setTimeout as delay } from 'node:timers/promises'
import { planOperations, type World } from './operations.ts'

/** Longer than anything that it accompanies. */
const TRAFFIC_MS = 600_000

export type Traffic = { stop: () => Promise<void> }

/** The operations of a seed, until it is stopped. */
export function startTraffic(world: World, { seed, perSecond }: { seed: number; perSecond: number }): Traffic {
  const stopping = new AbortController()
  const startedAt = Date.now()
  const ended = (async () => {
    const doing: Promise<void>[] = []
    // An erasure would take longer than all of them.
    const operations = planOperations(seed, { runMs: TRAFFIC_MS, perSecond })
    for (const operation of operations.filter(({ kind }) => kind !== 'erase a person')) {
      await delay(Math.max(0, startedAt + operation.atMs - Date.now()))
      if (stopping.signal.aborted) break
      doing.push(world.run(operation))
    }
    await Promise.all(doing)
  })()
  return {
    async stop() {
      stopping.abort()
      await ended
    },
  }
}
