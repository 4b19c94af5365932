import { INTL_LOCALES, type Language } from '@hubline/locales/languages.ts'
import type { AppError } from '../../../kernel/errors.ts'
import { translateError } from '../../../kernel/pages/error-text.ts'
import { fillText } from '../../../kernel/pages/fill-text.ts'
import { escapeHtml, renderLink, renderPage, renderParagraph } from '../../../kernel/pages/html.ts'
import { renderErrorNotice, renderNotice, renderResult } from '../../../kernel/pages/notices.ts'
import type { ChangeResult } from '../../../payments/payments.ts'
import type { PlanChangePreview } from '../plan-changes/service.ts'
import { PLAN_NAMES, TRANSLATIONS } from './translations.ts'

/** Errors with several causes. The sentence of the cause stands below the text of the error. */
const ERRORS_WITH_REASON = ['CHECKOUT_NOT_ALLOWED']

export function renderPlanPage(language: Language, change: PlanChangePreview): string {
  const translation = TRANSLATIONS[language]
  const { from, to, addons, amountDue, currency, prorationDate } = change
  const amount = formatMoney(language, Math.abs(amountDue), currency)
  const rows = [
    [translation.from, PLAN_NAMES[language][from]],
    [translation.to, PLAN_NAMES[language][to]],
    ...(addons > 0 ? [[translation.addons, String(addons)]] : []),
    [amountDue < 0 ? translation.creditedNow : translation.dueNow, amount],
  ]
  return renderPage(
    language,
    translation.planTitle,
    `<dl>${rows.map(([name = '', value = '']) => `<dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd>`).join('')}</dl>
      <p class="quiet">${escapeHtml(translation.prorated)}</p>
      <form method="post">
        <input type="hidden" name="proration_date" value="${escapeHtml(prorationDate)}">
        <button type="submit">${escapeHtml(amountDue > 0 ? fillText(translation.confirmAndPay, { amount }) : translation.confirm)}</button>
      </form>`,
  )
}

export function renderChangedPage(language: Language, { isApplied, payUrl }: ChangeResult): string {
  const translation = TRANSLATIONS[language]
  const link =
    payUrl === null ? '' : `<p><a href="${escapeHtml(payUrl)}" rel="noreferrer">${escapeHtml(translation.pay)}</a></p>`
  return renderResult(language, isApplied ? translation.done : translation.unpaid, link + renderUsageLink(language))
}

export function renderReturnPage(language: Language): string {
  return renderNotice(language, TRANSLATIONS[language].back, renderUsageLink(language))
}

function renderUsageLink(language: Language): string {
  return renderLink('/usage', TRANSLATIONS[language].toUsage)
}

export function renderErrorPage(language: Language, error: AppError, requestId: string): string {
  const { errors: notices, reload } = TRANSLATIONS[language]
  const reason = ERRORS_WITH_REASON.includes(error.code) ? renderParagraph(translateError(language, error)) : ''
  const again = error.code === 'INVALID_REQUEST' ? `<p><a href="">${escapeHtml(reload)}</a></p>` : ''
  return renderErrorNotice(language, error, { requestId, notices, more: reason + again })
}

/** `amount` is in minor units; the currency determines how many make one whole unit. */
function formatMoney(language: Language, amount: number, currency: string): string {
  const format = new Intl.NumberFormat(INTL_LOCALES[language], { style: 'currency', currency })
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}
