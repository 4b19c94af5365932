/** The result of one round of one side: units of work per second, and CPU time per unit if it is measured. */
export type Round = { perSecond: number; cpuMicros: number }
export type Pair = { bare: Round; hub: Round }

/** The engine compiles for minutes: the CPU time of a send halves over the first ten rounds. */
const WARM_UPS = 10
const ROUNDS = 9
const QUICK = { warmUps: 2, rounds: 3 }

type Sides = {
  bare: () => Promise<Round>
  hub: () => Promise<Round>
  /** Called once, after the warm-up rounds. */
  settle: () => Promise<unknown>
}

/**
 * Alternates rounds of the baseline and the hub after some warm-up rounds, and
 * returns the pair with the median ratio of throughput. Each round of the hub is
 * compared with the round right before it, so that other load on the machine slows
 * both or does not affect the median.
 */
export async function alternateRounds(
  { bare, hub, settle }: Sides,
  { isQuick, progress }: { isQuick: boolean; progress: (text: string) => void },
): Promise<Pair> {
  const { warmUps, rounds } = isQuick ? QUICK : { warmUps: WARM_UPS, rounds: ROUNDS }
  for (let round = 1; round <= warmUps; round++) {
    progress(`warming up, ${round} of ${warmUps}`)
    await bare()
    await hub()
  }
  await settle()
  const pairs: Pair[] = []
  for (let round = 1; round <= rounds; round++) {
    progress(`round ${round} of ${rounds}`)
    pairs.push({ bare: await bare(), hub: await hub() })
  }
  pairs.sort((a, b) => toRatio(a) - toRatio(b))
  const median = pairs[Math.floor(rounds / 2)]
  if (!median) throw new Error('A benchmark needs a round')
  return median
}

function toRatio({ bare, hub }: Pair): number {
  return hub.perSecond / bare.perSecond
}
