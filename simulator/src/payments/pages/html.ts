import { type Html, html, type Page } from '../../http/page.ts'
import { formatMoney } from '../billing/lines.ts'
import { findProductName } from '../catalog.ts'
import type { Payments } from '../context.ts'
import type { Invoice, Price, Subscription } from '../objects.ts'

export interface Language {
  tag: 'en' | 'pt-BR'
  /** Chooses between the English and the Portuguese text. */
  t(english: string, portuguese: string): string
}

/** Portuguese if the `Accept-Language` header names it before English. */
export function chooseLanguage(acceptLanguage: string | undefined): Language {
  const isPortuguese = /\b(en|pt)\b/i.exec(acceptLanguage ?? '')?.[1]?.toLowerCase() === 'pt'
  return {
    tag: isPortuguese ? 'pt-BR' : 'en',
    t: (english, portuguese) => (isPortuguese ? portuguese : english),
  }
}

export interface PageRequest {
  /** The submitted form; undefined for a GET. */
  form: URLSearchParams | undefined
  language: Language
}

export type PageResponse = { status: number; page: Page } | { redirect: string }

export function renderExpired({ t }: Language, backUrl: string | null): Page {
  const body = html`<p>${t('Go back and start again.', 'Volte e comece de novo.')}</p>
  ${renderLink(backUrl, t('Cancel and go back', 'Cancelar e voltar'))}`
  return { title: t('This page has expired', 'Esta página expirou'), body }
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
  return `${formatMoney(amount, currency, tag)} ${t('per month', 'por mês')}`
}

const STATUSES: Readonly<Record<Subscription['status'] | Invoice['status'], [english: string, portuguese: string]>> = {
  active: ['active', 'ativa'],
  past_due: ['payment overdue', 'pagamento atrasado'],
  unpaid: ['unpaid', 'não paga'],
  canceled: ['canceled', 'cancelada'],
  draft: ['draft', 'rascunho'],
  open: ['open', 'em aberto'],
  paid: ['paid', 'paga'],
  void: ['void', 'anulada'],
}

export function renderStatus({ t }: Language, status: keyof typeof STATUSES): string {
  return `${t('Status', 'Situação')}: ${t(...STATUSES[status])}`
}

export function formatDate(second: number, { tag }: Language): string {
  return new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' }).format(second * 1_000)
}
