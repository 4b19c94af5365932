import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { IdParams, PageQuery } from '../../kernel/http/schemas.ts'
import { ErasePerson, ErasurePage, ErasureParams, ErasurePreview, ErasureResponse } from './erasures/schemas.ts'
import type { Erasures } from './erasures/service.ts'
import type { OrganizationExports } from './organization-export/service.ts'
import { ExportedLine } from './schemas.ts'

const tags = ['Console']
const NDJSON = 'application/x-ndjson'

type Services = { organizationExports: OrganizationExports; erasures: Erasures }

export function privacyRoutes({ organizationExports, erasures }: Services): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/organizations/:id/export',
      {
        exposeHeadRoute: false,
        schema: {
          operationId: 'exportOrganization',
          summary: 'Export all data of an organization as lines of JSON',
          tags,
          params: IdParams,
          produces: [NDJSON],
          response: {
            200: { description: 'The body is lines of JSON.', content: { [NDJSON]: { schema: ExportedLine } } },
          },
          errors: ['OPERATION_IN_PROGRESS'],
        },
      },
      async ({ principal }, reply) => {
        const lines = await organizationExports.start(principal)
        reply
          .header('Content-Disposition', 'attachment; filename=organization.jsonl')
          .header('Cache-Control', 'private, no-store')
          .type(NDJSON)
        // The schema is that of a line, and the response a stream of lines.
        return reply.send(Readable.from(lines, { objectMode: false, highWaterMark: 1 }) as unknown as ExportedLine)
      },
    )

    app.post(
      '/organizations/:id/erasures/preview',
      {
        schema: {
          operationId: 'previewErasure',
          summary: 'Count what an erasure of a person would erase',
          tags,
          params: IdParams,
          body: ErasePerson,
          response: { 200: ErasurePreview },
        },
      },
      async ({ principal, body }) => ({ data: await erasures.preview(principal.organizationId, body) }),
    )

    app.post(
      '/organizations/:id/erasures',
      {
        schema: {
          operationId: 'erasePerson',
          summary: 'Erase a person from the data of an organization',
          description: 'The same person while an erasure is running gets the running one.',
          tags,
          params: IdParams,
          body: ErasePerson,
          response: { 202: ErasureResponse },
          errors: ['OPERATION_IN_PROGRESS'],
        },
      },
      async ({ principal, body }, reply) => {
        const erasure = await erasures.request(principal, body)
        return reply.code(202).send({ data: { erasure } })
      },
    )

    app.get(
      '/organizations/:id/erasures',
      {
        schema: {
          operationId: 'listErasures',
          summary: 'List erasures, newest first',
          tags,
          params: IdParams,
          querystring: PageQuery,
          response: { 200: ErasurePage },
        },
      },
      async ({ principal, query }) => ({ data: await erasures.page(principal.organizationId, query) }),
    )

    app.get(
      '/organizations/:id/erasures/:erasureId',
      {
        schema: {
          operationId: 'showErasure',
          summary: 'Show an erasure',
          tags,
          params: ErasureParams,
          response: { 200: ErasureResponse },
        },
      },
      async ({ principal, params }) => ({
        data: { erasure: await erasures.find(principal.organizationId, params.erasureId.toLowerCase()) },
      }),
    )
  }
}
