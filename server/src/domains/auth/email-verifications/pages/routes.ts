import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AppError } from '../../../../kernel/errors.ts'
import { readLanguage } from '../../../../kernel/pages/language.ts'
import { installPages, PasswordForm, sendPage } from '../../../../kernel/pages/pages.ts'
import { readClientInfo } from '../../client-info.ts'
import { VerificationParams } from '../schemas.ts'
import type { EmailVerifications } from '../service.ts'
import { renderVerifiedPage, renderVerifyErrorPage, renderVerifyPage } from './render.ts'

/** The page of the link that verifies an e-mail. To open it changes nothing, because mail programs open links too. */
export function verifyEmailPageRoutes(emailVerifications: EmailVerifications): FastifyPluginAsyncTypebox {
  return async (app) => {
    installPages(app, { renderError: renderVerifyErrorPage, sendsOrigin: true })

    app.get('/verify-email/:token', { schema: { hide: true, params: VerificationParams } }, async (request, reply) => {
      const { email } = await emailVerifications.show(request.params.token)
      return sendPage(reply, renderVerifyPage(readLanguage(request), email))
    })

    app.post(
      '/verify-email/:token',
      { schema: { hide: true, params: VerificationParams, body: PasswordForm } },
      async (request, reply) => {
        const language = readLanguage(request)
        const { token } = request.params
        const { email } = await emailVerifications.show(token)
        try {
          await emailVerifications.complete(token, request.body.password, readClientInfo(request))
        } catch (err) {
          if (!(err instanceof AppError && err.code === 'UNAUTHORIZED')) throw err
          return sendPage(reply.code(err.status), renderVerifyPage(language, email, 'wrongPassword'))
        }
        return sendPage(reply, renderVerifiedPage(language))
      },
    )
  }
}
