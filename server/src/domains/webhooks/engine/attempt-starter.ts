/** A claim that does not start within this time is released: its endpoint may have changed since. */
export const START_MS_MAX = 200
/** Attempts that start in one iteration of the event loop. Responses to earlier attempts are read between iterations. */
const STARTED_AT_ONCE = 32
/** An iteration that was in time adds this to the next claim. From the smallest claim to the largest it takes 28 of them. */
const CLAIM_GROWTH = 8
const CLAIM_MIN = 8
/** With this many or fewer waiting, the next claim may be made. */
const WAITING_MAX = 128
/** The share of a slow iteration's time that is kept after each faster one. */
const SLOWNESS_KEPT = 0.8

type Dependencies<Attempt> = {
  start: (attempt: Attempt) => void
  releaseLate: (late: Attempt[]) => void
  /** The largest claim. */
  claimMax: number
}

/** Starts claimed attempts a few at a time, so that one large claim does not block the event loop. */
export function createAttemptStarter<Attempt extends { claimedAt: number }>({
  start,
  releaseLate,
  claimMax,
}: Dependencies<Attempt>) {
  const waiting: Attempt[] = []
  let ready: PromiseWithResolvers<void> | undefined
  let isStarting = false
  /** Attempts of direct claims that have started in this iteration. */
  let startedDirect = 0
  let claimLimit = claimMax
  /** The time of an iteration of the event loop in which attempts start: of the slowest one, until others were faster. */
  let iterationMs = 0

  /** Returns how many attempts start in half of the time that a claim has, as fast as the last ones did. */
  function countInTime(): number {
    const iterations = START_MS_MAX / 2 / Math.max(iterationMs, 1)
    return Math.min(claimMax, Math.floor(STARTED_AT_ONCE * iterations))
  }

  function claimFewer(): void {
    claimLimit = Math.max(CLAIM_MIN, Math.floor(claimLimit / 2))
  }

  function startSome(): void {
    const startedAt = performance.now()
    const claimedAtMin = startedAt - START_MS_MAX
    const late: Attempt[] = []
    for (const attempt of waiting.splice(0, STARTED_AT_ONCE)) {
      if (attempt.claimedAt < claimedAtMin) late.push(attempt)
      else start(attempt)
    }
    if (late.length > 0) {
      claimFewer()
      releaseLate(late)
    } else claimLimit = Math.min(claimMax, claimLimit + CLAIM_GROWTH)
    isStarting = true
    setImmediate(() => {
      isStarting = false
      // A process that was stopped for a minute is not slow for long.
      const tookMs = Math.min(performance.now() - startedAt, START_MS_MAX)
      iterationMs = Math.max(tookMs, SLOWNESS_KEPT * iterationMs)
      if (waiting.length > 0) startSome()
      resolveReady()
    })
  }

  function resolveReady(): void {
    if (hasTooMany()) return
    ready?.resolve()
    ready = undefined
  }

  const hasTooMany = () => waiting.length > Math.min(WAITING_MAX, countInTime() / 2)

  /**
   * Starts attempts of direct claims without waiting for the next iteration, which is long while a large claim starts. An
   * iteration starts as many of them as of others. Returns those that have to wait.
   */
  function startAtOnce(attempts: Attempt[]): Attempt[] {
    if (startedDirect === 0)
      setImmediate(() => {
        startedDirect = 0
      })
    const some = attempts.slice(0, STARTED_AT_ONCE - startedDirect)
    startedDirect += some.length
    for (const attempt of some) start(attempt)
    return attempts.slice(some.length)
  }

  return {
    /**
     * Returns the number to claim at once: as many as start in time beside those that wait, and fewer after attempts that were
     * too late. A process that waits for a core needs long for an iteration, and would otherwise claim the same deliveries again
     * and again without starting them.
     */
    getClaimLimit: () => Math.max(1, Math.min(claimLimit, countInTime() - waiting.length)),

    /** To be called when a whole claim was too late to be started. */
    claimFewer,

    /** Resolves when few enough wait for the next claim to be made. Those of a direct claim come before all others. */
    async startAll(attempts: Attempt[], isDirect: boolean): Promise<void> {
      if (isDirect) {
        const rest = startAtOnce(attempts)
        if (rest.length === 0) return
        waiting.unshift(...rest)
      } else waiting.push(...attempts)
      if (!isStarting && waiting.length > 0) startSome()
      if (hasTooMany()) ready ??= Promise.withResolvers()
      await ready?.promise
    },
  }
}
