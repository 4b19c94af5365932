import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { readLanguage } from '../../kernel/pages/language.ts'
import { readClientInfo } from '../auth/client-info.ts'
import { requireSession } from '../auth/principal.ts'
import type { SessionCookie } from '../auth/sessions/cookie.ts'
import { CurrentSessionResponse } from '../auth/sessions/schemas.ts'
import { OrganizationList, SignUp } from './schemas.ts'
import type { Organizations } from './service.ts'

const tags = ['Console']

export function organizationRoutes(organizations: Organizations, cookie: SessionCookie): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/sign-up',
      {
        schema: {
          operationId: 'signUp',
          summary: 'Create a person and an organization, and sign in',
          tags,
          body: SignUp,
          response: { 201: CurrentSessionResponse },
          errors: ['NOT_FOUND'],
        },
      },
      async (request, reply) => {
        const { token, current } = await organizations.signUp(
          request.body,
          readClientInfo(request),
          readLanguage(request),
        )
        cookie.set(reply, token)
        return reply.code(201).send({ data: current })
      },
    )

    app.get(
      '/organizations',
      {
        schema: {
          operationId: 'listOrganizations',
          summary: 'List the organizations of the signed-in person',
          tags,
          response: { 200: OrganizationList },
        },
      },
      async ({ principal }) => {
        return { data: { organizations: await organizations.listForUser(requireSession(principal).userId) } }
      },
    )
  }
}
