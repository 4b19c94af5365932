/** The value below which a `share` of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/**
 * The round with the median ratio. Both sides of a ratio come from one round and
 * ran one right after the other, so that other load on the machine slows both.
 */
export function pickMedianRound<Round>(rounds: Round[], toRatio: (round: Round) => number): Round {
  const sorted = rounds.toSorted((a, b) => toRatio(a) - toRatio(b))
  const found = sorted[Math.floor(sorted.length / 2)]
  if (!found) throw new Error('A benchmark needs at least one round')
  return found
}
