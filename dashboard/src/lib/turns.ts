/** Lets at most `atOnce` of the given reads run at a time; the others wait in the order in which they came. */
export function createTurns(atOnce: number): <Value>(read: () => Promise<Value>) => Promise<Value> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (read) => {
    if (running === atOnce) await new Promise<void>((resolve) => void waiting.push(resolve))
    else running += 1
    try {
      return await read()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
