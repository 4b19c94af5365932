import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Graph } from '../graph/context.ts'
import { displayNumber } from '../graph/phones/phones.ts'
import { type Language, readLanguage } from '../http/language.ts'
import { type Html, html, type Page, sendPage, sendRedirect } from '../http/page.ts'
import { readBody, readUrl } from '../http/requests.ts'
import type { Simulation } from '../simulation.ts'
import {
  buildRedirectUrl,
  buildWindowMessages,
  completeSignup,
  OUTCOMES,
  type OutcomeName,
  parseDestination,
} from './signup.ts'

const OUTCOME_TEXTS = {
  finish: 'finish',
  coexistence: 'coexistence',
  only_account: 'only_account',
  cancel: 'windowClosed',
  error: 'error',
} as const satisfies Record<OutcomeName, string>

/** Serves the page on which a person acts as the business owner. Its form sends the parameters of the page again. */
export async function serveSignup(
  { graph, allowedOrigins }: Simulation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const isPost = request.method === 'POST'
  const url = readUrl(request)
  const params = isPost ? new URLSearchParams(await readBody(request)) : url.searchParams
  const language = readLanguage(request, params)
  const { t } = language
  const document = { language, url: isPost ? undefined : url, note: t('signupNote') }
  const destination = parseDestination(params, allowedOrigins)
  if (!destination) {
    const body = html`<p role="alert" id="problem">${t('destinationMissing')}</p>`
    return sendPage(reply, { ...document, status: 400, title: t('cannotOpen'), body })
  }
  if (!isPost) return sendPage(reply, { ...document, status: 200, ...renderForm(graph, params, language) })
  const outcome = completeSignup(graph, params, destination, t('notVerified'))
  await graph.clock.settle()
  if (destination.kind === 'redirect') return sendRedirect(reply, buildRedirectUrl(destination, outcome))
  return sendPage(reply, {
    ...document,
    status: 200,
    title: t('done'),
    body: html`<p id="result" role="status">${t('closeWindow')}</p>`,
    script: renderScript(destination.origin, buildWindowMessages(outcome), t('noOpener')),
  })
}

function renderForm(graph: Graph, params: URLSearchParams, { t }: Language): Page {
  const hidden = ['redirect_uri', 'opener_origin', 'state', 'lang']
    .filter((name) => params.has(name))
    .map((name) => html`<input type="hidden" name="${name}" value="${params.get(name) ?? ''}">`)
  const expected = params.get('feature') === 'coexistence' ? 'coexistence' : 'finish'
  const numbers = [...graph.state.phones.values()].map(({ id, digits, verifiedName }) => {
    return renderRadio('number', id, `${verifiedName}, ${displayNumber(digits)}`, false)
  })
  const outcomes = OUTCOMES.map((name) => renderRadio('outcome', name, t(OUTCOME_TEXTS[name]), name === expected))
  const body = html`<form method="post" action="/_sim/signup">
    ${hidden}
    <fieldset>
      <legend>${t('whichNumber')}</legend>
      ${numbers}
      ${renderRadio('number', 'new', t('newBusiness'), true)}
      <label for="business_name">${t('businessName')}</label>
      <input type="text" id="business_name" name="business_name" value="Padaria São João" autocomplete="organization">
      <label for="new_number">${t('newNumber')} <span class="quiet">${t('newNumberHint')}</span></label>
      <input type="tel" id="new_number" name="new_number" placeholder="+55 11 98765-4321" autocomplete="off">
    </fieldset>
    <fieldset>
      <legend>${t('howToEnd')}</legend>
      ${outcomes}
    </fieldset>
    <button type="submit">${t('proceed')}</button>
  </form>`
  return { title: t('connectNumber'), body }
}

function renderRadio(name: string, value: string, label: string, isChecked: boolean): Html {
  const checked = { html: isChecked ? ' checked' : '' }
  return html`<label><input type="radio" name="${name}" value="${value}"${checked}> ${label}</label>`
}

/** Posts the result to the opener and closes. The target origin protects the code from other pages. */
function renderScript(origin: string, messages: readonly string[], noOpener: string): string {
  // A script element ends at the first `</script>`, also inside a string.
  const literal = (value: unknown) => JSON.stringify(value).replaceAll('<', '\\u003c')
  return `
    const messages = ${literal(messages)}
    const opener = window.opener
    if (opener) {
      for (const message of messages) opener.postMessage(message, ${literal(origin)})
      window.close()
    } else {
      document.getElementById('result').textContent = ${literal(noOpener)}
    }`
}
