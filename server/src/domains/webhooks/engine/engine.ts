import type { Outages } from '../../../kernel/db/outages.ts'
import { isDatabaseUnavailable, type Pool } from '../../../kernel/db/pool.ts'
import type { Logger } from '../../../kernel/logger.ts'
import type { DeferredFanOuts } from '../publishing/deferred-fan-outs.ts'
import type { ResultBuffer } from '../results/result-buffer.ts'
import type { WakeUps } from '../wake-ups.ts'
import { createClaimLoop } from './claim-loop.ts'
import type { DirectClaims } from './direct-claims.ts'
import type { Lanes } from './lanes.ts'
import * as store from './store.ts'
import type { Worker } from './worker.ts'

const POLL_EVERY_MS = 1000
/** The pause is at least this many times as long as the poll, which takes long with very many endpoints. */
const POLL_PAUSE_FACTOR = 20

type Dependencies = {
  sql: Pool
  logger: Logger
  outages: Pick<Outages, 'report'>
  lanes: Lanes
  worker: Worker
  directClaims: DirectClaims
  results: ResultBuffer
  wakeUps: WakeUps
  fanOutWakeUps: WakeUps<string>
  fanOuts: Pick<DeferredFanOuts, 'start' | 'stop' | 'wake' | 'onClaim' | 'makeDue'>
  /** While the hub is on hold, nothing is claimed. Polling finds what is due after it. */
  isHeld: () => boolean
}

/**
 * Keeps a worker busy: at once on a wake-up, and by polling for retries that are
 * due and for wake-ups that were lost. Any number of engines, in any number of
 * processes, share one queue: a claim in the database decides who sends what.
 */
export function createEngine(dependencies: Dependencies) {
  const { sql, logger, outages, lanes, worker, directClaims, results, wakeUps, fanOutWakeUps, fanOuts } = dependencies
  const { isHeld } = dependencies
  const loop = createClaimLoop({ worker, lanes, onClaim: fanOuts.onClaim, onError: logError, isHeld })
  let isRunning = false
  let timer: NodeJS.Timeout | undefined
  let polling: Promise<void> | undefined

  async function poll(): Promise<void> {
    fanOuts.wake()
    if (isHeld()) return
    const due = await store.listDueEndpoints(sql)
    lanes.wake(due)
    loop.schedule()
  }

  function pollAgain(): void {
    const startedAt = performance.now()
    polling = poll()
      .catch(logError)
      .finally(() => {
        const pauseMs = Math.max(POLL_EVERY_MS, POLL_PAUSE_FACTOR * (performance.now() - startedAt))
        if (isRunning) timer = setTimeout(pollAgain, pauseMs)
      })
  }

  function logError(err: unknown): void {
    if (isDatabaseUnavailable(err)) outages.report(err, { work: 'deliveries' })
    else logger.error({ err }, 'delivery engine step failed')
  }

  wakeUps.listen((endpoints) => {
    if (!isRunning) return
    lanes.wake(endpoints)
    loop.schedule()
  })
  fanOutWakeUps.listen(fanOuts.wake)

  async function attemptDue(): Promise<void> {
    await poll()
    while ((await worker.step(() => undefined)) > 0 || lanes.hasWork()) await worker.waitUntilIdle()
    await worker.waitUntilIdle()
    await results.flush()
  }

  return {
    start(): void {
      isRunning = true
      loop.start()
      fanOuts.start(logError)
      directClaims.start({ onAttemptEnd: loop.onAttemptEnd, onSlotsFree: loop.schedule, onError: logError })
      pollAgain()
    },

    /** Claims no more, waits for the attempts in progress, and writes their results. */
    async stop(): Promise<void> {
      isRunning = false
      clearTimeout(timer)
      await Promise.all([loop.stop(), directClaims.stop(), fanOuts.stop(), polling])
      await worker.waitUntilIdle()
      await results.flush()
    },

    /**
     * Attempts every delivery that is due now, those of deferred fan-outs too, once, and writes the results. An endpoint
     * with spaced attempts gets one.
     */
    async deliverDue(): Promise<void> {
      if (isHeld()) return
      await fanOuts.makeDue()
      do await attemptDue()
      while (await fanOuts.makeDue())
    },

    measureQueue: () => store.measureQueue(sql),
  }
}
