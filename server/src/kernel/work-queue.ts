import { AppError } from './errors.ts'

type Settings = {
  runningMax: number
  waitingMax: number
  /** Limit of one owner. By default one may fill the queue. */
  ownerWaitingMax?: number
}

/**
 * Runs expensive work a few at a time in this process, the owners of what waits in turn: one that asks for much delays
 * another by one piece of work. Beyond `waitingMax` waiting callers it throws OVERLOADED: a longer queue would only make
 * every caller wait past its own timeout.
 */
export function createWorkQueue({ runningMax, waitingMax, ownerWaitingMax = waitingMax }: Settings) {
  /** The owner whose turn is next comes first. */
  const waiting = new Map<string, (() => void)[]>()
  let waitingCount = 0
  let running = 0

  function release(): void {
    for (const [owner, [next, ...others]] of waiting) {
      waiting.delete(owner)
      if (others.length > 0) waiting.set(owner, others)
      waitingCount--
      next?.()
      return
    }
    running--
  }

  function wait(owner: string): Promise<void> {
    const ofOwner = waiting.get(owner) ?? []
    if (waitingCount >= waitingMax || ofOwner.length >= ownerWaitingMax) {
      throw new AppError('OVERLOADED', 'work_queue_full')
    }
    waitingCount++
    return new Promise((resolve) => waiting.set(owner, [...ofOwner, resolve]))
  }

  return {
    async run<T>(work: () => Promise<T>, owner = ''): Promise<T> {
      if (running < runningMax) running++
      else await wait(owner)
      try {
        return await work()
      } finally {
        release()
      }
    },
  }
}
