/** A claim that does not start within this time is released: its endpoint may have changed since. */
export const START_MS_MAX = 200
/** Attempts that start in one iteration of the event loop. Responses to earlier attempts are read between iterations. */
const STARTED_AT_ONCE = 32
/** With this many or fewer waiting, the next claim may be made. */
const WAITING_MAX = 128

type Dependencies<Attempt> = { start: (attempt: Attempt) => void; releaseLate: (late: Attempt[]) => void }

/** Starts claimed attempts a few at a time, so that one large claim does not block the event loop. */
export function createAttemptStarter<Attempt extends { claimedAt: number }>({
  start,
  releaseLate,
}: Dependencies<Attempt>) {
  const waiting: Attempt[] = []
  let ready: PromiseWithResolvers<void> | undefined

  function startSome(): void {
    const claimedAtMin = performance.now() - START_MS_MAX
    const late: Attempt[] = []
    for (const attempt of waiting.splice(0, STARTED_AT_ONCE)) {
      if (attempt.claimedAt < claimedAtMin) late.push(attempt)
      else start(attempt)
    }
    if (late.length > 0) releaseLate(late)
    if (waiting.length > 0) setImmediate(startSome)
    if (waiting.length > WAITING_MAX) return
    ready?.resolve()
    ready = undefined
  }

  return {
    /** Resolves when few enough wait for the next claim to be made. Those of a direct claim come before all others. */
    async startAll(attempts: Attempt[], isDirect: boolean): Promise<void> {
      const isStarting = waiting.length > 0
      if (isDirect) waiting.unshift(...attempts)
      else waiting.push(...attempts)
      if (!isStarting && attempts.length > 0) startSome()
      if (waiting.length > WAITING_MAX) ready ??= Promise.withResolvers()
      await ready?.promise
    },
  }
}
