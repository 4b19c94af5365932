import type { Graph } from '../graph/context.ts'
import { displayNumber } from '../graph/phones/phones.ts'

const STYLE = `
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
  body { margin: 0 auto; max-width: 34rem; padding: 2rem 1rem; }
  h1 { font-size: 1.5rem; line-height: 1.2; }
  fieldset { border: 1px solid GrayText; border-radius: .5rem; margin: 0 0 1.25rem; padding: .75rem 1rem 1rem; }
  legend { font-weight: 600; padding: 0 .25rem; }
  label { display: block; margin-top: .5rem; }
  input[type=text], input[type=tel] { box-sizing: border-box; display: block; font: inherit; padding: .5rem; width: 100%; }
  button { background: #0b6b3a; border: 0; border-radius: .5rem; color: #fff; cursor: pointer; font: inherit;
    font-weight: 600; padding: .75rem 1.5rem; }
  :focus-visible { outline: 3px solid #4c8dff; outline-offset: 2px; }
  .note { border-left: 4px solid #b45309; margin: 1rem 0; padding-left: .75rem; }`

const ENDINGS: readonly [value: string, label: string][] = [
  ['finish', 'Finish: the number is moved to the API'],
  ['coexistence', 'Finish: a new number that stays on the business app (coexistence)'],
  ['only_account', 'Finish without a number'],
  ['cancel', 'Close the window half-way'],
  ['error', 'Fail with an error'],
]

/** The page on which a person acts as the business owner. The form returns the parameters of the page. */
export function renderSignupPage(graph: Graph, params: URLSearchParams, nonce: string): string {
  const hidden = ['redirect_uri', 'opener_origin', 'state']
    .filter((name) => params.has(name))
    .map((name) => `<input type="hidden" name="${name}" value="${escapeHtml(params.get(name) ?? '')}">`)
  const isCoexistence = params.get('feature') === 'coexistence'
  const numbers = [...graph.state.phones.values()].map(({ id, digits, verifiedName }) => {
    return radio('number', id, `${verifiedName}, ${displayNumber(digits)}`, false)
  })
  const endings = ENDINGS.map(([value, label]) => {
    return radio('outcome', value, label, value === (isCoexistence ? 'coexistence' : 'finish'))
  })
  const body = `
  <h1>Connect a number</h1>
  <p class="note">This is the simulator. It stands in for Meta's Embedded Signup; nothing here reaches WhatsApp.</p>
  <form method="post" action="/_sim/signup">
    ${hidden.join('\n    ')}
    <fieldset>
      <legend>Which number?</legend>
      ${numbers.join('\n      ')}
      ${radio('number', 'new', 'A new business with a new number', true)}
      <label for="business_name">Name of the new business</label>
      <input type="text" id="business_name" name="business_name" value="Padaria São João" autocomplete="organization">
      <label for="new_number">Its number, with country code (empty: any)</label>
      <input type="tel" id="new_number" name="new_number" placeholder="+55 11 98765-4321" autocomplete="off">
    </fieldset>
    <fieldset>
      <legend>How does it end?</legend>
      ${endings.join('\n      ')}
    </fieldset>
    <button type="submit">Continue</button>
  </form>`
  return renderDocument('Connect a number', body, nonce)
}

/** Posts the result to the opener and closes. The target origin protects the code from other pages. */
export function renderDonePage(origin: string, messages: readonly string[], nonce: string): string {
  const script = `
    const messages = ${escapeScript(JSON.stringify(messages))}
    const opener = window.opener
    if (opener) {
      for (const message of messages) opener.postMessage(message, ${escapeScript(JSON.stringify(origin))})
      window.close()
    } else {
      document.getElementById('result').textContent = 'This window has no opener, so the result was not sent. Open it from the connect page.'
    }`
  const body = `
  <h1>Done</h1>
  <p id="result" role="status">You can close this window.</p>
  <script nonce="${nonce}">${script}</script>`
  return renderDocument('Done', body, nonce)
}

export function renderRefusalPage(reason: string, nonce: string): string {
  return renderDocument('Cannot open', `\n  <h1>Cannot open</h1>\n  <p role="alert">${escapeHtml(reason)}</p>`, nonce)
}

function radio(name: string, value: string, label: string, isChecked: boolean): string {
  const checked = isChecked ? ' checked' : ''
  return `<label><input type="radio" name="${name}" value="${escapeHtml(value)}"${checked}> ${escapeHtml(label)}</label>`
}

function renderDocument(title: string, body: string, nonce: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${title} · Hubline simulator</title>
  <style nonce="${nonce}">${STYLE}
  </style>
</head>
<body>
<main>${body}
</main>
</body>
</html>
`
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char)
}

/** Escapes `<`, because a script element ends at the first `</script>`, also inside a string. */
function escapeScript(json: string): string {
  return json.replaceAll('<', '\\u003c')
}
