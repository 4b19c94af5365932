/** What one round of one side came to: units of work a second, and CPU time per unit where it is measured. */
export type Round = { perSecond: number; cpuMicros: number }
export type Pair = { bare: Round; hub: Round }

const WARM_UPS = 3

type Sides = {
  bare: () => Promise<Round>
  hub: () => Promise<Round>
  /** What is done once, when both are warm. */
  settle: () => Promise<unknown>
}

/**
 * Lets the bare side and the hub take turns, after some rounds that do not
 * count, and returns the pair whose ratio of throughput is the median. Each
 * round of the hub is held against the round just before it, so that whatever
 * else this machine does is in both or falls to the edges.
 */
export async function takeTurns({ bare, hub, settle }: Sides, rounds: number): Promise<Pair> {
  for (let round = 0; round < WARM_UPS; round++) {
    await bare()
    await hub()
  }
  await settle()
  const pairs: Pair[] = []
  for (let round = 0; round < rounds; round++) pairs.push({ bare: await bare(), hub: await hub() })
  pairs.sort((a, b) => ratioOf(a) - ratioOf(b))
  const median = pairs[Math.floor(rounds / 2)]
  if (!median) throw new Error('A benchmark needs a round')
  return median
}

function ratioOf({ bare, hub }: Pair): number {
  return hub.perSecond / bare.perSecond
}
