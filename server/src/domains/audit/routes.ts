import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AuditPage, AuditQuery, AuditRetention } from './schemas.ts'
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

export function auditConsoleRoutes(audit: Audit): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/audit-log/retention',
      {
        schema: {
          operationId: 'showAuditRetention',
          summary: 'How long the hub keeps audit entries',
          tags: ['Console'],
          response: { 200: AuditRetention },
        },
      },
      async () => ({ data: { retention_days: audit.retentionDays } }),
    )
  }
}
