import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { IdParams, PageQuery } from '../../kernel/http/schemas.ts'
import { UPSTREAM_ERRORS } from '../../upstream/api-error.ts'
import {
  BlockedPage,
  BlockRequest,
  PeopleBlocked,
  PeopleUnblocked,
  QrCodeDeleted,
  QrCodePage,
  QrCodeParams,
  QrCodeQuery,
  QrCodeResponse,
  SaveQrCode,
  SetUsername,
  UsernameResponse,
} from './schemas.ts'
import type { Numbers } from './service.ts'

const tags = ['Numbers']
const errors = UPSTREAM_ERRORS

export function numberRoutes(numbers: Numbers): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/channels/:id/blocked',
      {
        schema: {
          operationId: 'listBlocked',
          summary: 'List the people whom a number has blocked',
          tags,
          params: IdParams,
          querystring: PageQuery,
          response: { 200: BlockedPage },
          errors,
        },
      },
      async ({ principal, params, query }) => ({
        data: await numbers.listBlocked(principal.organizationId, params.id, query),
      }),
    )

    app.post(
      '/channels/:id/blocked',
      {
        schema: {
          operationId: 'blockPeople',
          summary: 'Block people, who then cannot write to the number',
          tags,
          params: IdParams,
          body: BlockRequest,
          response: { 200: PeopleBlocked },
          errors,
        },
      },
      async ({ principal, params, body }) => ({ data: await numbers.block(principal, params.id, body.people) }),
    )

    app.delete(
      '/channels/:id/blocked',
      {
        schema: {
          operationId: 'unblockPeople',
          summary: 'Unblock people',
          tags,
          params: IdParams,
          body: BlockRequest,
          response: { 200: PeopleUnblocked },
          errors,
        },
      },
      async ({ principal, params, body }) => ({ data: await numbers.unblock(principal, params.id, body.people) }),
    )

    app.get(
      '/channels/:id/qr-codes',
      {
        schema: {
          operationId: 'listQrCodes',
          summary: 'List the QR codes of a number',
          tags,
          params: IdParams,
          querystring: QrCodeQuery,
          response: { 200: QrCodePage },
          errors,
        },
      },
      async ({ principal, params, query }) => ({
        data: await numbers.listQrCodes(principal.organizationId, params.id, query),
      }),
    )

    app.post(
      '/channels/:id/qr-codes',
      {
        schema: {
          operationId: 'createQrCode',
          summary: 'Create a QR code that opens a chat with a text',
          tags,
          params: IdParams,
          body: SaveQrCode,
          response: { 201: QrCodeResponse },
          errors,
        },
      },
      async ({ principal, params, body }, reply) =>
        reply.code(201).send({ data: { qr_code: await numbers.createQrCode(principal, params.id, body) } }),
    )

    app.patch(
      '/channels/:id/qr-codes/:code',
      {
        schema: {
          operationId: 'updateQrCode',
          summary: 'Change the text of a QR code',
          tags,
          params: QrCodeParams,
          body: SaveQrCode,
          response: { 200: QrCodeResponse },
          errors,
        },
      },
      async ({ principal, params, body }) => ({
        data: { qr_code: await numbers.updateQrCode(principal, params.id, params.code, body) },
      }),
    )

    app.delete(
      '/channels/:id/qr-codes/:code',
      {
        schema: {
          operationId: 'deleteQrCode',
          summary: 'Delete a QR code',
          tags,
          params: QrCodeParams,
          response: { 200: QrCodeDeleted },
          errors,
        },
      },
      async ({ principal, params }) => ({ data: await numbers.deleteQrCode(principal, params.id, params.code) }),
    )

    app.get(
      '/channels/:id/username',
      {
        schema: {
          operationId: 'getUsername',
          summary: 'Get the username of a number',
          tags,
          params: IdParams,
          response: { 200: UsernameResponse },
          errors,
        },
      },
      async ({ principal, params }) => ({
        data: { username: await numbers.readUsername(principal.organizationId, params.id) },
      }),
    )

    app.put(
      '/channels/:id/username',
      {
        schema: {
          operationId: 'setUsername',
          summary: 'Set the username of a number',
          tags,
          params: IdParams,
          body: SetUsername,
          response: { 200: UsernameResponse },
          errors,
        },
      },
      async ({ principal, params, body }) => ({
        data: { username: await numbers.setUsername(principal, params.id, body) },
      }),
    )

    app.delete(
      '/channels/:id/username',
      {
        schema: {
          operationId: 'deleteUsername',
          summary: 'Give the username of a number back',
          tags,
          params: IdParams,
          response: { 200: UsernameResponse },
          errors,
        },
      },
      async ({ principal, params }) => ({
        data: { username: await numbers.deleteUsername(principal, params.id) },
      }),
    )
  }
}
