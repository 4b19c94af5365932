import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { pickBindingLimit } from '../../../kernel/rate-limit/limit.ts'
import { Tested } from '../log/schemas.ts'
import { InspectedDelivery, InspectedParams, InspectorDeleted, InspectorResponse, UpdateInspector } from './schemas.ts'
import type { Inspectors } from './service.ts'

const tags = ['Console']

export function inspectorRoutes(inspectors: Inspectors): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/inspector',
      {
        schema: {
          operationId: 'showInspector',
          summary: 'Show the inspector of the organization and the requests that it received',
          tags,
          response: { 200: InspectorResponse },
        },
      },
      async ({ principal }) => ({ data: await inspectors.show(principal) }),
    )

    app.post(
      '/inspector',
      {
        schema: {
          operationId: 'createInspector',
          summary: 'Create the inspector, or show the one that there is',
          tags,
          response: { 200: InspectorResponse },
          errors: ['NOT_FOUND'],
        },
      },
      async ({ principal }) => ({ data: await inspectors.create(principal) }),
    )

    app.patch(
      '/inspector',
      {
        schema: {
          operationId: 'updateInspector',
          summary: 'Choose what the inspector answers, or resume it',
          tags,
          body: UpdateInspector,
          response: { 200: InspectorResponse },
          errors: ['NOT_FOUND'],
        },
      },
      async ({ principal, body }) => ({ data: await inspectors.update(principal, body) }),
    )

    app.delete(
      '/inspector',
      {
        schema: {
          operationId: 'deleteInspector',
          summary: 'Delete the inspector and its log',
          tags,
          response: { 200: InspectorDeleted },
          errors: ['NOT_FOUND'],
        },
      },
      async ({ principal }) => ({ data: await inspectors.delete(principal) }),
    )

    app.post(
      '/inspector/test',
      {
        schema: {
          operationId: 'testInspector',
          summary: 'Queue a synthetic event for the inspector',
          tags,
          response: { 202: Tested },
          errors: ['NOT_FOUND'],
        },
      },
      async ({ principal }, reply) => {
        const { tested, limitHeaders } = await inspectors.sendTest(principal)
        return reply.code(202).headers(pickBindingLimit(reply.getHeaders(), limitHeaders)).send({ data: tested })
      },
    )

    app.post(
      '/inspector/deliveries/:deliveryId/reveal',
      {
        schema: {
          operationId: 'revealInspected',
          summary: 'Show the body of a request and how its signature is verified; it is recorded in the audit log',
          tags,
          params: InspectedParams,
          response: { 200: InspectedDelivery },
          errors: ['NOT_FOUND'],
        },
      },
      async ({ principal, params }) => ({ data: await inspectors.reveal(principal, params.deliveryId) }),
    )
  }
}
