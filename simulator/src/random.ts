import { createHash } from 'node:crypto'

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

export type Random = ReturnType<typeof createRandom>

/** The source of all generated values, so that one seed gives one state. */
export function createRandom(seed: string) {
  const start = createHash('sha256').update(seed).digest().readInt32LE(0)
  let state = start

  function fraction(): number {
    // Mulberry32: small, fast, and good enough for ids that are no secrets.
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }

  function pick(alphabet: string, length: number): string {
    return Array.from({ length }, () => alphabet[Math.floor(fraction() * alphabet.length)]).join('')
  }

  return {
    fraction,
    text: (length: number) => pick(ALPHANUMERIC, length),
    digits: (length: number) => pick('123456789', 1) + pick('0123456789', length - 1),

    shuffled<T>(items: readonly T[]): T[] {
      const keyed = items.map((item) => ({ item, key: fraction() }))
      return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item)
    },

    restart(): void {
      state = start
    },
  }
}
