import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AppError } from '../../../../kernel/errors.ts'
import { readLanguage } from '../../../../kernel/pages/language.ts'
import { installPages, PasswordForm, sendPage } from '../../../../kernel/pages/pages.ts'
import { readClientInfo } from '../../../auth/client-info.ts'
import type { SessionCookie } from '../../../auth/sessions/cookie.ts'
import { SignUpParams } from '../schemas.ts'
import type { SignUps } from '../service.ts'
import { renderFinishErrorPage, renderFinishedPage, renderFinishPage } from './render.ts'

/** The page of the link that finishes a sign-up. To open it changes nothing, because mail programs open links too. */
export function finishSignUpPageRoutes(signUps: SignUps, cookie: SessionCookie): FastifyPluginAsyncTypebox {
  return async (app) => {
    // The origin of the form is checked: another site must not sign a person in.
    installPages(app, { renderError: renderFinishErrorPage, sendsOrigin: true })

    app.get('/finish-sign-up/:token', { schema: { hide: true, params: SignUpParams } }, async (request, reply) => {
      const signUp = await signUps.show(request.params.token)
      return sendPage(reply, renderFinishPage(readLanguage(request, signUp.language), signUp))
    })

    app.post(
      '/finish-sign-up/:token',
      { schema: { hide: true, params: SignUpParams, body: PasswordForm } },
      async (request, reply) => {
        const { token } = request.params
        const signUp = await signUps.show(token)
        const language = readLanguage(request, signUp.language)
        try {
          const started = await signUps.finish(token, request.body.password, readClientInfo(request))
          cookie.set(reply, started.token)
        } catch (err) {
          if (!(err instanceof AppError && err.code === 'UNAUTHORIZED')) throw err
          return sendPage(reply.code(err.status), renderFinishPage(language, signUp, 'wrongPassword'))
        }
        return sendPage(reply, renderFinishedPage(language))
      },
    )
  }
}
