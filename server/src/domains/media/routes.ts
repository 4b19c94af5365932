import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { IdParams } from '../../kernel/http/schemas.ts'
import { installUploads, receiveUpload } from '../../kernel/http/upload.ts'
import { UPSTREAM_ERRORS } from '../../upstream/api-error.ts'
import { MediaUploaded } from './schemas.ts'
import type { Media } from './service.ts'

export function mediaRoutes(media: Media): FastifyPluginAsyncTypebox {
  return async (app) => {
    installUploads(app)

    app.post(
      '/channels/:id/media',
      {
        config: { readsBodyItself: true },
        schema: {
          operationId: 'uploadMedia',
          summary: 'Upload a file to the upstream, in the form field `file`',
          tags: ['Media'],
          consumes: ['multipart/form-data'],
          params: IdParams,
          response: { 201: MediaUploaded },
          errors: [...UPSTREAM_ERRORS, 'INVALID_MEDIA', 'MEDIA_TOO_LARGE'],
        },
      },
      async ({ principal, params, raw }, reply) => {
        const receive = () => receiveUpload(raw, 'file')
        const uploaded = await media.upload(principal.organizationId, params.id, receive)
        return reply.code(201).send({ data: { media: uploaded } })
      },
    )
  }
}
