import type { Language } from '@hubline/locales/languages.ts'
import type { AppError } from '../../../../kernel/errors.ts'
import { fillText } from '../../../../kernel/pages/fill-text.ts'
import { type Field, renderForm, renderLink, renderPage, renderParagraph } from '../../../../kernel/pages/html.ts'
import { isolateName } from '../../../../kernel/pages/isolate.ts'
import { renderErrorNotice, renderResult } from '../../../../kernel/pages/notices.ts'
import { FORGOT_PATH } from '../../../auth/password-resets/pages/render.ts'
import type { Role } from '../../../auth/scopes.ts'
import { PASSWORD_LENGTH } from '../../../auth/users/passwords.ts'
import { type JoinProblem, ROLE_NAMES, TRANSLATIONS } from './translations.ts'

const FIELDS: Record<JoinProblem, string> = {
  nameRequired: 'name',
  wrongLength: 'password',
  common: 'password',
  wrongPassword: 'password',
  codeRequired: 'password',
  wrongCode: 'password',
}

type ShownInvitation = { organization_name: string; email: string; role: Role }

/**
 * The same form with and without an account: the person who made the invitation has the link too, and must not see whether
 * the e-mail has one. What was entered is not shown again, but for the name.
 */
export function renderJoinPage(
  language: Language,
  { organization_name, email, role }: ShownInvitation,
  entered: { name: string; problem?: JoinProblem } = { name: '' },
): string {
  const texts = TRANSLATIONS[language]
  const { name, problem } = entered
  const fields: Field[] = [
    { label: texts.email, type: 'email', autocomplete: 'username', value: email },
    {
      label: texts.name,
      hint: texts.nameHint,
      type: 'text',
      name: 'name',
      autocomplete: 'name',
      value: name,
    },
    {
      label: texts.password,
      hint: fillText(texts.passwordHint, PASSWORD_LENGTH),
      type: 'password',
      name: 'password',
      autocomplete: 'current-password',
    },
  ]
  if (problem === 'codeRequired' || problem === 'wrongCode') {
    fields.push({ label: texts.code, hint: texts.codeHint, type: 'text', name: 'totp', autocomplete: 'one-time-code' })
  }
  const form = renderForm({
    fields,
    submit: texts.join,
    problem: problem && { field: FIELDS[problem], text: fillText(texts.problems[problem], PASSWORD_LENGTH) },
  })
  const forgot = renderLink(`${FORGOT_PATH}?lang=${language}`, texts.forgot)
  const intro = renderParagraph(
    fillText(texts.intro, { organization: isolateName(organization_name), role: ROLE_NAMES[language][role] }),
  )
  return renderPage(language, texts.title, intro + form + (problem === 'wrongPassword' ? forgot : ''))
}

export function renderJoinedPage(language: Language, organization: string): string {
  const texts = TRANSLATIONS[language]
  const [title, text] = texts.joined
  const notice = [fillText(title, { organization: isolateName(organization) }), text] as const
  return renderResult(language, notice, renderLink('/', texts.toDashboard))
}

export function renderJoinErrorPage(language: Language, error: AppError, requestId: string): string {
  return renderErrorNotice(language, error, { requestId, notices: TRANSLATIONS[language].errors })
}
