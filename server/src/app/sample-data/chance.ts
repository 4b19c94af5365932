export type Chance = ReturnType<typeof createChance>

/** The same numbers in every run, so that one person sees much the same as another (mulberry32). */
export function createChance(seed = 20_240) {
  let state = seed

  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))

  function pick<T>(list: readonly T[]): T {
    const picked = list[between(0, list.length - 1)]
    if (picked === undefined) throw new Error('There is nothing to pick')
    return picked
  }

  return { between, pick, is: (probability: number) => next() < probability }
}
