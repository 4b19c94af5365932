import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { IdParams } from '../../kernel/http/schemas.ts'
import { DeletionCanceled, DeletionRequested, RequestDeletion } from './schemas.ts'
import type { Offboarding } from './service.ts'

const tags = ['Console']

export function offboardingRoutes(offboarding: Offboarding): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/organizations/:id/deletion',
      {
        schema: {
          operationId: 'requestDeletion',
          summary: 'Delete an organization with all its data in seven days',
          tags,
          params: IdParams,
          body: RequestDeletion,
          response: { 200: DeletionRequested },
          errors: ['CONFLICT', 'UPSTREAM_UNAVAILABLE'],
        },
      },
      async ({ principal, body }) => ({ data: await offboarding.request(principal, body.name) }),
    )

    app.delete(
      '/organizations/:id/deletion',
      {
        schema: {
          operationId: 'cancelDeletion',
          summary: 'Keep an organization that waits for its deletion',
          tags,
          params: IdParams,
          response: { 200: DeletionCanceled },
        },
      },
      async ({ principal }) => {
        await offboarding.cancel(principal.organizationId, principal.initiator)
        return { data: { canceled: true as const } }
      },
    )
  }
}
