import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { IdParams } from '../../../kernel/http/schemas.ts'
import type { Limit } from '../../../kernel/rate-limit/limit.ts'
import {
  DeliveryDetail,
  DeliveryList,
  DeliveryParams,
  Recover,
  Recovered,
  Replayed,
  Retried,
  Tested,
} from './schemas.ts'
import type { DeliveryLog } from './service.ts'

const tags = ['Webhooks']

/** Test requests count against `testLimit` and their own hourly limit, not against the limit of the other routes. */
export function deliveryRoutes(log: DeliveryLog, testLimit: Limit): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/webhooks/:id/deliveries',
      {
        schema: {
          operationId: 'listDeliveries',
          summary: 'List the 50 most recent deliveries of a webhook endpoint, newest first',
          tags,
          params: IdParams,
          response: { 200: DeliveryList },
        },
      },
      async ({ principal, params }) => ({
        data: { deliveries: await log.listRecent(principal.organizationId, params.id) },
      }),
    )

    app.get(
      '/webhooks/:id/deliveries/:deliveryId',
      {
        schema: {
          operationId: 'getDelivery',
          summary: 'Look into one delivery: what was sent in each attempt and what came back',
          tags,
          params: DeliveryParams,
          response: { 200: DeliveryDetail },
        },
      },
      async ({ principal, params }) => ({
        data: await log.getDelivery(principal, params.id, params.deliveryId),
      }),
    )

    app.post(
      '/webhooks/:id/replay/:deliveryId',
      {
        schema: {
          operationId: 'replayDelivery',
          summary: 'Deliver the event of a settled delivery again',
          tags,
          params: DeliveryParams,
          response: { 202: Replayed },
        },
      },
      async ({ principal, params }, reply) => {
        return reply.code(202).send({ data: await log.replay(principal, params.id, params.deliveryId) })
      },
    )

    app.post(
      '/webhooks/:id/deliveries/:deliveryId/retry',
      {
        schema: {
          operationId: 'retryDelivery',
          summary: 'Attempt a delivery in retry now, instead of at its next_attempt_at',
          tags,
          params: DeliveryParams,
          response: { 202: Retried },
        },
      },
      async ({ principal, params }, reply) => {
        return reply.code(202).send({ data: await log.retry(principal, params.id, params.deliveryId) })
      },
    )

    app.post(
      '/webhooks/:id/test',
      {
        config: { limit: testLimit },
        schema: {
          operationId: 'testWebhook',
          summary: 'Queue a synthetic event for an active webhook endpoint',
          tags,
          params: IdParams,
          response: { 202: Tested },
        },
      },
      async ({ principal, params }, reply) => {
        return reply.code(202).send({ data: await log.sendTest(principal, params.id) })
      },
    )

    app.post(
      '/webhooks/:id/recover',
      {
        schema: {
          operationId: 'recoverDeliveries',
          summary: 'Replay the dead and canceled deliveries of a span of time',
          tags,
          params: IdParams,
          body: Recover,
          response: { 202: Recovered },
        },
      },
      async ({ principal, params, body }, reply) => {
        return reply.code(202).send({ data: await log.recover(principal, params.id, body) })
      },
    )
  }
}
