import type { Lanes } from './lanes.ts'
import type { Worker } from './worker.ts'

/** The pause after a large claim. Deliveries become due meanwhile, so the next claim is large again. */
const CLAIM_PAUSE_MS = 20
/** A claim of this many deliveries or more is large. */
const LARGE_CLAIM = 8
/** When this many attempts have ended since the last claim, the next one is large without a pause. */
const ENDED_ATTEMPTS_MIN = 48
const FAILURE_PAUSE_MS = 1000

type Dependencies = {
  worker: Worker
  lanes: Lanes
  /** Deliveries were claimed. */
  onClaim: () => void
  onError: (err: unknown) => void
  isHeld: () => boolean
}

/** Makes one claim after another while there is work and a free slot. */
export function createClaimLoop({ worker, lanes, onClaim, onError, isHeld }: Dependencies) {
  let isRunning = false
  let stepping: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let immediate: NodeJS.Immediate | undefined
  let notBefore = 0
  let ended = 0

  function schedule(): void {
    if (!isRunning || isHeld() || stepping || immediate) return
    const waitMs = ended < ENDED_ATTEMPTS_MIN ? notBefore - performance.now() : 0
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
      if (count > 0) onClaim()
      if (count >= LARGE_CLAIM) notBefore = performance.now() + CLAIM_PAUSE_MS
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
    onAttemptEnd,

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
