import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { IdParams } from '../../../kernel/http/schemas.ts'
import { ChangeRole, MemberAnswer, MemberList, MemberRemoved } from './schemas.ts'
import type { Members } from './service.ts'

export function memberRoutes(members: Members): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/members', { schema: { response: { 200: MemberList } } }, async ({ principal }) => {
      return { data: { members: await members.list(principal.organizationId) } }
    })

    app.patch(
      '/members/:id',
      { schema: { params: IdParams, body: ChangeRole, response: { 200: MemberAnswer } } },
      async ({ principal, params, body }) => {
        return { data: { member: await members.changeRole(principal, params.id, body.role) } }
      },
    )

    app.delete(
      '/members/:id',
      { schema: { params: IdParams, response: { 200: MemberRemoved } } },
      async ({ principal, params }) => {
        await members.remove(principal, params.id)
        return { data: { removed: true as const } }
      },
    )
  }
}
