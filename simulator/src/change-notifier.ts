export type ChangeNotifier = ReturnType<typeof createChangeNotifier>

/** Lets callers wait for a condition, which is evaluated again at each change of the state. */
export function createChangeNotifier() {
  const waiters = new Set<() => void>()

  return {
    notify(): void {
      for (const check of [...waiters]) check()
    },

    /** Resolves with the first defined result of `look`, or with undefined after `timeoutMs` of real time. */
    waitFor<T>(look: () => T | undefined, timeoutMs: number): Promise<T | undefined> {
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
