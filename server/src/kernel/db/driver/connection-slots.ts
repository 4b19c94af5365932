export type ConnectionSlots = ReturnType<typeof createConnectionSlots>

/**
 * One slot for each connection of a pool. A statement or a transaction waits for a slot before the driver gets it: the
 * driver (3.4.9) sends what finds no free connection behind a running statement, however long that one takes.
 */
export function createConnectionSlots(count: number, onAcquire: () => void = () => {}) {
  const waiting: (() => void)[] = []
  const startedAt = new Set<{ ms: number }>()
  let taken = 0

  function release(): void {
    const next = waiting.shift()
    if (next) next()
    else taken--
  }

  return {
    /** Takes a slot, and returns the function that releases it. Callers get their slots in order. */
    async acquire(): Promise<() => void> {
      if (taken < count) taken++
      else await new Promise<void>((resolve) => waiting.push(resolve))
      const start = { ms: performance.now() }
      startedAt.add(start)
      onAcquire()
      return () => {
        startedAt.delete(start)
        release()
      }
    },

    /** How long the oldest work in a slot has been running. */
    findOldestMs(): number | undefined {
      // A set keeps the order of insertion.
      const [oldest] = startedAt
      return oldest && performance.now() - oldest.ms
    },
  }
}
