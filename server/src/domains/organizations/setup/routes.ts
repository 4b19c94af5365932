import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Setup } from './schemas.ts'
import type { FirstRun } from './service.ts'

export function setupRoutes(firstRun: FirstRun): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/setup',
      {
        schema: {
          operationId: 'showSetup',
          summary: 'Show how people get in, before anyone is signed in',
          tags: ['Console'],
          response: { 200: Setup },
        },
      },
      async () => ({ data: await firstRun.show() }),
    )
  }
}
