export type Signal = ReturnType<typeof createSignal>

/** Re-evaluates waiting conditions whenever the state changes. */
export function createSignal() {
  const waiters = new Set<() => void>()

  return {
    changed(): void {
      for (const check of [...waiters]) check()
    },

    /** Resolves with the first defined result of `look`, or with undefined after `timeoutMs` of real time. */
    until<T>(look: () => T | undefined, timeoutMs: number): Promise<T | undefined> {
      return new Promise((resolve) => {
        const finish = (found: T | undefined) => {
          waiters.delete(check)
          clearTimeout(timer)
          resolve(found)
        }
        const check = () => {
          const found = look()
          if (found !== undefined) finish(found)
        }
        const timer = setTimeout(() => finish(undefined), timeoutMs)
        waiters.add(check)
        check()
      })
    },
  }
}
