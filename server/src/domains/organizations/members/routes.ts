import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { IdParams } from '../../../kernel/http/schemas.ts'
import {
  AlertSettingsResponse,
  ChangeRole,
  MemberList,
  MemberRemoved,
  MemberResponse,
  UpdateAlertSettings,
} from './schemas.ts'
import type { Members } from './service.ts'

const tags = ['Console']

export function memberRoutes(members: Members): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/members',
      {
        schema: {
          operationId: 'listMembers',
          summary: 'List the members of the organization',
          tags,
          response: { 200: MemberList },
        },
      },
      async ({ principal }) => {
        return { data: { members: await members.list(principal.organizationId) } }
      },
    )

    app.get(
      '/alerts',
      {
        schema: {
          operationId: 'showAlertSettings',
          summary: 'Show if the signed-in person gets mails about endpoints and channels of the organization',
          tags,
          response: { 200: AlertSettingsResponse },
        },
      },
      async ({ principal }) => ({ data: { alerts: await members.showAlertSettings(principal) } }),
    )

    app.put(
      '/alerts',
      {
        schema: {
          operationId: 'setAlertSettings',
          summary: 'Decide if the signed-in person gets mails about endpoints and channels of the organization',
          tags,
          body: UpdateAlertSettings,
          response: { 200: AlertSettingsResponse },
        },
      },
      async ({ principal, body }) => ({ data: { alerts: await members.setAlertSettings(principal, body) } }),
    )

    app.patch(
      '/members/:id',
      {
        schema: {
          operationId: 'changeRole',
          summary: 'Change the role of a member',
          tags,
          params: IdParams,
          body: ChangeRole,
          response: { 200: MemberResponse },
        },
      },
      async ({ principal, params, body }) => {
        return { data: { member: await members.changeRole(principal, params.id, body.role) } }
      },
    )

    app.delete(
      '/members/:id',
      {
        schema: {
          operationId: 'removeMember',
          summary: 'Remove a member, or leave',
          tags,
          params: IdParams,
          response: { 200: MemberRemoved },
          errors: ['INSUFFICIENT_SCOPE'],
        },
      },
      async ({ principal, params }) => {
        await members.remove(principal, params.id)
        return { data: { removed: true as const } }
      },
    )
  }
}
