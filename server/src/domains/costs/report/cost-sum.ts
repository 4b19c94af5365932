import { type Amount, formatAmount } from '../rates/amounts.ts'
import { findRate, type RateCards } from '../rates/rate-card.ts'
import type { CostFigures } from './schemas.ts'

/** `cardDay` is the day from which the rate card of these messages is valid. */
export type RatedVolume = {
  category: string
  country: string
  is_charged: boolean
  card_day: string | null
  volume: number
}

/** Volumes with their cost, exactly. */
export type CostSum = { messages: number; charged: number; withoutRate: number; cost: Amount }

export function sumCosts(volumes: readonly RatedVolume[], rateCards: RateCards | undefined): CostSum {
  const sum: CostSum = { messages: 0, charged: 0, withoutRate: 0, cost: 0n }
  for (const { volume, is_charged, card_day: cardDay, country, category } of volumes) {
    sum.messages += volume
    if (!is_charged) continue
    sum.charged += volume
    const rate = rateCards && findRate(rateCards, { cardDay, country, category })
    if (rate === undefined) sum.withoutRate += volume
    else sum.cost += rate * BigInt(volume)
  }
  return sum
}

export function toCostFigures(sum: CostSum, rateCards: RateCards | undefined): CostFigures {
  const { messages, charged, withoutRate, cost } = sum
  return {
    messages,
    charged,
    without_rate: withoutRate,
    cost: rateCards ? formatAmount(cost, rateCards.minorDigits) : null,
  }
}
