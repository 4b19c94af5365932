import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { IdParams } from '../../kernel/http/schemas.ts'
import { watchDisconnect } from '../../kernel/http/streaming/disconnect.ts'
import { LAST_EVENT_ID_HEADER, SentUpdate, StreamHeaders } from './schemas.ts'
import type { LiveUpdates } from './service.ts'

const EVENT_STREAM = 'text/event-stream'

export function liveUpdateRoutes(liveUpdates: LiveUpdates): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/organizations/:id/events',
      {
        exposeHeadRoute: false,
        schema: {
          operationId: 'streamLiveUpdates',
          summary: 'Stream the ids and kinds of what changes in an organization, as server-sent events',
          tags: ['Console'],
          params: IdParams,
          headers: StreamHeaders,
          produces: [EVENT_STREAM],
          response: {
            200: {
              description: 'The body is a stream of server-sent events.',
              content: { [EVENT_STREAM]: { schema: SentUpdate } },
            },
          },
          errors: ['QUOTA_EXCEEDED'],
        },
      },
      async ({ principal, headers }, reply) => {
        const lastEventId = headers[LAST_EVENT_ID_HEADER]
        const text = await liveUpdates.open(principal, lastEventId, watchDisconnect(reply))
        // Proxies such as nginx hold a response back otherwise.
        reply.header('X-Accel-Buffering', 'no').type(EVENT_STREAM)
        // The schema is that of an event's data, and the response a stream of events.
        return reply.send(Readable.from(text, { objectMode: false, highWaterMark: 1 }) as unknown as SentUpdate)
      },
    )
  }
}
