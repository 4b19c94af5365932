import { INTL_LOCALES, type Language } from '@hubline/locales/languages.ts'
import type { AppError } from '../../../kernel/errors.ts'
import { translateError } from '../../../kernel/pages/error-text.ts'
import { fillText } from '../../../kernel/pages/fill-text.ts'
import { escapeHtml, renderLink, renderPage, renderParagraph } from '../../../kernel/pages/html.ts'
import { renderErrorNotice, renderNotice, renderResult } from '../../../kernel/pages/notices.ts'
import type { Bought } from '../checkout/service.ts'
import type { PlanChanged, PlanChangePreview } from '../plan-changes/service.ts'
import type { Recurring } from '../plans/recurring.ts'
import { PLAN_NAMES, PRICE_TEXTS, TRANSLATIONS } from './translations.ts'

/** The page of usage and billing in the dashboard. */
export const USAGE_PATH = '/usage'

/** Errors with several causes. The sentence of the cause stands below the text of the error. */
const ERRORS_WITH_REASON = ['CHECKOUT_NOT_ALLOWED']

export function renderPlanPage(language: Language, change: PlanChangePreview): string {
  const translation = TRANSLATIONS[language]
  const { from, to, addons, amountDue, currency, recurring, channels, prorationDate } = change
  const amount = formatMoney(language, Math.abs(amountDue), currency)
  const rows = [
    [translation.from, PLAN_NAMES[language][from]],
    [translation.to, PLAN_NAMES[language][to]],
    ...(addons > 0 ? [[translation.addons, String(addons)]] : []),
    [translation.channels, fillText(translation.channelsOf, channels)],
    [amountDue < 0 ? translation.creditedNow : translation.dueNow, amount],
    ...(recurring ? [[translation.afterward, formatRecurring(language, recurring, currency)]] : []),
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

export function renderChangedPage(language: Language, changed: PlanChanged): string {
  const translation = TRANSLATIONS[language]
  const { isApplied, payUrl, amountDue, currency } = changed
  const link =
    payUrl === null ? '' : `<p><a href="${escapeHtml(payUrl)}" rel="noreferrer">${escapeHtml(translation.pay)}</a></p>`
  if (!isApplied) return renderResult(language, translation.unpaid, link + renderUsageLink(language))
  const charged = amountDue < 0 ? translation.credited : amountDue > 0 ? translation.paid : ''
  const amount = formatMoney(language, Math.abs(amountDue), currency)
  const lines = [translation.done[1], describeLimits(language, changed), fillText(charged, { amount })]
  return renderResult(language, [translation.done[0], join(lines)], renderUsageLink(language))
}

/** `outcome` is what was bought, or that the person left the checkout without paying; undefined if neither is known. */
export function renderReturnPage(language: Language, outcome?: Bought | 'canceled'): string {
  const { back, bought, canceled, paid } = TRANSLATIONS[language]
  if (outcome === undefined) return renderNotice(language, back, renderUsageLink(language))
  if (outcome === 'canceled') return renderNotice(language, canceled, renderUsageLink(language))
  const plan = PLAN_NAMES[language][outcome.plan]
  const amount = formatMoney(language, outcome.amount, outcome.currency)
  const lines = [fillText(paid, { amount }), describeLimits(language, outcome), bought[1]]
  return renderNotice(language, [fillText(bought[0], { plan }), join(lines)], renderUsageLink(language))
}

function describeLimits(language: Language, limits: Pick<Bought, 'plan' | 'channels' | 'webhookEndpoints'>): string {
  const { channels, webhookEndpoints } = limits
  const plan = PLAN_NAMES[language][limits.plan]
  return fillText(TRANSLATIONS[language].limits, { plan, channels, webhookEndpoints })
}

function join(lines: readonly string[]): string {
  return lines.filter((line) => line !== '').join(' ')
}

function formatRecurring(language: Language, recurring: Recurring, currency: string): string {
  const { amount, interval, intervalCount } = recurring
  const text = PRICE_TEXTS[language][`price.${interval}_${intervalCount === 1 ? 'one' : 'other'}`]
  return fillText(text, { amount: formatMoney(language, amount, currency), count: intervalCount })
}

function renderUsageLink(language: Language): string {
  return renderLink(USAGE_PATH, TRANSLATIONS[language].toUsage)
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
