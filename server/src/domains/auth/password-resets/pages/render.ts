import type { Language } from '@hubline/locales/languages.ts'
import type { AppError } from '../../../../kernel/errors.ts'
import { fillText } from '../../../../kernel/pages/fill-text.ts'
import { escapeHtml, renderForm, renderLink, renderPage, renderParagraph } from '../../../../kernel/pages/html.ts'
import { renderErrorNotice, renderResult } from '../../../../kernel/pages/notices.ts'
import { PASSWORD_LENGTH } from '../../users/passwords.ts'
import { TRANSLATIONS } from './translations.ts'

export const FORGOT_PATH = '/forgot-password'

/** The code of an error whose page offers another link. */
const ENDED = ['NOT_FOUND', 'CONNECT_LINK_USED', 'CONNECT_LINK_EXPIRED']

/** Without mail the page has the command of the operator. `wrongEmail` is what the person entered, if it is no e-mail. */
export function renderForgotPage(
  language: Language,
  { command, wrongEmail }: { command: string | null; wrongEmail?: string },
): string {
  const texts = TRANSLATIONS[language]
  const { email: label, forgotTitle } = texts
  if (command !== null) {
    const body = `${renderParagraph(texts.noMail)}<p><code>${escapeHtml(command)}</code></p>`
    return renderPage(language, forgotTitle, body)
  }
  const form = renderForm({
    fields: [{ label, type: 'email', name: 'email', autocomplete: 'username', value: wrongEmail ?? '' }],
    submit: texts.send,
    problem: wrongEmail === undefined ? undefined : { field: 'email', text: texts.invalidEmail },
  })
  return renderPage(language, forgotTitle, renderParagraph(texts.forgotText) + form)
}

export function renderSentPage(language: Language): string {
  return renderResult(language, TRANSLATIONS[language].sent)
}

/** The e-mail is there for password managers, and for people with several accounts. */
export function renderResetPage(
  language: Language,
  email: string,
  problem?: 'wrongLength' | 'common' | 'mismatch',
): string {
  const texts = TRANSLATIONS[language]
  const field = problem === 'mismatch' ? 'repeat' : 'password'
  const form = renderForm({
    fields: [
      { label: texts.email, type: 'email', autocomplete: 'username', value: email },
      {
        label: texts.newPassword,
        type: 'password',
        name: 'password',
        autocomplete: 'new-password',
        hint: fillText(texts.length, PASSWORD_LENGTH),
      },
      { label: texts.repeat, type: 'password', name: 'repeat', autocomplete: 'new-password' },
    ],
    submit: texts.save,
    problem: problem && { field, text: fillText(texts[problem], PASSWORD_LENGTH) },
  })
  return renderPage(language, texts.resetTitle, form)
}

export function renderDonePage(language: Language): string {
  const { done, signIn } = TRANSLATIONS[language]
  return renderResult(language, done, renderLink('/sign-in', signIn))
}

export function renderPasswordErrorPage(language: Language, error: AppError, requestId: string): string {
  const { errors: notices, requestAnother } = TRANSLATIONS[language]
  const more = ENDED.includes(error.code) ? renderLink(`${FORGOT_PATH}?lang=${language}`, requestAnother) : ''
  return renderErrorNotice(language, error, { requestId, notices, more })
}
