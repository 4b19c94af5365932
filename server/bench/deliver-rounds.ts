/** The value below which `share` of the values lie. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/**
 * The round whose ratio is the middle one. Both sides of a ratio come from one
 * round, one right after the other, so that a machine with other things to do
 * slows both.
 */
export function middle<Round>(rounds: Round[], ratioOf: (round: Round) => number): Round {
  const sorted = rounds.toSorted((a, b) => ratioOf(a) - ratioOf(b))
  const found = sorted[Math.floor(sorted.length / 2)]
  if (!found) throw new Error('A benchmark had no rounds')
  return found
}
