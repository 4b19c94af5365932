import type { Language } from './words.ts'

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

/** Text that has already been made safe to stand in a page. */
export interface Html {
  readonly html: string
}

type Part = string | number | Html | readonly Html[]

/** Fills a page; whatever is not a piece of a page itself is escaped. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  const filled = strings.map((text, index) => text + (index < parts.length ? printed(parts[index] ?? '') : ''))
  return { html: filled.join('') }
}

function printed(part: Part): string {
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part))
  return 'html' in part ? part.html : part.map((piece) => piece.html).join('\n')
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char)
}

/** The whole document, and the nonce that lets its one style in. */
export function documentOf({ tag, words }: Language, title: string, body: Html, nonce: string): string {
  const page = html`<html lang="${tag}">
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
  <p class="note">${words.simulated}</p>
  ${body}
</main>
</body>
</html>
`
  return `<!DOCTYPE html>\n${page.html}`
}

export function alertOf(message: string | undefined): Html {
  return message === undefined ? html`` : html`<p role="alert" id="problem">${message}</p>`
}

export function dateText(second: number, { tag }: Language): string {
  return new Intl.DateTimeFormat(tag, { dateStyle: 'long', timeZone: 'UTC' }).format(second * 1_000)
}
