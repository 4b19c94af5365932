import type { Lanes } from './lanes.ts'
import type { Worker } from './worker.ts'

/** After a claim of `FULL_CLAIM` or more the loop waits this long, so that the next claim brings more. */
const PAUSE_MS = 20
const FULL_CLAIM = 8
/** After this many ended attempts the next claim will be full, so the loop does not wait. */
const ENDED_ENOUGH = 48
const FAILURE_PAUSE_MS = 1000

type Dependencies = { worker: Worker; lanes: Lanes; onError: (err: unknown) => void }

/** Makes one claim after another while there is work and a free slot. */
export function createClaimLoop({ worker, lanes, onError }: Dependencies) {
  let isRunning = false
  let stepping: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let immediate: NodeJS.Immediate | undefined
  let notBefore = 0
  let ended = 0

  function schedule(): void {
    if (!isRunning || stepping || immediate) return
    const waitMs = ended < ENDED_ENOUGH ? notBefore - performance.now() : 0
    if ((waitMs > 0 && timer) || !lanes.hasWork()) return
    if (waitMs > 0) timer = setTimeout(beginStep, waitMs)
    // After the current callbacks, so that one claim serves every endpoint that they wake.
    else immediate = setImmediate(beginStep)
  }

  function beginStep(): void {
    clearSchedule()
    stepping ??= step().finally(() => {
      stepping = undefined
      schedule()
    })
  }

  function clearSchedule(): void {
    clearTimeout(timer)
    clearImmediate(immediate)
    timer = undefined
    immediate = undefined
  }

  async function step(): Promise<void> {
    try {
      ended = 0
      const count = await worker.step(onAttemptEnd)
      if (count >= FULL_CLAIM) notBefore = performance.now() + PAUSE_MS
    } catch (err) {
      notBefore = performance.now() + FAILURE_PAUSE_MS
      // No number of ended attempts shortens this pause.
      ended = Number.NEGATIVE_INFINITY
      onError(err)
    }
  }

  function onAttemptEnd(): void {
    ended++
    schedule()
  }

  return {
    schedule,

    start(): void {
      isRunning = true
    },

    /** Resolves when the last claim has started its attempts. */
    async stop(): Promise<void> {
      isRunning = false
      clearSchedule()
      await stepping
    },
  }
}
