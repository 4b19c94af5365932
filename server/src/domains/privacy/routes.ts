import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { IdParams } from '../../kernel/http/schemas.ts'
import type { OrganizationExports } from './organization-export/service.ts'
import { ExportedLine } from './schemas.ts'

const tags = ['Console']
const NDJSON = 'application/x-ndjson'
/** A client that takes nothing for this long has left. Less than the lease of an export. */
const STALLED_MS = 60_000

type Services = { organizationExports: OrganizationExports }

export function privacyRoutes({ organizationExports }: Services): FastifyPluginAsyncTypebox {
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
          response: { 200: { description: 'Lines', content: { [NDJSON]: { schema: ExportedLine } } } },
          errors: ['OPERATION_IN_PROGRESS'],
        },
      },
      async ({ principal, params }, reply) => {
        const lines = await organizationExports.start(principal, params.id.toLowerCase())
        reply.raw.setTimeout(STALLED_MS, () => reply.raw.destroy())
        reply
          .header('Content-Disposition', 'attachment; filename=organization.jsonl')
          .header('Cache-Control', 'private, no-store')
          .type(NDJSON)
        // The schema is that of a line, and the response a stream of lines.
        return reply.send(Readable.from(lines, { objectMode: false, highWaterMark: 1 }) as unknown as ExportedLine)
      },
    )
  }
}
