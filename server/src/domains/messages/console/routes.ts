import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { IdParams } from '../../../kernel/http/schemas.ts'
import { watchDisconnect } from '../../../kernel/http/streaming/disconnect.ts'
import { UPSTREAM_ERRORS } from '../../../upstream/api-error.ts'
import type { MessageExports } from './export/service.ts'
import type { MessageFiles } from './media.ts'
import {
  ConsoleMessageDetail,
  ConsoleMessagePage,
  ConsoleMessageQuery,
  ExportedMessage,
  ExportQuery,
  NamesRequest,
  RevealedMessage,
  RevealedNames,
} from './schemas.ts'
import type { ConsoleLog } from './service.ts'

const tags = ['Console']
const CSV = 'text/csv'
const NDJSON = 'application/x-ndjson'

/** The bytes come from other people: no page may run, frame or keep them. */
const FILE_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'private, no-store',
}

const FILE = Type.Unsafe<Buffer>({ type: 'string', format: 'binary' })

type Services = { consoleLog: ConsoleLog; messageFiles: MessageFiles; messageExports: MessageExports }

export function consoleMessageRoutes(services: Services): FastifyPluginAsyncTypebox {
  const { consoleLog, messageFiles, messageExports } = services
  return async (app) => {
    app.get(
      '/messages',
      {
        schema: {
          operationId: 'searchMessages',
          summary: 'List messages of all channels without their content, newest first',
          tags,
          querystring: ConsoleMessageQuery,
          response: { 200: ConsoleMessagePage },
        },
      },
      async ({ principal, query }) => ({ data: await consoleLog.page(principal.organizationId, query) }),
    )

    app.get(
      '/messages/export',
      {
        exposeHeadRoute: false,
        schema: {
          operationId: 'exportMessages',
          summary: 'Export messages of all channels as lines of CSV or JSON, newest first',
          tags,
          querystring: ExportQuery,
          produces: [NDJSON, CSV],
          response: {
            200: {
              description: 'The body is lines of JSON.',
              content: { [NDJSON]: { schema: ExportedMessage }, '*/*': { schema: FILE } },
            },
          },
          errors: ['OPERATION_IN_PROGRESS'],
        },
      },
      async ({ principal, query }, reply) => {
        const lines = await messageExports.start(principal, query)
        const isCsv = query.format === 'csv'
        reply
          .header('Content-Disposition', `attachment; filename=messages.${query.format}`)
          .header('Cache-Control', 'private, no-store')
          .type(isCsv ? `${CSV}; charset=utf-8` : NDJSON)
        // The schema is that of a line, and the response a stream of lines.
        return reply.send(Readable.from(lines, { objectMode: false, highWaterMark: 1 }) as unknown as ExportedMessage)
      },
    )

    app.get(
      '/messages/:id',
      {
        schema: {
          operationId: 'showMessage',
          summary: 'Show a message without its content, its statuses and its deliveries',
          tags,
          params: IdParams,
          response: { 200: ConsoleMessageDetail },
        },
      },
      async ({ principal, params }) => ({
        data: { message: await consoleLog.show(principal.organizationId, params.id.toLowerCase()) },
      }),
    )

    app.post(
      '/messages/:id/reveal',
      {
        schema: {
          operationId: 'revealMessage',
          summary: 'Show the content of a message, and record that in the audit log',
          tags,
          params: IdParams,
          response: { 200: RevealedMessage },
        },
      },
      async ({ principal, params }) => ({ data: await consoleLog.reveal(principal, params.id.toLowerCase()) }),
    )

    app.post(
      '/messages/names',
      {
        schema: {
          operationId: 'revealNames',
          summary: 'Show the names of the people of messages, and record that in the audit log',
          tags,
          body: NamesRequest,
          response: { 200: RevealedNames },
        },
      },
      async ({ principal, body }) => ({ data: await consoleLog.revealNames(principal, body.message_ids) }),
    )

    app.get(
      '/messages/:id/media',
      {
        // A HEAD request would be recorded as a look at the file.
        exposeHeadRoute: false,
        schema: {
          operationId: 'downloadMessageMedia',
          summary: 'Download the file of a message, and record that in the audit log',
          tags,
          params: IdParams,
          response: { 200: { description: 'The body is the file.', content: { '*/*': { schema: FILE } } } },
          errors: UPSTREAM_ERRORS,
        },
      },
      async ({ principal, params }, reply) => {
        const file = await messageFiles.open(principal, params.id.toLowerCase(), watchDisconnect(reply))
        reply.headers({ ...FILE_HEADERS, 'Content-Disposition': toDisposition(file) }).type(file.type)
        return reply.send(file.content as unknown as Buffer)
      },
    )
  }
}

function toDisposition({ isShown, name }: { isShown: boolean; name: string }): string {
  return isShown ? 'inline' : `attachment; filename=${name}.bin`
}
