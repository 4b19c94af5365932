import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AuditPage, AuditQuery } from './schemas.ts'
import type { Audit } from './service.ts'

export function auditRoutes(audit: Audit): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/audit-log',
      {
        schema: {
          operationId: 'listAuditLog',
          summary: 'List audit entries, newest first',
          tags: ['Audit log'],
          querystring: AuditQuery,
          response: { 200: AuditPage },
        },
      },
      async ({ principal, query }) => ({ data: await audit.page(principal.organizationId, query) }),
    )
  }
}
