import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { chooseLanguage } from '../../../kernel/pages/language.ts'
import { readClientInfo } from '../client-info.ts'
import { CurrentSessionResponse, Done } from '../sessions/schemas.ts'
import { ConfirmEmail, OpenVerification, VerificationParams, VerificationSent, VerifyEmail } from './schemas.ts'
import type { EmailVerifications } from './service.ts'

const tags = ['Console']

export function emailVerificationRoutes(emailVerifications: EmailVerifications): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/email-verification',
      {
        schema: {
          operationId: 'requestEmailVerification',
          summary: 'Send a link and a code to the e-mail of the signed-in person',
          tags,
          response: { 202: VerificationSent },
          errors: ['CONFLICT', 'NOT_FOUND'],
        },
      },
      async (request, reply) => {
        const language = chooseLanguage(undefined, request.headers['accept-language'])
        await emailVerifications.request(request.principal, language)
        return reply.code(202).send({ data: { verification: 'sent' as const } })
      },
    )

    app.post(
      '/email-verification/confirm',
      {
        schema: {
          operationId: 'confirmEmail',
          summary: 'Verify the e-mail of the signed-in person with the code in the mail',
          tags,
          body: ConfirmEmail,
          response: { 200: CurrentSessionResponse },
        },
      },
      async ({ principal, body }) => ({ data: await emailVerifications.confirm(principal, body.code) }),
    )

    app.get(
      '/email-verification/:token',
      {
        schema: {
          operationId: 'showEmailVerification',
          summary: 'Show which e-mail a link verifies',
          tags,
          params: VerificationParams,
          response: { 200: OpenVerification },
        },
      },
      async ({ params }) => ({ data: { email_verification: await emailVerifications.show(params.token) } }),
    )

    app.post(
      '/email-verification/:token',
      {
        schema: {
          operationId: 'verifyEmail',
          summary: 'Verify an e-mail with the link in the mail and the password of the account',
          tags,
          params: VerificationParams,
          body: VerifyEmail,
          response: { 200: Done },
          errors: ['UNAUTHORIZED'],
        },
      },
      async (request) => {
        await emailVerifications.complete(request.params.token, request.body.password, readClientInfo(request))
        return { data: { done: true as const } }
      },
    )
  }
}
