import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { prefersType } from '../../../kernel/http/accept.ts'
import { CostReportResponse, CostsQuery } from './schemas.ts'
import { type CostReports, toCostCsv } from './service.ts'

const tags = ['Billing']
const JSON_TYPE = 'application/json'
const CSV = 'text/csv'

export function costRoutes(costReports: CostReports): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/usage/costs',
      {
        schema: {
          operationId: 'getCosts',
          summary: 'Estimate what messages cost, by channel, category, country or day',
          tags,
          querystring: CostsQuery,
          produces: [JSON_TYPE, CSV],
          response: {
            200: {
              description: 'The groups with their figures.',
              content: { [JSON_TYPE]: { schema: CostReportResponse }, [CSV]: { schema: Type.String() } },
            },
          },
          errors: ['NOT_FOUND'],
        },
      },
      async ({ principal, query, headers }, reply) => {
        const costs = await costReports.read(principal.organizationId, query)
        reply.header('Vary', 'Accept')
        const isCsv = query.format === undefined ? prefersType(headers.accept, CSV, JSON_TYPE) : query.format === 'csv'
        if (!isCsv) return { data: { costs } }
        reply.header('Content-Disposition', `attachment; filename=costs-${costs.since}.csv`)
        return reply.type(`${CSV}; charset=utf-8`).send(toCostCsv(costs) as unknown as CostReportResponse)
      },
    )
  }
}
