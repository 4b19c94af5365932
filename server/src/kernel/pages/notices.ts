import type { Catalog } from '@hubline/locales/catalog.ts'
import type { Language } from '@hubline/locales/languages.ts'
import { en } from '@hubline/locales/pages/common/en.ts'
import { es } from '@hubline/locales/pages/common/es.ts'
import { ptBR } from '@hubline/locales/pages/common/pt-BR.ts'
import type { AppError, ErrorCode } from '../errors.ts'
import { renderPage, renderParagraph } from './html.ts'

export type Notice = readonly [title: string, text: string]
export type ErrorNotices = Partial<Record<ErrorCode, Notice>>

/** Errors that every page with a form can have. */
const COMMON: Record<Language, Catalog<typeof en>> = { en, 'pt-BR': ptBR, es }

/** A page without a form. `more` is HTML. */
export function renderNotice(language: Language, [title, text]: Notice, more = ''): string {
  return renderPage(language, title, `${renderParagraph(text)}${more}`)
}

/** The page that a form leads to. `more` is HTML. */
export function renderResult(language: Language, [title, text]: Notice, more = ''): string {
  return renderPage(language, title, `${renderParagraph(text)}${more}`, { isResult: true })
}

/** The page of an error. The reference of a fault of the hub helps its operator to find it in the log. */
export function renderErrorNotice(
  language: Language,
  { code, status }: AppError,
  { requestId, notices, more = '' }: { requestId: string; notices: ErrorNotices; more?: string },
): string {
  const common = COMMON[language]
  const errors: ErrorNotices = common.errors
  const notice = notices[code] ?? errors[code] ?? common.trouble
  const reference = status >= 500 ? renderParagraph(`${common.reference}: ${requestId}`, 'quiet') : ''
  return renderNotice(language, notice, more + reference)
}
