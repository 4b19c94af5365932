import { LANGUAGE_NAMES, LANGUAGES, type Language } from '@hubline/locales/languages.ts'
import { STYLESHEET_PATH } from './assets.ts'

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

export function escapeHtml(value: string): string {
  return value.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}

/**
 * A whole page. `body` is HTML, the title is text. The result of a form has no links to other languages, because its address
 * leads to the form.
 */
export function renderPage(language: Language, title: string, body: string, { isResult = false } = {}): string {
  const others = LANGUAGES.filter((other) => other !== language).map(
    (other) => `<a href="?lang=${other}" lang="${other}" hreflang="${other}">${LANGUAGE_NAMES[other]}</a>`,
  )
  return `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <meta name="color-scheme" content="light dark">
    <title>${escapeHtml(title)} · Hubline</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="${STYLESHEET_PATH}">
  </head>
  <body>
    <main>
      <header><p id="brand">Hubline</p>${isResult ? '' : `<nav>${others.join('')}</nav>`}</header>
      <h1>${escapeHtml(title)}</h1>
      ${body}
    </main>
  </body>
</html>
`
}

export function renderParagraph(text: string, className = ''): string {
  return `<p${className && ` class="${className}"`}>${escapeHtml(text)}</p>`
}

/** A link to another page of the hub. */
export function renderLink(path: string, text: string): string {
  return `<p><a href="${escapeHtml(path)}">${escapeHtml(text)}</a></p>`
}

export type Field = {
  label: string
  type: 'email' | 'password' | 'text'
  autocomplete: string
  /** Without a name the field is shown and not sent. */
  name?: string
  value?: string
  hint?: string
}

/** A form that posts to the address of its page. A problem is announced, and the field with it has the focus; else the first one that is sent. */
export function renderForm(form: { fields: Field[]; submit: string; problem?: FormProblem | undefined }): string {
  const { fields, submit, problem } = form
  const sent = fields.filter(({ name }) => name !== undefined)
  const focused = sent.find(({ name }) => name === problem?.field) ?? sent[0]
  const alert = problem ? `<p id="problem" role="alert">${escapeHtml(problem.text)}</p>` : ''
  return `<form method="post">
        ${alert}${fields.map((field) => renderField(field, field === focused, problem)).join('')}
        <button type="submit">${escapeHtml(submit)}</button>
      </form>`
}

/** Describes the error of the field of that name. */
type FormProblem = { field: string; text: string }

function renderField(
  { label, type, autocomplete, name, value = '', hint }: Field,
  hasFocus: boolean,
  problem?: FormProblem,
): string {
  const isWrong = name !== undefined && name === problem?.field
  const attributes = [
    `type="${type}" autocomplete="${autocomplete}"`,
    name === undefined ? 'readonly' : `name="${name}"`,
    ...(value === '' ? [] : [`value="${escapeHtml(value)}"`]),
    ...(name === undefined ? [] : ['required']),
    ...(isWrong ? ['aria-invalid="true" aria-describedby="problem"'] : []),
    ...(hasFocus ? ['autofocus'] : []),
  ]
  const note = hint === undefined ? '' : ` <span class="quiet">${escapeHtml(hint)}</span>`
  return `<label>${escapeHtml(label)}${note}<input ${attributes.join(' ')}></label>`
}
