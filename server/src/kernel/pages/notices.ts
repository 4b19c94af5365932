import type { AppError, ErrorCode } from '../errors.ts'
import { renderPage, renderParagraph } from './html.ts'
import type { Language } from './language.ts'

export type Notice = readonly [title: string, text: string]
export type ErrorNotices = Partial<Record<ErrorCode, Notice>>

/** Errors that every page with a form can have. */
const COMMON: Record<Language, { errors: ErrorNotices; trouble: Notice; reference: string }> = {
  en: {
    errors: {
      RATE_LIMITED: ['Too many attempts', 'Wait a while and try again.'],
      ORIGIN_NOT_ALLOWED: [
        'Open the page again',
        'The form did not come from this page. Open the page anew and try again.',
      ],
    },
    trouble: ['That did not work', 'Nothing was changed. Wait a moment and try again.'],
    reference: 'Reference',
  },
  'pt-BR': {
    errors: {
      RATE_LIMITED: ['Tentativas demais', 'Espere um pouco e tente de novo.'],
      ORIGIN_NOT_ALLOWED: [
        'Abra a página de novo',
        'O formulário não veio desta página. Abra-a novamente e tente de novo.',
      ],
    },
    trouble: ['Não deu certo', 'Nada foi alterado. Espere um momento e tente de novo.'],
    reference: 'Referência',
  },
}

/** A page without a form. `more` is HTML. */
export function renderNotice(language: Language, [title, text]: Notice, more = ''): string {
  return renderPage(language, title, `${renderParagraph(text)}${more}`)
}

/** The page of an error. The reference of a fault of the hub helps its operator to find it in the log. */
export function renderErrorNotice(
  language: Language,
  { code, status }: AppError,
  { requestId, notices, more = '' }: { requestId: string; notices: ErrorNotices; more?: string },
): string {
  const common = COMMON[language]
  const notice = notices[code] ?? common.errors[code] ?? common.trouble
  const reference = status >= 500 ? renderParagraph(`${common.reference}: ${requestId}`, 'quiet') : ''
  return renderNotice(language, notice, more + reference)
}
