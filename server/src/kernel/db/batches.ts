import { isDatabaseAway } from './pool.ts'

type Waiting<In, Out> = { item: In; resolve: (out: Out) => void; reject: (err: unknown) => void }

/**
 * Lets concurrent callers share a statement or a transaction. While `runsMax`
 * runs are in flight, new items wait and share the next run; otherwise an item
 * runs at once. `run` returns results in the order of its items.
 *
 * When a shared run fails, and so is rolled back, each item is retried alone:
 * an item that cannot be stored must not fail the others. After a lost connection
 * nothing is retried, since the run may have been committed.
 */
export function createBatches<In, Out>(options: {
  run: (items: In[]) => Promise<Out[]>
  runsMax: number
  /** The total weight of one run. An item weighs 1 by default. */
  weightMax: number
  weightOf?: (item: In) => number
}): (item: In) => Promise<Out> {
  const { run, runsMax, weightMax, weightOf = () => 1 } = options
  const waiting: Waiting<In, Out>[] = []
  let running = 0

  function takeBatch(): Waiting<In, Out>[] {
    let weight = 0
    let count = 0
    for (const { item } of waiting) {
      weight += weightOf(item)
      if (count > 0 && weight > weightMax) break
      count++
    }
    return waiting.splice(0, count)
  }

  async function settle(batch: Waiting<In, Out>[]): Promise<void> {
    try {
      const outs = await run(batch.map(({ item }) => item))
      for (const [i, { resolve }] of batch.entries()) resolve(outs[i] as Out)
    } catch (err) {
      if (batch.length === 1 || isDatabaseAway(err)) for (const { reject } of batch) reject(err)
      else for (const one of batch) await settle([one])
    }
  }

  function start(): void {
    while (running < runsMax && waiting.length > 0) {
      running++
      settle(takeBatch()).finally(() => {
        running--
        start()
      })
    }
  }

  return (item) => {
    const { promise, resolve, reject } = Promise.withResolvers<Out>()
    waiting.push({ item, resolve, reject })
    // Items of the same event loop iteration share the run.
    if (waiting.length === 1) setImmediate(start)
    return promise
  }
}
