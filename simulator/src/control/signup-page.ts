import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Graph } from '../graph/context.ts'
import { displayNumber } from '../graph/phones/phones.ts'
import { type Html, html, type Page, sendPage, sendRedirect } from '../http/page.ts'
import { readBody, readUrl } from '../http/requests.ts'
import type { Simulation } from '../simulation.ts'
import { buildRedirectUrl, buildWindowMessages, completeSignup, parseDestination } from './signup.ts'

const ENDINGS: readonly [value: string, label: string][] = [
  ['finish', 'Finish: the number is moved to the API'],
  ['coexistence', 'Finish: a new number that stays on the business app (coexistence)'],
  ['only_account', 'Finish without a number'],
  ['cancel', 'Close the window half-way'],
  ['error', 'Fail with an error'],
]

const DOCUMENT = {
  language: 'en',
  note: "This is the simulator. It stands in for Meta's Embedded Signup; nothing here reaches WhatsApp.",
}

/** Serves the page on which a person acts as the business owner. Its form sends the parameters of the page again. */
export async function serveSignup(
  { graph, allowedOrigins }: Simulation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const isPost = request.method === 'POST'
  const params = isPost ? new URLSearchParams(await readBody(request)) : readUrl(request).searchParams
  const destination = parseDestination(params, allowedOrigins)
  if (!destination) {
    const reason = 'Give either opener_origin or redirect_uri, on a loopback or allowed origin.'
    return sendPage(reply, {
      ...DOCUMENT,
      status: 400,
      title: 'Cannot open',
      body: html`<p role="alert">${reason}</p>`,
    })
  }
  if (!isPost) return sendPage(reply, { ...DOCUMENT, status: 200, ...renderForm(graph, params) })
  const outcome = completeSignup(graph, params, destination)
  await graph.clock.settle()
  if (destination.kind === 'redirect') return sendRedirect(reply, buildRedirectUrl(destination, outcome))
  return sendPage(reply, {
    ...DOCUMENT,
    status: 200,
    title: 'Done',
    body: html`<p id="result" role="status">You can close this window.</p>`,
    script: renderScript(destination.origin, buildWindowMessages(outcome)),
  })
}

function renderForm(graph: Graph, params: URLSearchParams): Page {
  const hidden = ['redirect_uri', 'opener_origin', 'state']
    .filter((name) => params.has(name))
    .map((name) => html`<input type="hidden" name="${name}" value="${params.get(name) ?? ''}">`)
  const isCoexistence = params.get('feature') === 'coexistence'
  const numbers = [...graph.state.phones.values()].map(({ id, digits, verifiedName }) => {
    return renderRadio('number', id, `${verifiedName}, ${displayNumber(digits)}`, false)
  })
  const endings = ENDINGS.map(([value, label]) => {
    return renderRadio('outcome', value, label, value === (isCoexistence ? 'coexistence' : 'finish'))
  })
  const body = html`<form method="post" action="/_sim/signup">
    ${hidden}
    <fieldset>
      <legend>Which number?</legend>
      ${numbers}
      ${renderRadio('number', 'new', 'A new business with a new number', true)}
      <label for="business_name">Name of the new business</label>
      <input type="text" id="business_name" name="business_name" value="Padaria São João" autocomplete="organization">
      <label for="new_number">Its number, with country code (empty: any)</label>
      <input type="tel" id="new_number" name="new_number" placeholder="+55 11 98765-4321" autocomplete="off">
    </fieldset>
    <fieldset>
      <legend>How does it end?</legend>
      ${endings}
    </fieldset>
    <button type="submit">Continue</button>
  </form>`
  return { title: 'Connect a number', body }
}

function renderRadio(name: string, value: string, label: string, isChecked: boolean): Html {
  const checked = { html: isChecked ? ' checked' : '' }
  return html`<label><input type="radio" name="${name}" value="${value}"${checked}> ${label}</label>`
}

/** Posts the result to the opener and closes. The target origin protects the code from other pages. */
function renderScript(origin: string, messages: readonly string[]): string {
  // A script element ends at the first `</script>`, also inside a string.
  const literal = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c')
  return `
    const messages = ${literal(messages)}
    const opener = window.opener
    if (opener) {
      for (const message of messages) opener.postMessage(message, ${literal(origin)})
      window.close()
    } else {
      document.getElementById('result').textContent = 'This window has no opener, so the result was not sent. Open it from the connect page.'
    }`
}
