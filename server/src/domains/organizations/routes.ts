import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { requireSession } from '../auth/principal.ts'
import { OrganizationList } from './schemas.ts'
import type { Organizations } from './service.ts'

const tags = ['Console']

export function organizationRoutes(organizations: Organizations): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/organizations',
      {
        schema: {
          operationId: 'listOrganizations',
          summary: 'List the organizations of the signed-in person',
          tags,
          response: { 200: OrganizationList },
        },
      },
      async ({ principal }) => {
        return { data: { organizations: await organizations.listForUser(requireSession(principal).userId) } }
      },
    )
  }
}
