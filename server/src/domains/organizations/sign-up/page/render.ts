import type { Language } from '@hubline/locales/languages.ts'
import type { AppError } from '../../../../kernel/errors.ts'
import { fillText } from '../../../../kernel/pages/fill-text.ts'
import { renderForm, renderLink, renderPage, renderParagraph } from '../../../../kernel/pages/html.ts'
import { isolateName } from '../../../../kernel/pages/isolate.ts'
import { renderErrorNotice, renderResult } from '../../../../kernel/pages/notices.ts'
import { TRANSLATIONS } from './translations.ts'

type ShownSignUp = { email: string; organization_name: string }

export function renderFinishPage(
  language: Language,
  { email, organization_name }: ShownSignUp,
  problem?: 'wrongPassword',
): string {
  const texts = TRANSLATIONS[language]
  const form = renderForm({
    fields: [
      { label: texts.email, type: 'email', autocomplete: 'username', value: email },
      {
        label: texts.password,
        hint: texts.passwordHint,
        type: 'password',
        name: 'password',
        autocomplete: 'current-password',
      },
    ],
    submit: texts.create,
    problem: problem && { field: 'password', text: texts[problem] },
  })
  return renderPage(
    language,
    texts.title,
    renderParagraph(fillText(texts.intro, { organization: isolateName(organization_name) })) + form,
  )
}

export function renderFinishedPage(language: Language): string {
  const { done, toDashboard } = TRANSLATIONS[language]
  return renderResult(language, done, renderLink('/', toDashboard))
}

export function renderFinishErrorPage(language: Language, error: AppError, requestId: string): string {
  const { errors: notices, signIn, signUpAgain } = TRANSLATIONS[language]
  const more = error.code === 'NOT_FOUND' ? renderLink('/sign-in', signIn) + renderLink('/sign-up', signUpAgain) : ''
  return renderErrorNotice(language, error, { requestId, notices, more })
}
