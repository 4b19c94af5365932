import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { LARGE_BODY_BYTES_MAX } from '../../kernel/http/body.ts'
import { IdParams } from '../../kernel/http/schemas.ts'
import { UPSTREAM_ERRORS } from '../../upstream/api-error.ts'
import { CreateTemplate, TemplateCreated, TemplatePage, TemplateQuery } from './schemas.ts'
import type { Templates } from './service.ts'

const tags = ['Templates']

export function templateRoutes(templates: Templates): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/channels/:id/templates',
      {
        schema: {
          operationId: 'listTemplates',
          summary: "List the templates of a channel's account",
          tags,
          params: IdParams,
          querystring: TemplateQuery,
          response: { 200: TemplatePage },
          errors: UPSTREAM_ERRORS,
        },
      },
      async ({ principal, params, query }) => ({
        data: await templates.page(principal.organizationId, params.id, query),
      }),
    )

    app.post(
      '/channels/:id/templates',
      {
        bodyLimit: LARGE_BODY_BYTES_MAX,
        schema: {
          operationId: 'createTemplate',
          summary: 'Create a template upstream',
          tags,
          params: IdParams,
          body: CreateTemplate,
          response: { 201: TemplateCreated },
          errors: UPSTREAM_ERRORS,
        },
      },
      async ({ principal, params, body }, reply) => {
        return reply.code(201).send({ data: { template: await templates.create(principal, params.id, body) } })
      },
    )
  }
}
