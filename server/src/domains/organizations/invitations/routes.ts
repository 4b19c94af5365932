import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { IdParams, PageQuery } from '../../../kernel/http/schemas.ts'
import { readClientInfo } from '../../auth/client-info.ts'
import type { SessionCookie } from '../../auth/sessions/cookie.ts'
import { CurrentSessionResponse } from '../../auth/sessions/schemas.ts'
import { InvitationList, InvitationRevoked, Invite, Invited, Join, JoinParams, OpenInvitation } from './schemas.ts'
import type { Invitations } from './service.ts'

const tags = ['Console']

export function invitationRoutes(invitations: Invitations, cookie: SessionCookie): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/invitations',
      {
        schema: {
          operationId: 'listInvitations',
          summary: 'List open invitations, newest first',
          tags,
          querystring: PageQuery,
          response: { 200: InvitationList },
        },
      },
      async ({ principal, query }) => ({ data: await invitations.listOpen(principal.organizationId, query) }),
    )

    app.post(
      '/invitations',
      {
        schema: {
          operationId: 'createInvitation',
          summary: 'Invite a person by a link that works once, and send it by mail if the hub has a mail server',
          tags,
          body: Invite,
          response: { 201: Invited },
          errors: ['QUOTA_EXCEEDED'],
        },
      },
      async ({ principal, body }, reply) => reply.code(201).send({ data: await invitations.invite(principal, body) }),
    )

    app.delete(
      '/invitations/:id',
      {
        schema: {
          operationId: 'revokeInvitation',
          summary: 'Revoke an invitation',
          tags,
          params: IdParams,
          response: { 200: InvitationRevoked },
        },
      },
      async ({ principal, params }) => {
        await invitations.revoke(principal, params.id)
        return { data: { revoked: true as const } }
      },
    )

    app.get(
      '/join/:token',
      {
        schema: {
          operationId: 'showInvitation',
          summary: 'Show the invitation of a link',
          tags,
          params: JoinParams,
          response: { 200: OpenInvitation },
        },
      },
      async ({ params }) => ({ data: { invitation: await invitations.show(params.token) } }),
    )

    app.post(
      '/join/:token',
      {
        schema: {
          operationId: 'acceptInvitation',
          summary: 'Join the organization, and sign in',
          tags,
          params: JoinParams,
          body: Join,
          response: { 200: CurrentSessionResponse },
          errors: ['UNAUTHORIZED', 'QUOTA_EXCEEDED'],
        },
      },
      async (request, reply) => {
        const { token, current } = await invitations.join(request.params.token, request.body, readClientInfo(request))
        cookie.set(reply, token)
        return { data: current }
      },
    )
  }
}
