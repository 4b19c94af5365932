/**
 * Runs operations one at a time in this process, in the order of their arrival. After each, nothing of the kind runs for
 * `pauseFactor` times as long as it took, so that all of them together leave the other work its share of the processor.
 */
export function createPacedTurns(pauseFactor: number) {
  let end: Promise<void> = Promise.resolve()

  return async function run<T>(work: () => Promise<T>): Promise<T> {
    const previous = end
    const { promise, resolve } = Promise.withResolvers<void>()
    end = promise
    await previous
    const startedAt = performance.now()
    try {
      return await work()
    } finally {
      setTimeout(resolve, (performance.now() - startedAt) * pauseFactor)
    }
  }
}
