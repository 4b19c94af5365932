import type { Interval } from './objects/catalogue.ts'

const DAY_SECONDS = 86_400

export interface Cycle {
  interval: Interval
  interval_count: number
}

/**
 * The end of the cycle that contains `at`, counted from the anchor and not
 * from the cycle before: one that begins on the 31st ends on the 28th of
 * February and on the 31st of March again.
 */
export function cycleEndAfter(anchor: number, cycle: Cycle, at: number): number {
  for (let count = 1; ; count++) {
    const end = cyclesLater(anchor, cycle, count)
    if (end > at) return end
  }
}

function cyclesLater(anchor: number, { interval, interval_count }: Cycle, count: number): number {
  const steps = interval_count * count
  if (interval === 'day') return anchor + steps * DAY_SECONDS
  if (interval === 'week') return anchor + steps * 7 * DAY_SECONDS
  return monthsLater(anchor, interval === 'year' ? steps * 12 : steps)
}

function monthsLater(anchor: number, months: number): number {
  const from = new Date(anchor * 1_000)
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth() + months]
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const midnight = Date.UTC(year, month, Math.min(from.getUTCDate(), lastDay))
  return midnight / 1_000 + (anchor % DAY_SECONDS)
}
