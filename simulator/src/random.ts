import { createHash } from 'node:crypto'

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

export type Random = ReturnType<typeof createRandom>

/** Everything the simulator makes up comes from here, so one seed gives one world. */
export function createRandom(seed: string) {
  const start = createHash('sha256').update(seed).digest().readInt32LE(0)
  let state = start

  function fraction(): number {
    // Mulberry32: small, fast, and good enough for ids that nobody must guess.
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

    /** The same input gives the same number in one world, however many other ids were drawn between. */
    derived(input: string): bigint {
      const digest = createHash('sha256').update(`${seed}:${input}`).digest('hex')
      return BigInt(`0x${digest.slice(0, 15)}`)
    },

    shuffled<T>(items: readonly T[]): T[] {
      const keyed = items.map((item) => ({ item, key: fraction() }))
      return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item)
    },

    restart(): void {
      state = start
    },
  }
}
