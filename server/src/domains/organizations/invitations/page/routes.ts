import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { AppError } from '../../../../kernel/errors.ts'
import { strictObject } from '../../../../kernel/http/schemas.ts'
import { readLanguage } from '../../../../kernel/pages/language.ts'
import { installPages, sendPage } from '../../../../kernel/pages/pages.ts'
import { readClientInfo } from '../../../auth/client-info.ts'
import type { SessionCookie } from '../../../auth/sessions/cookie.ts'
import { isDisplayName } from '../../../auth/users/display-name.ts'
import { hasAllowedLength } from '../../../auth/users/passwords.ts'
import { JoinParams } from '../schemas.ts'
import type { Invitations } from '../service.ts'
import { renderJoinErrorPage, renderJoinedPage, renderJoinPage } from './render.ts'
import type { JoinProblem } from './translations.ts'

/** The handler checks the person's input, and shows the form again. */
const JoinForm = strictObject({
  name: Type.String(),
  password: Type.String(),
  totp: Type.Optional(Type.String({ maxLength: 40 })),
})

/** The page of the link in an invitation. */
export function joinPageRoutes(invitations: Invitations, cookie: SessionCookie): FastifyPluginAsyncTypebox {
  return async (app) => {
    // The origin of the form is checked: another site must not sign a person in.
    installPages(app, { renderError: renderJoinErrorPage, sendsOrigin: true })

    app.get('/join/:token', { schema: { hide: true, params: JoinParams } }, async (request, reply) => {
      const invitation = await invitations.show(request.params.token)
      return sendPage(reply, renderJoinPage(readLanguage(request, invitation.language), invitation))
    })

    app.post('/join/:token', { schema: { hide: true, params: JoinParams, body: JoinForm } }, async (request, reply) => {
      const { token } = request.params
      const invitation = await invitations.show(token)
      const language = readLanguage(request, invitation.language)
      const { password, totp } = request.body
      const name = request.body.name.trim()
      const code = totp?.trim()
      const form = { name, password, ...(code && { totp: code }) }
      try {
        if (!hasAllowedLength(password)) return sendForm('wrongLength', 400)
        if (!isDisplayName(name)) return sendForm('nameRequired', 400)
        const started = await invitations.join(token, form, readClientInfo(request))
        cookie.set(reply, started.token)
        return sendPage(reply, renderJoinedPage(language, started.current.organization.name))
      } catch (err) {
        const problem = findProblem(err, code)
        if (!problem) throw err
        return sendForm(problem, err instanceof AppError ? err.status : 400)
      }

      function sendForm(problem: JoinProblem, status: number) {
        const shown = isDisplayName(name) ? name : ''
        return sendPage(reply.code(status), renderJoinPage(language, invitation, { name: shown, problem }))
      }
    })
  }
}

/** Errors that the person can correct in the form. */
function findProblem(err: unknown, code: string | undefined): JoinProblem | undefined {
  if (!(err instanceof AppError)) return undefined
  if (err.reason === 'password_common') return 'common'
  if (err.code !== 'UNAUTHORIZED') return undefined
  if (!err.details?.totp_required) return 'wrongPassword'
  return code ? 'wrongCode' : 'codeRequired'
}
