import { AppError } from './errors.ts'

/**
 * Runs expensive work a few at a time in this process. Beyond `waitingMax` waiting callers it throws OVERLOADED: a longer
 * queue would only make every caller wait past its own timeout.
 */
export function createWorkQueue({ runningMax, waitingMax }: { runningMax: number; waitingMax: number }) {
  const waiting: (() => void)[] = []
  let running = 0

  function release(): void {
    const next = waiting.shift()
    if (next) next()
    else running--
  }

  return {
    async run<T>(work: () => Promise<T>): Promise<T> {
      if (running < runningMax) running++
      else if (waiting.length < waitingMax) await new Promise<void>((resolve) => waiting.push(resolve))
      else {
        const message = 'The hub has more to do than it can at the moment. Nothing was changed: try again.'
        throw new AppError('OVERLOADED', message)
      }
      try {
        return await work()
      } finally {
        release()
      }
    },
  }
}
