type Unit = 'ms' | 's' | 'min' | 'h' | 'd'
type DurationPart = { count: number; unit: Unit }

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** A length is rounded to the smaller of two units; where that fills the larger one, the next row has it. */
const PAIRS = [
  { unit: 'min', size: MINUTE, smaller: 's', step: SECOND, below: HOUR },
  { unit: 'h', size: HOUR, smaller: 'min', step: MINUTE, below: DAY },
] as const
const LONGEST = { unit: 'd', size: DAY, smaller: 'h', step: HOUR } as const

/** A length of time in one or two units. Below ten seconds it has a decimal; what is less than a millisecond is 0 ms. */
export function splitDuration(ms: number): DurationPart[] {
  if (ms < 1) return [{ count: 0, unit: 'ms' }]
  if (Math.round(ms) < SECOND) return [{ count: Math.round(ms), unit: 'ms' }]
  const tenths = Math.round(ms / 100) / 10
  const seconds = tenths < 10 ? tenths : Math.round(ms / SECOND)
  if (seconds < 60) return [{ count: seconds, unit: 's' }]
  const { unit, size, smaller, step } = PAIRS.find((pair) => roundTo(ms, pair.step) < pair.below) ?? LONGEST
  const rounded = roundTo(ms, step)
  const parts: DurationPart[] = [
    { count: Math.floor(rounded / size), unit },
    { count: (rounded % size) / step, unit: smaller },
  ]
  return parts.filter(({ count }) => count > 0)
}

function roundTo(ms: number, step: number): number {
  return Math.round(ms / step) * step
}
