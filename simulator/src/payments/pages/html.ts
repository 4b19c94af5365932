import type { FailureReason } from '../cards.ts'
import type { Language, TextKey } from './texts.ts'

const STYLE = `
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
  body { margin: 0 auto; max-width: 40rem; padding: 2rem 1rem; }
  h1 { font-size: 1.5rem; line-height: 1.2; }
  h2 { font-size: 1.125rem; margin: 2rem 0 .5rem; }
  table { border-collapse: collapse; width: 100%; }
  th, td { border-bottom: 1px solid GrayText; padding: .5rem .5rem .5rem 0; text-align: start; }
  td.amount, th.amount { text-align: end; font-variant-numeric: tabular-nums; }
  fieldset { border: 1px solid GrayText; border-radius: .5rem; margin: 1.25rem 0; padding: .75rem 1rem 1rem; }
  legend { font-weight: 600; padding: 0 .25rem; }
  label { display: block; margin-top: .5rem; }
  input { box-sizing: border-box; display: block; font: inherit; padding: .5rem; width: 100%; }
  button { background: #0b6b3a; border: 0; border-radius: .5rem; color: #fff; cursor: pointer; font: inherit;
    font-weight: 600; padding: .75rem 1.5rem; }
  summary { cursor: pointer; }
  :focus-visible { outline: 3px solid #4c8dff; outline-offset: 2px; }
  .note { border-inline-start: 4px solid #b45309; margin: 1rem 0; padding-inline-start: .75rem; }
  [role=alert] { border-inline-start: 4px solid #b91c1c; margin: 1rem 0; padding-inline-start: .75rem; }`

const TEST_CARDS: readonly [key: TextKey, number: string][] = [
  ['cardSucceeds', '4242 4242 4242 4242'],
  ['cardDeclines', '4000 0000 0000 0002'],
  ['cardDeclinesLater', '4000 0000 0000 0341'],
  ['cardActsLater', '4000 0027 6000 3184'],
]

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
export function renderDocument({ tag, text }: Language, { title, body }: Page, nonce: string): string {
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
  <p class="note">${text('simulated')}</p>
  ${body}
</main>
</body>
</html>
`.html
}

export function renderAlert(message: string | undefined): Html {
  return message === undefined ? html`` : html`<p role="alert" id="problem">${message}</p>`
}

export function renderLink(url: string | null, label: string): Html {
  return url === null ? html`` : html`<p><a href="${url}">${label}</a></p>`
}

/** The fields of a card. After a refusal the number is marked as invalid and focused. */
export function renderCardFields({ text }: Language, problem: string | undefined): Html {
  const marks = { html: problem === undefined ? '' : ' aria-invalid="true" aria-describedby="problem" autofocus' }
  return html`<fieldset>
    <legend>${text('payWith')}</legend>
    <label for="card">${text('cardNumber')}</label>
    <input id="card" name="card" inputmode="numeric" autocomplete="cc-number" required value="4242 4242 4242 4242"${marks}>
    <label for="expiry">${text('expiry')}</label>
    <input id="expiry" name="expiry" autocomplete="cc-exp" required value="12/34">
    <label for="cvc">${text('cvc')}</label>
    <input id="cvc" name="cvc" inputmode="numeric" autocomplete="cc-csc" required value="123">
    <details>
      <summary>${text('testCards')}</summary>
      <ul>${TEST_CARDS.map(([key, number]) => html`<li>${text(key, number)}</li>`)}</ul>
    </details>
  </fieldset>`
}

export function describeProblem({ text }: Language, reason: FailureReason): string {
  const hasOwnText = reason !== 'generic_decline' && reason !== 'requires_action' && reason !== 'no_method'
  return text(hasOwnText ? reason : 'declined')
}

export function formatDate(second: number, { tag }: Language): string {
  return new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' }).format(second * 1_000)
}
