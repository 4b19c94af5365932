import { formatMoney } from '../billing/lines.ts'
import { findProductName } from '../catalog.ts'
import type { Payments } from '../context.ts'
import type { Invoice, Price, Subscription } from '../objects.ts'

const STYLE = `
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
  body { margin: 0 auto; max-width: 40rem; padding: 2rem 1rem; }
  fieldset { border: 1px solid GrayText; border-radius: .5rem; margin: 1.25rem 0; padding: .75rem 1rem 1rem; }
  label { display: block; margin-top: .5rem; }
  input { box-sizing: border-box; display: block; font: inherit; padding: .5rem; width: 100%; }
  button { background: #0b6b3a; border: 0; border-radius: .5rem; color: #fff; font: inherit; padding: .75rem 1.5rem; }
  :focus-visible { outline: 3px solid #4c8dff; outline-offset: 2px; }
  .note, [role=alert] { border-inline-start: 4px solid #b45309; padding-inline-start: .75rem; }`

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

/** Escaped markup. */
export interface Html {
  readonly html: string
}

export interface Page {
  title: string
  body: Html
}

export interface PageRequest {
  /** The submitted form; undefined for a GET. */
  form: URLSearchParams | undefined
  language: Language
}

export type PageResponse = { status: number; page: Page } | { redirect: string }

/** Fills a template and escapes every text in it. */
export function html(strings: TemplateStringsArray, ...values: (string | number | Html | readonly Html[])[]): Html {
  const filled = values.map((value) => {
    if (typeof value !== 'object') return String(value).replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
    return 'html' in value ? value.html : value.map((part) => part.html).join('\n')
  })
  return { html: String.raw({ raw: strings }, ...filled) }
}

/** The nonce allows the document's own style. */
export function renderDocument({ tag, t }: Language, { title, body }: Page, nonce: string): string {
  const note = t(
    'This is the simulator. It stands in for Stripe; nothing here moves money.',
    'Este é o simulador. Ele faz as vezes do Stripe; nada aqui movimenta dinheiro.',
  )
  return html`${{ html: '<!DOCTYPE html>' }}
<html lang="${tag}">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${title}</title>
  <style nonce="${nonce}">${{ html: STYLE }}
  </style>
</head>
<body>
<main>
  <h1>${title}</h1>
  <p class="note">${note}</p>
  ${body}
</main>
</body>
</html>
`.html
}

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
