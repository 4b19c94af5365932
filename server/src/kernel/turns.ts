import { AppError } from './errors.ts'

type Turns = { running: number; waiting: (() => void)[] }
type Settings = {
  runningMax: number
  waitMs: number
  /** For the refusal, as the subject of a sentence. */
}

const RETRY_SECONDS = 1

/**
 * Runs `runningMax` operations of one owner at a time in this process. Others of the owner wait for their turn, in the
 * order of their arrival, and after `waitMs` fail with RATE_LIMITED: a client that waits no longer must not find its work
 * done after it has left. Owners do not wait for each other.
 */
export function createTurns({ runningMax, waitMs }: Settings) {
  const owners = new Map<string, Turns>()

  async function wait({ waiting }: Turns): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const timer = setTimeout(() => {
      waiting.splice(waiting.indexOf(resolve), 1)
      reject(
        new AppError('RATE_LIMITED', 'searches_in_progress', {
          parameters: { limit: runningMax },
          retryAfterSeconds: RETRY_SECONDS,
        }),
      )
    }, waitMs)
    waiting.push(resolve)
    await promise.finally(() => clearTimeout(timer))
  }

  /** The turn goes to the next in line, so that `running` stays. */
  function release(owner: string, turns: Turns): void {
    const next = turns.waiting.shift()
    if (next) next()
    else turns.running--
    if (turns.running === 0) owners.delete(owner)
  }

  return {
    async run<T>(owner: string, work: () => Promise<T>): Promise<T> {
      const turns = owners.get(owner) ?? { running: 0, waiting: [] }
      owners.set(owner, turns)
      if (turns.running >= runningMax) await wait(turns)
      else turns.running++
      try {
        return await work()
      } finally {
        release(owner, turns)
      }
    },
  }
}
