import { type Static, Type } from 'typebox'
import { dataOf, nullable, oneOf, strictObject, Uuid } from '../../../kernel/http/schemas.ts'

export const COST_GROUPINGS = ['channel', 'category', 'country', 'day'] as const
export type CostGrouping = (typeof COST_GROUPINGS)[number]

export const COST_FORMATS = ['json', 'csv'] as const

const Time = (description: string) => Type.Optional(Type.String({ maxLength: 40, description }))

export const CostsQuery = strictObject({
  since: Time('The first day in UTC, as a date or a timestamp. The first of the month by default.'),
  until: Time('The end, which is not included, as a date or a timestamp. The end of today by default.'),
  group_by: oneOf(COST_GROUPINGS, { default: 'day' }),
  channel_id: Type.Optional(Uuid),
  format: Type.Optional(
    oneOf(COST_FORMATS, { description: 'The format of the answer. Default: CSV if `Accept` prefers it, else JSON.' }),
  ),
})
export type CostsQuery = Static<typeof CostsQuery>

const figures = {
  messages: Type.Integer({ description: 'Messages for which the upstream has named a price, free ones included.' }),
  charged: Type.Integer({ description: 'The number of these messages that the upstream charges.' }),
  without_rate: Type.Integer({
    description: 'The number of charged messages for which the rate card has no rate. They are not part of `cost`.',
  }),
  cost: nullable(
    Type.String({
      description: 'The estimate in units of the currency, as an exact decimal number. Null without a rate card.',
    }),
  ),
}

export const CostFigures = Type.Object(figures)
export type CostFigures = Static<typeof CostFigures>

export const CostOfCategory = Type.Object({ category: Type.String(), ...figures })
export type CostOfCategory = Static<typeof CostOfCategory>

export const CostGroup = Type.Object({
  key: Type.String({
    description: 'The id of the channel, the category, the country as two letters or `unknown`, or the day in UTC.',
  }),
  name: nullable(Type.String({ description: 'The name of the channel; null for other groups.' })),
  ...figures,
  categories: Type.Array(CostOfCategory, { description: 'The same figures by category, the most messages first.' }),
})
export type CostGroup = Static<typeof CostGroup>

export const CostReport = Type.Object({
  since: Type.String({ format: 'date', description: 'The first day, in UTC.' }),
  until: Type.String({ format: 'date', description: 'The day after the last one, in UTC.' }),
  group_by: oneOf(COST_GROUPINGS),
  currency: nullable(
    Type.String({ description: 'The currency of the rate card, by ISO 4217. Null without a rate card.' }),
  ),
  rate_card_from: nullable(
    Type.String({ format: 'date', description: 'The day from which the latest rate card of the period is valid.' }),
  ),
  groups: Type.Array(CostGroup, { description: 'Days in their order, other groups with the most messages first.' }),
  total: CostFigures,
})
export type CostReport = Static<typeof CostReport>

export const CostReportResponse = dataOf({ costs: CostReport })
export type CostReportResponse = Static<typeof CostReportResponse>
