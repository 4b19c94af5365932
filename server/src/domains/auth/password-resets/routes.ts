import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { chooseLanguage } from '../../../kernel/pages/language.ts'
import { readClientInfo } from '../client-info.ts'
import { Done } from '../sessions/schemas.ts'
import {
  OpenPasswordReset,
  PasswordResetRequested,
  RequestPasswordReset,
  ResetParams,
  ResetPassword,
} from './schemas.ts'
import type { PasswordResets } from './service.ts'

const tags = ['Console']
const LINK_ERRORS = ['CONNECT_LINK_USED', 'CONNECT_LINK_EXPIRED'] as const

export function passwordResetRoutes(passwordResets: PasswordResets): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/password-reset',
      {
        schema: {
          operationId: 'requestPasswordReset',
          summary: 'Send a link for a new password by mail, if the e-mail has an account',
          tags,
          body: RequestPasswordReset,
          response: { 202: PasswordResetRequested },
          errors: ['NOT_FOUND'],
        },
      },
      async (request, reply) => {
        const language = chooseLanguage(undefined, request.headers['accept-language'])
        await passwordResets.request(request.body.email, language, readClientInfo(request))
        return reply.code(202).send({ data: { accepted: true as const } })
      },
    )

    app.get(
      '/password-reset/:token',
      {
        schema: {
          operationId: 'showPasswordReset',
          summary: 'Show the password reset of a link',
          tags,
          params: ResetParams,
          response: { 200: OpenPasswordReset },
          errors: LINK_ERRORS,
        },
      },
      async ({ params }) => ({ data: { password_reset: await passwordResets.show(params.token) } }),
    )

    app.post(
      '/password-reset/:token',
      {
        schema: {
          operationId: 'resetPassword',
          summary: 'Set a new password, and end every session',
          tags,
          params: ResetParams,
          body: ResetPassword,
          response: { 200: Done },
          errors: LINK_ERRORS,
        },
      },
      async (request) => {
        await passwordResets.complete(request.params.token, request.body.password, readClientInfo(request))
        return { data: { done: true as const } }
      },
    )
  }
}
