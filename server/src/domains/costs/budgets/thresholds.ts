import { type Amount, fromMinorUnits } from '../rates/amounts.ts'

/** The parts of a budget that are announced, in percent. */
export const THRESHOLDS = [80, 100] as const
export type Threshold = (typeof THRESHOLDS)[number]

/** Returns the thresholds of a budget, in minor units, that a cost has reached. */
export function listReached(cost: Amount, budget: number, minorDigits: number): Threshold[] {
  return THRESHOLDS.filter((percent) => cost * 100n >= fromMinorUnits(budget, minorDigits) * BigInt(percent))
}
