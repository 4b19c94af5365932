import { randomBytes } from 'node:crypto'
import type { FastifyReply } from 'fastify'

const STYLE = `
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
  body { margin: 0 auto; max-width: 40rem; padding: 2rem 1rem; }
  fieldset { border: 1px solid GrayText; border-radius: .5rem; margin: 1.25rem 0; padding: .75rem 1rem 1rem; }
  legend { font-weight: 600; padding: 0 .25rem; }
  label { display: block; margin-top: .5rem; }
  input:not([type=radio]) { box-sizing: border-box; display: block; font: inherit; padding: .5rem; width: 100%; }
  button { background: #0b6b3a; border: 0; border-radius: .5rem; color: #fff; font: inherit; padding: .75rem 1.5rem; }
  :focus-visible { outline: 3px solid #4c8dff; outline-offset: 2px; }
  .note, [role=alert] { border-inline-start: 4px solid #b45309; padding-inline-start: .75rem; }`

/** Escaped markup. */
export interface Html {
  readonly html: string
}

export interface Page {
  title: string
  body: Html
}

interface Document extends Page {
  status: number
  language: string
  /** Says that this is the simulator. */
  note: string
  script?: string
}

/** Fills a template and escapes every text in it. */
export function html(strings: TemplateStringsArray, ...values: (string | number | Html | readonly Html[])[]): Html {
  const filled = values.map((value) => {
    if (typeof value !== 'object') return String(value).replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
    return 'html' in value ? value.html : value.map((part) => part.html).join('\n')
  })
  return { html: String.raw({ raw: strings }, ...filled) }
}

/** Sends a page that loads nothing and runs no script but its own. */
export function sendPage(reply: FastifyReply, page: Document): FastifyReply {
  const { status, language, title, note, body, script } = page
  // The nonce protects a real browser, so it does not come from the seed.
  const nonce = randomBytes(16).toString('base64url')
  const scripts = script === undefined ? '' : html`<script nonce="${nonce}">${{ html: script }}</script>`
  const sources = `${script === undefined ? '' : `script-src 'nonce-${nonce}'; `}style-src 'nonce-${nonce}'`
  return reply
    .code(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `default-src 'none'; ${sources}; base-uri 'none'; frame-ancestors 'none'`,
      'cache-control': 'no-store',
      // With `no-referrer` browsers send `Origin: null` with the page's own form, which is refused.
      'referrer-policy': 'same-origin',
    })
    .send(
      html`${{ html: '<!DOCTYPE html>' }}
<html lang="${language}">
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
${scripts}
</body>
</html>
`.html,
    )
}

export function sendRedirect(reply: FastifyReply, location: string): FastifyReply {
  return reply.code(303).headers({ location, 'cache-control': 'no-store' }).send()
}
