import { type Static, Type } from 'typebox'
import { ChannelEventData } from '../../channels/schemas.ts'
import { THRESHOLDS } from './thresholds.ts'

/** The `data` of cost.budget_reached. */
export const BudgetEventData = Type.Object({
  channel: ChannelEventData.properties.channel,
  percent: Type.Integer({ enum: [...THRESHOLDS], description: 'The part of the budget that was reached.' }),
  amount: Type.Integer({
    description: 'The estimate of the month so far, in minor units of the currency such as cents, rounded down.',
  }),
  currency: Type.String({ description: 'The currency of the rate card, by ISO 4217.' }),
})
export type BudgetEventData = Static<typeof BudgetEventData>
