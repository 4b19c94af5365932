import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { IdParams } from '../../../kernel/http/schemas.ts'
import { InvoiceList, InvoiceQuery } from './schemas.ts'
import type { Invoices } from './service.ts'

export function invoiceRoutes({ invoices }: { invoices: Invoices }): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/organizations/:id/invoices',
      {
        schema: {
          operationId: 'listInvoices',
          summary: 'List the invoices of an organization as the payment provider has them, newest first',
          tags: ['Console'],
          params: IdParams,
          querystring: InvoiceQuery,
          response: { 200: InvoiceList },
          errors: ['BILLING_OFF', 'UPSTREAM_UNAVAILABLE'],
        },
      },
      async ({ principal, query }) => ({ data: await invoices.list(principal, query) }),
    )
  }
}
