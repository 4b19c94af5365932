import { type Static, Type } from 'typebox'
import { dataOf, nullable, strictObject } from '../../../kernel/http/schemas.ts'
import { CostsQuery } from '../report/schemas.ts'

const { since, until } = CostsQuery.properties
export const ReportedCostsQuery = strictObject({ since, until })
export type ReportedCostsQuery = Static<typeof ReportedCostsQuery>

const figures = {
  messages: Type.Integer(),
  cost: nullable(
    Type.String({
      description:
        'In units of the currency, as a decimal number. Null where the upstream names none, as for accounts on the credit line of a partner.',
    }),
  ),
}

export const ReportedCosts = Type.Object({
  since: Type.String({ format: 'date', description: 'The first day, in UTC.' }),
  until: Type.String({ format: 'date', description: 'The day after the last one, in UTC.' }),
  is_available: Type.Boolean({
    description: 'False if the upstream does not let the channel’s credential read its figures.',
  }),
  reason: nullable(
    Type.Object(
      { code: nullable(Type.Integer()), title: nullable(Type.String()) },
      { description: 'The reason why the upstream refused. Null if the figures are available.' },
    ),
  ),
  currency: nullable(Type.String({ description: 'The currency of the account, by ISO 4217.' })),
  categories: Type.Array(Type.Object({ category: Type.String(), ...figures }), {
    description:
      'The figures of each category, named as in statuses, such as `marketing`. The one with the most messages is first.',
  }),
  total: Type.Object(figures),
})
export type ReportedCosts = Static<typeof ReportedCosts>

export const ReportedCostsResponse = dataOf({ reported_costs: ReportedCosts })
