import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { readLanguage } from '../../../kernel/pages/language.ts'
import { readClientInfo } from '../../auth/client-info.ts'
import { VerificationSent } from '../../auth/email-verifications/schemas.ts'
import type { SessionCookie } from '../../auth/sessions/cookie.ts'
import { CurrentSessionResponse } from '../../auth/sessions/schemas.ts'
import { FinishSignUp, PendingSignUp, SignUp, SignUpParams } from './schemas.ts'
import type { SignUps } from './service.ts'

const tags = ['Console']

export function signUpRoutes(signUps: SignUps, cookie: SessionCookie): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/sign-up',
      {
        schema: {
          operationId: 'signUp',
          summary: 'Create a person and an organization, and sign in, or send a link that finishes the sign-up',
          description:
            'If the hub sends mail, the answer is 202 for every e-mail, and the link in the mail creates the account. Without mail, and in the sandbox, the account is created at once.',
          tags,
          body: SignUp,
          response: { 201: CurrentSessionResponse, 202: VerificationSent },
          errors: ['NOT_FOUND'],
        },
      },
      async (request, reply) => {
        const started = await signUps.signUp(request.body, readClientInfo(request), readLanguage(request))
        if (!started) return reply.code(202).send({ data: { verification: 'sent' as const } })
        cookie.set(reply, started.token)
        return reply.code(201).send({ data: started.current })
      },
    )

    app.get(
      '/sign-up/:token',
      {
        schema: {
          operationId: 'showSignUp',
          summary: 'Show the sign-up of a link',
          tags,
          params: SignUpParams,
          response: { 200: PendingSignUp },
        },
      },
      async ({ params }) => ({ data: { sign_up: await signUps.show(params.token) } }),
    )

    app.post(
      '/sign-up/:token',
      {
        schema: {
          operationId: 'finishSignUp',
          summary: 'Create the account of a link with the password of the sign-up, and sign in',
          tags,
          params: SignUpParams,
          body: FinishSignUp,
          response: { 201: CurrentSessionResponse },
          errors: ['UNAUTHORIZED'],
        },
      },
      async (request, reply) => {
        const { token, password } = { ...request.params, ...request.body }
        const started = await signUps.finish(token, password, readClientInfo(request))
        cookie.set(reply, started.token)
        return reply.code(201).send({ data: started.current })
      },
    )
  }
}
