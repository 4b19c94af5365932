import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { IdParams } from '../../kernel/http/schemas.ts'
import { ListedLinks } from '../connect-links/schemas.ts'
import type { Channels } from './service.ts'

export function linkListRoutes(channels: Channels): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/channels/:id/connect-links',
      {
        schema: {
          operationId: 'listConnectLinks',
          summary: 'List the ten newest connect links of a channel, without their addresses',
          tags: ['Console'],
          params: IdParams,
          response: { 200: ListedLinks },
        },
      },
      async ({ principal, params }) => ({
        data: { connect_links: await channels.listLinks(principal.organizationId, params.id) },
      }),
    )
  }
}
