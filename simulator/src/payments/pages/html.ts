import type { Catalog } from '@hubline/locales/catalog.ts'
import { INTL_LOCALES, LANGUAGES, type Language as Tag } from '@hubline/locales/languages.ts'
import { en } from '@hubline/locales/pages/payments/en.ts'
import { es } from '@hubline/locales/pages/payments/es.ts'
import { ptBR } from '@hubline/locales/pages/payments/pt-BR.ts'
import { type Html, html, type Page } from '../../http/page.ts'
import { formatMoney } from '../billing/lines.ts'
import { findProductName } from '../catalog.ts'
import type { Payments } from '../context.ts'
import type { Invoice, Price, Subscription } from '../objects.ts'

type Texts = Catalog<typeof en>

const TEXTS: Record<Tag, Texts> = { en, 'pt-BR': ptBR, es }

export interface Language {
  tag: Tag
  t(key: keyof Texts, values?: Record<string, string>): string
}

/** The first of ours that the `Accept-Language` header names. */
export function chooseLanguage(acceptLanguage: string | undefined): Language {
  const asked = (acceptLanguage ?? '').split(',').map((name) => name.trim().toLowerCase().split(/[-;]/)[0])
  const known = asked.map((base) => LANGUAGES.find((tag) => tag.split('-')[0] === base))
  const tag = known.find((found) => found !== undefined) ?? 'en'
  return {
    tag,
    t: (key, values = {}) => TEXTS[tag][key].replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? ''),
  }
}

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
  return `${formatMoney(amount, currency, INTL_LOCALES[tag])} ${t('perMonth')}`
}

export function renderStatus({ t }: Language, status: Subscription['status'] | Invoice['status']): string {
  return `${t('status')}: ${t(status)}`
}

export function formatDate(second: number, { tag }: Language): string {
  return new Intl.DateTimeFormat(INTL_LOCALES[tag], { dateStyle: 'long', timeZone: 'UTC' }).format(second * 1_000)
}
