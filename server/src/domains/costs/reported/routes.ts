import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { IdParams } from '../../../kernel/http/schemas.ts'
import { UPSTREAM_ERRORS } from '../../../upstream/api-error.ts'
import { ReportedCostsQuery, ReportedCostsResponse } from './schemas.ts'
import type { CostsOfAccounts } from './service.ts'

const tags = ['Billing']

export function reportedCostRoutes(costsOfAccounts: CostsOfAccounts): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/channels/:id/reported-costs',
      {
        schema: {
          operationId: 'getReportedCosts',
          summary: "Show what the upstream reports of the costs of the channel's account",
          tags,
          params: IdParams,
          querystring: ReportedCostsQuery,
          response: { 200: ReportedCostsResponse },
          errors: UPSTREAM_ERRORS,
        },
      },
      async ({ principal, params, query }) => ({
        data: { reported_costs: await costsOfAccounts.read(principal.organizationId, params.id, query) },
      }),
    )
  }
}
