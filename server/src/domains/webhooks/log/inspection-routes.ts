import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { IdParams } from '../../../kernel/http/schemas.ts'
import type { DeliveryPages } from './delivery-pages.ts'
import {
  ConsoleDeliveryPage,
  ConsoleDeliveryQuery,
  DeliveryParams,
  DeliveryPayload,
  FoundDelivery,
  Recoverable,
  RecoverableQuery,
  RevealedPayload,
  TestAllowance,
} from './schemas.ts'
import type { DeliveryLog } from './service.ts'

const tags = ['Console']

/** Routes that a person uses before a replay, a recovery or a test. */
export function inspectionRoutes(log: DeliveryLog, pages: DeliveryPages): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/webhooks/:id/deliveries',
      {
        schema: {
          operationId: 'searchDeliveries',
          summary: 'List all kept deliveries of a webhook endpoint page by page, newest first',
          tags,
          params: IdParams,
          querystring: ConsoleDeliveryQuery,
          response: { 200: ConsoleDeliveryPage },
        },
      },
      async ({ principal, params, query }) => ({ data: await pages.page(principal.organizationId, params.id, query) }),
    )

    app.get(
      '/deliveries/:id',
      {
        schema: {
          operationId: 'findDelivery',
          summary: 'Find a delivery by its id or by the id of its event',
          tags,
          params: IdParams,
          response: { 200: FoundDelivery },
        },
      },
      async ({ principal, params }) => ({ data: { delivery: await log.find(principal.organizationId, params.id) } }),
    )

    app.get(
      '/webhooks/:id/deliveries/:deliveryId/payload',
      {
        schema: {
          operationId: 'showDeliveryPayload',
          summary: 'Show what a delivery is about, without its body',
          tags,
          params: DeliveryParams,
          response: { 200: DeliveryPayload },
        },
      },
      async ({ principal, params }) => ({
        data: await log.getPayload(principal.organizationId, params.id, params.deliveryId),
      }),
    )

    app.post(
      '/webhooks/:id/deliveries/:deliveryId/reveal',
      {
        schema: {
          operationId: 'revealDelivery',
          summary: 'Show the body of a delivery and of its responses; it is recorded in the audit log',
          tags,
          params: DeliveryParams,
          response: { 200: RevealedPayload },
        },
      },
      async ({ principal, params }) => ({ data: await log.reveal(principal, params.id, params.deliveryId) }),
    )

    app.get(
      '/webhooks/:id/recoverable',
      {
        schema: {
          operationId: 'countRecoverable',
          summary: 'Count the dead and canceled deliveries that a recovery would replay',
          tags,
          params: IdParams,
          querystring: RecoverableQuery,
          response: { 200: Recoverable },
        },
      },
      async ({ principal, params, query }) => ({
        data: await log.countRecoverable(principal.organizationId, params.id, query),
      }),
    )

    app.get(
      '/webhooks/:id/test-allowance',
      {
        schema: {
          operationId: 'showTestAllowance',
          summary: 'Show how many tests of a webhook endpoint are left in this hour',
          tags,
          params: IdParams,
          response: { 200: TestAllowance },
        },
      },
      async ({ principal, params }) => ({ data: await log.getTestAllowance(principal.organizationId, params.id) }),
    )
  }
}
