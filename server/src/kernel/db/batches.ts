import { AppError } from '../errors.ts'
import { isDatabaseUnavailable, readSqlState } from './pool.ts'

/** One item that the database refuses among 200 fails 9 runs. More failures than this are not the fault of single items. */
const FAILED_RUNS_MAX = 24
/** The SQLSTATE of a transaction that was rolled back because it and another one waited for each other. */
const DEADLOCK = '40P01'
const DEADLOCKS_MAX = 5
/** A batch may add this much to a request. A request has up to three of them. */
const GATHER_MS = 3

type Waiting<In, Out> = { item: In; weight: number; resolve: (out: Out) => void; reject: (err: unknown) => void }

/**
 * Lets concurrent callers share a statement or a transaction. Without a run in
 * flight an item runs at once. Beside one, items gather for `GATHER_MS` or until it
 * ends: a statement costs much more than a row, so two small batches cost more than
 * one. While `runsMax` runs are in flight, items wait for the next one. `run` returns
 * results in the order of its items.
 *
 * When a shared run fails, and so is rolled back, its halves are retried, down to
 * the items that cannot be stored: they must not fail the others. Nothing is retried
 * after a lost connection, since the run may have been committed, and after a
 * timeout, since the database is slow already. A run that deadlocked, such as with
 * a migration, is repeated as it is: it then waits for the other transaction.
 */
export function createBatches<In, Out>(options: {
  run: (items: In[]) => Promise<Out[]>
  runsMax: number
  /** The total weight of one run. An item weighs 1 by default. */
  weightMax: number
  weightOf?: (item: In) => number
  /**
   * The total weight that may wait for a run. Beyond it items are refused with OVERLOADED, so that a slow database does
   * not fill the memory. Without it none is refused: for items that must not be, and are bounded by what came before.
   */
  waitingWeightMax?: number
  /** Called when a shared run is split up, or repeated: its cost multiplies, so that should not stay unnoticed. */
  onSplit?: (err: unknown, count: number) => void
}): (item: In) => Promise<Out> {
  const { run, runsMax, weightMax, weightOf = () => 1, waitingWeightMax = Number.POSITIVE_INFINITY, onSplit } = options
  const waiting: Waiting<In, Out>[] = []
  let waitingWeight = 0
  let running = 0
  let gathering: NodeJS.Timeout | undefined

  function takeBatch(): Waiting<In, Out>[] {
    let total = 0
    let count = 0
    for (const { weight } of waiting) {
      if (count > 0 && total + weight > weightMax) break
      total += weight
      count++
    }
    waitingWeight = count === waiting.length ? 0 : waitingWeight - total
    return waiting.splice(0, count)
  }

  async function settle(batch: Waiting<In, Out>[]): Promise<void> {
    let failedRuns = 0
    let deadlocks = 0
    const parts = [batch]
    for (let part = parts.shift(); part; part = parts.shift()) {
      try {
        const outs = await run(part.map(({ item }) => item))
        for (const [i, { resolve }] of part.entries()) resolve(outs[i] as Out)
      } catch (err) {
        if (readSqlState(err) === DEADLOCK && deadlocks < DEADLOCKS_MAX) {
          deadlocks++
          onSplit?.(err, part.length)
          parts.unshift(part)
          continue
        }
        failedRuns++
        if (part.length > 1 && failedRuns < FAILED_RUNS_MAX && !isDatabaseUnavailable(err)) {
          if (failedRuns === 1) onSplit?.(err, part.length)
          parts.unshift(...halve(part))
        } else for (const { reject } of part) reject(err)
      }
    }
  }

  function startOrGather(): void {
    if (running === 0) start()
    else gathering ??= setTimeout(start, GATHER_MS)
  }

  function start(): void {
    clearTimeout(gathering)
    gathering = undefined
    while (running < runsMax && waiting.length > 0) {
      running++
      settle(takeBatch()).finally(() => {
        running--
        start()
      })
    }
  }

  return (item) => {
    const weight = weightOf(item)
    if (waiting.length > 0 && waitingWeight + weight > waitingWeightMax) return Promise.reject(overloaded())
    const { promise, resolve, reject } = Promise.withResolvers<Out>()
    waitingWeight += weight
    waiting.push({ item, weight, resolve, reject })
    // Items of the same event loop iteration share the run.
    if (waiting.length === 1) setImmediate(startOrGather)
    return promise
  }
}

function overloaded(): AppError {
  return new AppError('OVERLOADED', 'database_queue_full')
}

function halve<T>(list: T[]): [T[], T[]] {
  const middle = Math.ceil(list.length / 2)
  return [list.slice(0, middle), list.slice(middle)]
}
