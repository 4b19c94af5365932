/** A generator of numbers that a seed fixes (mulberry32). Parts of a run have generators of their own, by their names. */
export type Random = ReturnType<typeof createRandom>

export function createRandom(seed: number, part: string) {
  let state = [...part].reduce((hash, letter) => Math.imul(hash ^ letter.charCodeAt(0), 0x01000193), seed ^ 0x811c9dc5)

  /** From 0 to 1. */
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    const mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    const again = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((again ^ (again >>> 14)) >>> 0) / 2 ** 32
  }

  return {
    next,
    between: (from: number, to: number) => from + next() * (to - from),
    isLikely: (probability: number) => next() < probability,

    pick<T>(list: readonly T[]): T | undefined {
      return list[Math.floor(next() * list.length)]
    },

    /** One of the names, as likely as its weight. */
    choose<Name extends string>(weights: Record<Name, number>): Name {
      const entries = Object.entries(weights) as [Name, number][]
      let left = next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [name, weight] of entries) {
        left -= weight
        if (left < 0) return name
      }
      return entries.at(-1)?.[0] as Name
    },

    shuffle<T>(list: T[]): T[] {
      return list
        .map((item) => ({ item, order: next() }))
        .sort((a, b) => a.order - b.order)
        .map(({ item }) => item)
    },
  }
}
