import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { isEmail, normalizeEmail } from '../../../../kernel/email.ts'
import { strictObject } from '../../../../kernel/http/schemas.ts'
import { readLanguage } from '../../../../kernel/pages/language.ts'
import { installPages, sendPage } from '../../../../kernel/pages/pages.ts'
import { readClientInfo } from '../../client-info.ts'
import { isCommonPassword } from '../../users/common-passwords.ts'
import { hasAllowedLength } from '../../users/passwords.ts'
import { ResetParams } from '../schemas.ts'
import { OPERATOR_COMMAND, type PasswordResets } from '../service.ts'
import {
  FORGOT_PATH,
  renderDonePage,
  renderForgotPage,
  renderPasswordErrorPage,
  renderResetPage,
  renderSentPage,
} from './render.ts'

/** The handler checks the person's input, and shows the form again. */
const ForgotForm = strictObject({ email: Type.String() })
const ResetForm = strictObject({ password: Type.String(), repeat: Type.String() })

/** The pages for a person who forgot the password: the request for a link, and the page of the link. */
export function passwordPageRoutes(passwordResets: PasswordResets): FastifyPluginAsyncTypebox {
  const command = passwordResets.isMailConfigured ? null : OPERATOR_COMMAND
  return async (app) => {
    installPages(app, { renderError: renderPasswordErrorPage, sendsOrigin: true })

    app.get(FORGOT_PATH, { schema: { hide: true } }, async (request, reply) =>
      sendPage(reply, renderForgotPage(readLanguage(request), { command })),
    )

    app.post(FORGOT_PATH, { schema: { hide: true, body: ForgotForm } }, async (request, reply) => {
      const language = readLanguage(request)
      const { email } = request.body
      if (command !== null) return sendPage(reply.code(404), renderForgotPage(language, { command }))
      if (!isEmail(normalizeEmail(email))) {
        return sendPage(reply.code(400), renderForgotPage(language, { command, wrongEmail: email }))
      }
      await passwordResets.request(email, language, readClientInfo(request))
      return sendPage(reply.code(202), renderSentPage(language))
    })

    app.get('/reset-password/:token', { schema: { hide: true, params: ResetParams } }, async (request, reply) => {
      const { email } = await passwordResets.show(request.params.token)
      return sendPage(reply, renderResetPage(readLanguage(request), email))
    })

    app.post(
      '/reset-password/:token',
      { schema: { hide: true, params: ResetParams, body: ResetForm } },
      async (request, reply) => {
        const language = readLanguage(request)
        const { token } = request.params
        const { password, repeat } = request.body
        const problem = findProblem(password, repeat)
        if (problem) {
          const { email } = await passwordResets.show(token)
          return sendPage(reply.code(400), renderResetPage(language, email, problem))
        }
        await passwordResets.complete(token, password, readClientInfo(request))
        return sendPage(reply, renderDonePage(language))
      },
    )
  }
}

function findProblem(password: string, repeat: string): 'wrongLength' | 'common' | 'mismatch' | undefined {
  if (!hasAllowedLength(password)) return 'wrongLength'
  if (isCommonPassword(password)) return 'common'
  return password === repeat ? undefined : 'mismatch'
}
