import { randomBytes } from 'node:crypto'
import { LANGUAGE_NAMES, LANGUAGES } from '@hubline/locales/languages.ts'
import type { FastifyReply } from 'fastify'
import type { Language } from './language.ts'

export const STYLESHEET_PATH = '/_sim/assets/page.css'

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
  language: Language
  /** The address of the page, which links to it in other languages. The result of a form has none. */
  url: URL | undefined
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

/** Sends a page that loads its style sheet and font from the simulator, and runs no script but its own. */
export function sendPage(reply: FastifyReply, page: Document): FastifyReply {
  const { status, language, url, title, note, body, script } = page
  const { tag, t } = language
  // The nonce protects a real browser, so it does not come from the seed.
  const nonce = randomBytes(16).toString('base64url')
  const scripts = script === undefined ? '' : html`<script nonce="${nonce}">${{ html: script }}</script>`
  const sources = `${script === undefined ? '' : `script-src 'nonce-${nonce}'; `}style-src 'self'; font-src 'self'; img-src data:`
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
<html lang="${tag}">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${title}</title>
  <link rel="icon" href="data:,">
  <link rel="stylesheet" href="${STYLESHEET_PATH}">
</head>
<body>
<main>
  <header><p id="brand">${t('brand')}</p>${url === undefined ? '' : renderLanguages(language, url)}</header>
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

function renderLanguages({ tag }: Language, url: URL): Html {
  const links = LANGUAGES.filter((other) => other !== tag).map((other) => {
    const query = new URLSearchParams(url.search)
    query.set('lang', other)
    return html`<a href="?${query.toString()}" lang="${other}" hreflang="${other}">${LANGUAGE_NAMES[other]}</a>`
  })
  return html`<nav>${links}</nav>`
}

export function sendRedirect(reply: FastifyReply, location: string): FastifyReply {
  return reply.code(303).headers({ location, 'cache-control': 'no-store' }).send()
}
