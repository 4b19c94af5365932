import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AttentionList } from './schemas.ts'
import type { Attention } from './service.ts'

export function attentionRoutes(attention: Attention): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/attention',
      {
        schema: {
          operationId: 'listAttention',
          summary: 'List what needs attention, the most urgent first',
          tags: ['Console'],
          response: { 200: AttentionList },
        },
      },
      async ({ principal }) => ({ data: { attention: await attention.list(principal.organizationId) } }),
    )
  }
}
