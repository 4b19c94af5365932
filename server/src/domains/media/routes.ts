import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { IdParams } from '../../kernel/http/schemas.ts'
import { watchDisconnect } from '../../kernel/http/streaming/disconnect.ts'
import { installUploads, receiveUpload } from '../../kernel/http/upload.ts'
import { UPSTREAM_ERRORS } from '../../upstream/api-error.ts'
import { parseRange } from '../../upstream/files/byte-range.ts'
import { MediaParams, MediaUploaded } from './schemas.ts'
import type { Media } from './service.ts'

const FILE = Type.Unsafe<Buffer>({ type: 'string', format: 'binary' })

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

    app.get(
      '/channels/:id/media/:mediaId',
      {
        // A HEAD request would download the whole file and discard it.
        exposeHeadRoute: false,
        schema: {
          operationId: 'downloadMedia',
          summary: 'Download a file that the channel received or uploaded',
          tags: ['Media'],
          params: MediaParams,
          response: {
            200: { description: 'The body is the file.', content: { '*/*': { schema: FILE } } },
            206: {
              description: 'The body is the range of the file that the header `Range` asks for.',
              content: { '*/*': { schema: FILE } },
            },
          },
          errors: [...UPSTREAM_ERRORS, 'RANGE_NOT_SATISFIABLE'],
        },
      },
      async ({ principal: { organizationId }, params, headers }, reply) => {
        // Files have no version to compare with `If-Range`, so the condition fails and the whole file is sent.
        const range = headers['if-range'] === undefined ? parseRange(headers.range) : undefined
        const key = { organizationId, channelId: params.id }
        const file = await media.open(key, params.mediaId, { range, signal: watchDisconnect(reply) })
        return reply
          .code(file.status)
          .headers(file.headers)
          .send(file.body as unknown as Buffer)
      },
    )
  }
}
