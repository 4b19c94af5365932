import { INTL_LOCALES } from '@hubline/locales/languages.ts'
import type { Language } from '../../http/language.ts'
import { type Html, html, type Page } from '../../http/page.ts'
import { formatMoney } from '../billing/lines.ts'
import { findProductName } from '../catalog.ts'
import type { Payments } from '../context.ts'
import type { Invoice, Price, Subscription } from '../objects.ts'

export interface PageRequest {
  /** The submitted form; undefined for a GET. */
  form: URLSearchParams | undefined
  language: Language
}

export type PageResponse = { status: number; page: Page } | { redirect: string }

export function renderExpired({ t }: Language, backUrl: string | null): Page {
  const body = html`<p>${t('expiredText')}</p>
  ${renderLink(backUrl, t('back'))}`
  return { title: t('expired'), body }
}

export function renderLink(url: string | null, label: string): Html {
  return html`${url === null ? '' : html`<p><a href="${url}">${label}</a></p>`}`
}

export function renderAlert(problem: string | undefined): Html {
  return html`${problem === undefined ? '' : html`<p role="alert" id="problem">${problem}</p>`}`
}

export function renderItems(payments: Payments, items: { price: Price; quantity: number }[], language: Language): Html {
  const rows = items.map(({ price, quantity }) => {
    const money = formatMonthly(price.unit_amount * quantity, price.currency, language)
    return html`<li>${quantity} × ${findProductName(payments, price)}, ${money}</li>`
  })
  return html`<ul>${rows}</ul>`
}

export function formatMonthly(amount: number, currency: string, { tag, t }: Language): string {
  return t('perMonth', { amount: formatMoney(amount, currency, INTL_LOCALES[tag]) })
}

export function renderStatus({ t }: Language, status: Subscription['status'] | Invoice['status']): string {
  return t('status', { status: t(status) })
}

export function formatDate(second: number, { tag }: Language): string {
  return new Intl.DateTimeFormat(INTL_LOCALES[tag], { dateStyle: 'long', timeZone: 'UTC' }).format(second * 1_000)
}
