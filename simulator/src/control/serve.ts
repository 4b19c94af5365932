import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { GraphError } from '../graph/http/errors.ts'
import { readBody } from '../http/parameters.ts'
import { type Json, parseJson } from '../json.ts'
import { PaymentError } from '../payments/http/errors.ts'
import type { Control } from './control.ts'
import { ControlError } from './reader.ts'
import { buildRedirectUrl, buildWindowMessages, completeSignup, isAllowedOrigin, parseDestination } from './signup.ts'
import { renderDonePage, renderRefusalPage, renderSignupPage } from './signup-page.ts'

interface Parts {
  control: Control
  allowedOrigins: readonly string[]
}

/** Serves the control API and the sign-up page. Refuses requests of other web pages in the same browser. */
export async function serveControl(parts: Parts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://control')
  const body = (await readBody(request)) ?? Buffer.alloc(0)
  const { origin } = request.headers
  if (origin !== undefined && !(URL.canParse(origin) && isAllowedOrigin(new URL(origin), parts.allowedOrigins))) {
    sendJson(response, 403, { error: `The origin ${origin} may not use the simulator` })
    return
  }
  if (url.pathname === '/_sim/signup') await serveSignup(parts, request, response, url.searchParams, body.toString())
  else await serveRoute(parts, request, response, url, body.toString())
}

async function serveRoute(
  { control }: Parts,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  body: string,
): Promise<void> {
  const parsed = body === '' ? {} : parseJson(body)
  if (parsed === undefined) {
    sendJson(response, 400, { error: 'The body is not JSON' })
    return
  }
  try {
    const path = url.pathname.slice('/_sim'.length) || '/'
    sendJson(response, 200, await control.run(request.method ?? 'GET', `${path}${url.search}`, parsed))
  } catch (err) {
    if (!(err instanceof ControlError || err instanceof GraphError || err instanceof PaymentError)) throw err
    sendJson(response, err.status, { error: err.message })
  }
}

async function serveSignup(
  { control, allowedOrigins }: Parts,
  request: IncomingMessage,
  response: ServerResponse,
  query: URLSearchParams,
  body: string,
): Promise<void> {
  const { graph } = control.parts
  const isPost = request.method === 'POST'
  const params = isPost ? new URLSearchParams(body) : query
  const destination = parseDestination(params, allowedOrigins)
  // The nonce protects a real browser, so it does not come from the seed.
  const nonce = randomBytes(16).toString('base64url')
  if (!destination) {
    const reason = 'Give either opener_origin or redirect_uri, on a loopback or allowed origin.'
    sendPage(response, 400, renderRefusalPage(reason, nonce), nonce)
    return
  }
  if (!isPost) {
    sendPage(response, 200, renderSignupPage(graph, params, nonce), nonce)
    return
  }
  const outcome = completeSignup(graph, params, destination)
  await graph.clock.settle()
  if (destination.kind === 'redirect') {
    response.writeHead(303, { location: buildRedirectUrl(destination, outcome), 'cache-control': 'no-store' }).end()
    return
  }
  sendPage(response, 200, renderDonePage(destination.origin, buildWindowMessages(outcome), nonce), nonce)
}

function sendJson(response: ServerResponse, status: number, value: Json): void {
  const text = JSON.stringify(value, (_name, member) => (typeof member === 'bigint' ? member.toString() : member), 2)
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(`${text}\n`)
}

function sendPage(response: ServerResponse, status: number, html: string, nonce: string): void {
  const sources = `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'`
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `${sources}; base-uri 'none'; frame-ancestors 'none'`,
    'cache-control': 'no-store',
    // Under `no-referrer` browsers send `Origin: null` with the page's form, and the form would be refused.
    'referrer-policy': 'same-origin',
  })
  response.end(html)
}
