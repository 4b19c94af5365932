import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { IdParams } from '../../../kernel/http/schemas.ts'
import { watchDisconnect } from '../../../kernel/http/streaming/disconnect.ts'
import {
  AcknowledgeDeliveries,
  CreateListener,
  DeliveriesAcknowledged,
  LISTENER_SECRET_HEADER,
  ListenerCreated,
  ListenerDeleted,
  ListenerHeaders,
  ListenerLine,
  ListenerList,
} from './schemas.ts'
import type { Listeners } from './service.ts'

const tags = ['Listeners']
const NDJSON = 'application/x-ndjson'

export function listenerRoutes(listeners: Listeners): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/listeners',
      {
        schema: {
          operationId: 'createListener',
          summary: 'Create a listener, which streams deliveries to a client; its secret is shown once',
          tags,
          body: CreateListener,
          response: { 201: ListenerCreated },
          errors: ['INVALID_WEBHOOK', 'QUOTA_EXCEEDED'],
        },
      },
      async ({ principal, body }, reply) => reply.code(201).send({ data: await listeners.create(principal, body) }),
    )

    app.get(
      '/listeners/:id/stream',
      {
        // A HEAD request would replace the stream that is attached.
        exposeHeadRoute: false,
        schema: {
          operationId: 'streamListener',
          summary: 'Attach to a listener, and stream what it has not acknowledged as lines of JSON',
          tags,
          params: IdParams,
          headers: ListenerHeaders,
          produces: [NDJSON],
          response: {
            200: { description: 'The body is lines of JSON.', content: { [NDJSON]: { schema: ListenerLine } } },
          },
        },
      },
      async ({ principal, params, headers }, reply) => {
        const secret = headers[LISTENER_SECRET_HEADER]
        const lines = await listeners.attach(principal, params.id, secret, watchDisconnect(reply))
        // Proxies such as nginx hold a response back otherwise.
        reply.header('X-Accel-Buffering', 'no').type(NDJSON)
        // The schema is that of a line, and the response a stream of lines.
        return reply.send(Readable.from(lines, { objectMode: false, highWaterMark: 1 }) as unknown as ListenerLine)
      },
    )

    app.post(
      '/listeners/:id/acknowledge',
      {
        schema: {
          operationId: 'acknowledgeDeliveries',
          summary: 'Acknowledge deliveries of a listener, which are not sent again',
          tags,
          params: IdParams,
          headers: ListenerHeaders,
          body: AcknowledgeDeliveries,
          response: { 200: DeliveriesAcknowledged },
        },
      },
      async ({ principal, params, headers, body }) => ({
        data: await listeners.acknowledge(principal, params.id, headers[LISTENER_SECRET_HEADER], body.delivery_ids),
      }),
    )

    app.delete(
      '/listeners/:id',
      {
        schema: {
          operationId: 'deleteListener',
          summary: 'End a listener, and discard what it has not acknowledged',
          tags,
          params: IdParams,
          headers: ListenerHeaders,
          response: { 200: ListenerDeleted },
        },
      },
      async ({ principal, params, headers }) => ({
        data: await listeners.delete(principal, params.id, headers[LISTENER_SECRET_HEADER]),
      }),
    )
  }
}

/** For the dashboard: the client of a listener needs no list, because it knows its own. */
export function listenerListRoutes(listeners: Listeners): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/listeners',
      {
        schema: {
          operationId: 'listListeners',
          summary: 'List the listeners of the organization that are not over',
          tags: ['Console'],
          response: { 200: ListenerList },
        },
      },
      async ({ principal }) => ({ data: { listeners: await listeners.list(principal.organizationId) } }),
    )
  }
}
