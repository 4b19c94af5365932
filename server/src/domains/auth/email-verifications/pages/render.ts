import type { Language } from '@hubline/locales/languages.ts'
import type { AppError } from '../../../../kernel/errors.ts'
import { renderForm, renderLink, renderPage, renderParagraph } from '../../../../kernel/pages/html.ts'
import { renderErrorNotice, renderResult } from '../../../../kernel/pages/notices.ts'
import { FORGOT_PATH } from '../../password-resets/pages/render.ts'
import { TRANSLATIONS } from './translations.ts'

export function renderVerifyPage(language: Language, email: string, problem?: 'wrongPassword'): string {
  const texts = TRANSLATIONS[language]
  const form = renderForm({
    fields: [
      { label: texts.email, type: 'email', autocomplete: 'username', value: email },
      { label: texts.password, type: 'password', name: 'password', autocomplete: 'current-password' },
    ],
    submit: texts.verify,
    problem: problem && { field: 'password', text: texts[problem] },
  })
  return renderPage(
    language,
    texts.title,
    renderParagraph(texts.intro) + form + renderLink(`${FORGOT_PATH}?lang=${language}`, texts.notMine),
  )
}

export function renderVerifiedPage(language: Language): string {
  const { done, toDashboard } = TRANSLATIONS[language]
  return renderResult(language, done, renderLink('/account', toDashboard))
}

export function renderVerifyErrorPage(language: Language, error: AppError, requestId: string): string {
  return renderErrorNotice(language, error, { requestId, notices: TRANSLATIONS[language].errors })
}
