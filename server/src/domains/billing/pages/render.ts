import type { AppError } from '../../../kernel/errors.ts'
import type { Changed } from '../../../payments/payments.ts'
import type { PlannedChange } from '../plans/plans.ts'
import { LANGUAGES, type Language, WORDS } from './translations.ts'

/** Errors whose own sentence tells more than the page can. */
const TELLING = ['CHECKOUT_NOT_ALLOWED']

export function planPage(language: Language, change: PlannedChange): string {
  const words = WORDS[language]
  const { from, to, addons, amountDue, currency, prorationDate } = change
  const rows = [
    [words.from, words.plans[from] ?? from],
    [words.to, words.plans[to] ?? to],
    ...(addons > 0 ? [[words.addons, String(addons)]] : []),
    [amountDue < 0 ? words.creditedNow : words.dueNow, money(language, Math.abs(amountDue), currency)],
  ]
  return page(
    language,
    words.planTitle,
    `<dl>${rows.map(([name = '', value = '']) => `<dt>${text(name)}</dt><dd>${text(value)}</dd>`).join('')}</dl>
      <p class="quiet">${text(words.prorated)}</p>
      <form method="post">
        <input type="hidden" name="proration_date" value="${text(prorationDate)}">
        <button type="submit">${text(words.confirm)}</button>
      </form>`,
  )
}

export function changedPage(language: Language, { isApplied, payUrl }: Changed): string {
  const words = WORDS[language]
  const [title, sentence] = isApplied ? words.done : words.unpaid
  const link = payUrl === null ? '' : `<p><a href="${text(payUrl)}" rel="noreferrer">${text(words.pay)}</a></p>`
  return page(language, title, `<p>${text(sentence)}</p>${link}`)
}

export function returnPage(language: Language): string {
  const [title, sentence] = WORDS[language].back
  return page(language, title, `<p>${text(sentence)}</p>`)
}

export function errorPage(language: Language, error: AppError, requestId: string): string {
  const words = WORDS[language]
  const [title, sentence] = words.errors[error.code] ?? words.trouble
  const reason = TELLING.includes(error.code) ? `<p lang="en">${text(error.message)}</p>` : ''
  const again = error.code === 'INVALID_REQUEST' ? `<p><a href="">${text(words.reload)}</a></p>` : ''
  const reference = `<p class="quiet">${text(words.reference)}: ${text(requestId)}</p>`
  return page(language, title, `<p>${text(sentence)}</p>${reason}${again}${error.status >= 500 ? reference : ''}`)
}

function page(language: Language, title: string, body: string): string {
  const others = LANGUAGES.filter((other) => other !== language).map(
    (other) => `<a href="?lang=${other}" lang="${other}" hreflang="${other}">${text(WORDS[other].language)}</a>`,
  )
  return `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <meta name="color-scheme" content="light dark">
    <title>${text(title)} · Hubline</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/billing/assets/billing.css">
  </head>
  <body>
    <main>
      <header><p id="brand">Hubline</p><nav>${others.join('')}</nav></header>
      <h1>${text(title)}</h1>
      ${body}
    </main>
  </body>
</html>
`
}

/** Minor units, of which the currency says how many make a whole. */
function money(language: Language, amount: number, currency: string): string {
  const format = new Intl.NumberFormat(language, { style: 'currency', currency })
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function text(value: string): string {
  return value.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}
