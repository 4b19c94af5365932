/** A claim that does not start within this time is released: its endpoint may have changed since. */
export const START_MS_MAX = 200
/** Attempts that start in one iteration of the event loop. Responses to earlier attempts are read between iterations. */
const STARTED_AT_ONCE = 32
/** An iteration that was in time adds this to the next claim. From the smallest claim to the largest it takes 28 of them. */
const CLAIM_GROWTH = 8
/** With this many or fewer waiting, the next claim may be made. */
const WAITING_MAX = 128

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
  /** Attempts of direct claims that have started in this iteration. */
  let startedDirect = 0
  let claimLimit = claimMax

  function startSome(): void {
    const claimedAtMin = performance.now() - START_MS_MAX
    const late: Attempt[] = []
    for (const attempt of waiting.splice(0, STARTED_AT_ONCE)) {
      if (attempt.claimedAt < claimedAtMin) late.push(attempt)
      else start(attempt)
    }
    claimLimit =
      late.length > 0
        ? Math.max(STARTED_AT_ONCE, Math.floor(claimLimit / 2))
        : Math.min(claimMax, claimLimit + CLAIM_GROWTH)
    if (late.length > 0) releaseLate(late)
    if (waiting.length > 0) setImmediate(startSome)
    if (waiting.length > WAITING_MAX) return
    ready?.resolve()
    ready = undefined
  }

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
     * Returns the number to claim at once: fewer after attempts that were too late. A process that waits for a core needs long for an
     * iteration, and would otherwise claim the same deliveries again and again without starting them.
     */
    getClaimLimit: () => claimLimit,

    /** Resolves when few enough wait for the next claim to be made. Those of a direct claim come before all others. */
    async startAll(attempts: Attempt[], isDirect: boolean): Promise<void> {
      const isStarting = waiting.length > 0
      if (isDirect) {
        const rest = startAtOnce(attempts)
        if (rest.length === 0) return
        waiting.unshift(...rest)
      } else waiting.push(...attempts)
      if (!isStarting && waiting.length > 0) startSome()
      if (waiting.length > WAITING_MAX) ready ??= Promise.withResolvers()
      await ready?.promise
    },
  }
}
