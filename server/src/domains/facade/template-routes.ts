import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { LARGE_BODY_BYTES_MAX } from '../../kernel/http/body.ts'
import { IdParams } from '../../kernel/http/schemas.ts'
import { watchDisconnect } from '../../kernel/http/streaming/disconnect.ts'
import { installUploads } from '../../kernel/http/upload.ts'
import { UPSTREAM_ERRORS } from '../../upstream/api-error.ts'
import type { Facade } from './service.ts'
import {
  EditTemplate,
  ExampleUploaded,
  TemplateDeletionQuery,
  TemplateEdited,
  TemplateParams,
  TemplatesDeleted,
} from './template-schemas.ts'

const tags = ['Console']

/** People manage templates here as clients do at the facade, because the dashboard has no channel token. */
export function templateConsoleRoutes(facade: Facade): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.delete(
      '/channels/:id/templates/:name',
      {
        schema: {
          operationId: 'deleteTemplates',
          summary: 'Delete a template in one language, or in all',
          tags,
          params: TemplateParams,
          querystring: TemplateDeletionQuery,
          response: { 200: TemplatesDeleted },
          errors: [...UPSTREAM_ERRORS, 'INVALID_TEMPLATE_ID'],
        },
      },
      async ({ principal, params, query, raw }, reply) => {
        const deletion = { name: params.name, ...query }
        const request = { principal, channelId: params.id, query: deletion, raw, signal: watchDisconnect(reply) }
        await facade.operate('deleteTemplates', request)
        return { data: { deleted: true as const } }
      },
    )

    app.patch(
      '/channels/:id/templates/:name',
      {
        bodyLimit: LARGE_BODY_BYTES_MAX,
        schema: {
          operationId: 'editTemplate',
          summary: 'Edit a template in one language, and submit it for review again',
          tags,
          params: TemplateParams,
          body: EditTemplate,
          response: { 200: TemplateEdited },
          errors: UPSTREAM_ERRORS,
        },
      },
      async ({ principal, params, body, raw }, reply) => {
        const request = { principal, channelId: params.id, query: {}, raw, signal: watchDisconnect(reply) }
        await facade.editTemplate(request, params.name, body)
        return { data: { edited: true as const } }
      },
    )

    // The parser of JSON is for the routes above.
    await app.register(async (uploads: typeof app) => {
      installUploads(uploads)

      uploads.post(
        '/channels/:id/template-examples',
        {
          config: { readsBodyItself: true },
          schema: {
            operationId: 'uploadTemplateExample',
            summary: 'Upload an example for the header of a template, in the form field `file`',
            tags,
            consumes: ['multipart/form-data'],
            params: IdParams,
            response: { 201: ExampleUploaded },
            errors: [...UPSTREAM_ERRORS, 'INVALID_MEDIA', 'MEDIA_TOO_LARGE'],
          },
        },
        async ({ principal, params, raw }, reply) => {
          const request = { principal, channelId: params.id, query: {}, raw, signal: watchDisconnect(reply) }
          const { body } = await facade.operate('createHandle', request)
          const { h } = JSON.parse(body instanceof Readable ? await text(body) : body) as { h: string }
          return reply.code(201).send({ data: { handle: h } })
        },
      )
    })
  }
}
