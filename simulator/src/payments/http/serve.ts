import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault, Faults } from '../../faults.ts'
import { readBody } from '../../http/parameters.ts'
import type { JsonObject } from '../../json.ts'
import type { RequestLog } from '../../request-log.ts'
import { nowInSeconds, type Payments } from '../context.ts'
import { API_VERSION } from '../objects.ts'
import { type Endpoint, expandObject } from './endpoint.ts'
import { earlyError, PaymentError } from './errors.ts'
import { parseForm } from './form.ts'
import { hashParams, type Idempotency } from './idempotency.ts'
import { list, optional, text } from './params.ts'
import { findEndpoint } from './routes.ts'

export interface ApiParts {
  payments: Payments
  idempotency: Idempotency
  faults: Faults
  log: RequestLog
}

interface Result {
  status: number
  body: string
  headers: Record<string, string>
}

interface ApiRequest {
  request: IncomingMessage
  method: string
  url: URL
  requestId: string
  /** Set once the body is read, for the request log. */
  form: JsonObject
  latencyMs: number
}

const EXPAND = optional(list(text))

/** Versions with one name only add fields to each other. */
const VERSION_NAME = API_VERSION.split('.')[1]

const NO_KEY =
  "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY'). See https://stripe.com/docs/api#authentication for details, or we can help at https://support.stripe.com/."
const NOT_A_FORM =
  'Invalid request (check that your POST content type is application/x-www-form-urlencoded). If you have any questions, we can help at https://support.stripe.com/.'

const RATE_LIMITED =
  'Request rate limit exceeded. Learn more about rate limits here https://stripe.com/docs/rate-limits.'
const INJECTED = 'An unexpected error occurred. (The simulator injected it.)'

/** Serves one request under `/v1`, with the fault that was set for it. */
export async function serveApi(parts: ApiParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { faults, log, payments } = parts
  const url = new URL(request.url ?? '/', 'http://payments')
  const method = request.method ?? 'GET'
  const { latencyMs, fault } = faults.match(method, url.pathname)
  const api: ApiRequest = { request, method, url, requestId: payments.newId('req'), form: {}, latencyMs }
  const result = await respond(parts, api, fault)
  if (method !== 'GET') payments.save()
  const isSent = fault === undefined || !injectFault(faults, fault, response)
  log.add({
    at: payments.clock.now(),
    method,
    path: url.pathname,
    version: String(request.headers['stripe-version'] ?? API_VERSION),
    token_in: request.headers.authorization === undefined ? 'none' : 'bearer',
    params: api.form,
    status: isSent ? result.status : response.headersSent ? response.statusCode : null,
    fault: fault?.kind ?? null,
  })
  if (isSent) response.writeHead(result.status, result.headers).end(result.body)
  // Unread bytes of a refused body would keep the connection busy.
  if (!request.complete) request.resume()
}

async function respond(parts: ApiParts, api: ApiRequest, fault: Fault | undefined): Promise<Result> {
  const { payments } = parts
  try {
    if (fault) {
      if (fault.kind === 'throttle') throw earlyError(429, RATE_LIMITED, 'invalid_request_error', 'rate_limit')
      if (fault.kind === 'error') throw earlyError(Math.max(500, fault.status), INJECTED, 'api_error')
      if (fault.kind.endsWith('_before') || fault.kind === 'http') return { status: 0, body: '', headers: {} }
    }
    checkKey(api.request.headers, payments.account.secretKey)
    checkVersion(api.request.headers)
    const found = findEndpoint(api.method, api.url.pathname)
    if (!found) {
      const message = `Unrecognized request URL (${api.method}: ${api.url.pathname}). Please see https://stripe.com/docs or we can help at https://support.stripe.com/.`
      throw earlyError(404, message, 'invalid_request_error')
    }
    api.form = await readForm(api)
    return await run(parts, api, found)
  } catch (err) {
    if (err instanceof PaymentError) return toErrorResult(api, err)
    throw err
  }
}

/** The key is a bearer token or the user name of basic authentication. */
function checkKey({ authorization }: IncomingHttpHeaders, secretKey: string): void {
  const [, scheme = '', value = ''] = /^(\w+)\s+(\S+)$/.exec(authorization ?? '') ?? []
  const key = scheme.toLowerCase() === 'basic' ? (Buffer.from(value, 'base64').toString().split(':')[0] ?? '') : value
  if (key === '') throw earlyError(401, NO_KEY, 'invalid_request_error')
  if (key === secretKey) return
  const shown =
    key.length < 12 ? '*'.repeat(key.length) : `${key.slice(0, 8)}${'*'.repeat(key.length - 12)}${key.slice(-4)}`
  throw earlyError(401, `Invalid API Key provided: ${shown}`, 'invalid_request_error')
}

function checkVersion(headers: IncomingHttpHeaders): void {
  const version = String(headers['stripe-version'] ?? API_VERSION)
  if (version.endsWith(`.${VERSION_NAME}`)) return
  const message = `Invalid Stripe API version: ${version}. The simulator implements ${API_VERSION} only.`
  throw earlyError(400, message, 'invalid_request_error')
}

async function readForm({ method, request, url }: ApiRequest): Promise<JsonObject> {
  const body = await readBody(request)
  if (!body) throw earlyError(413, 'Request Entity Too Large', 'invalid_request_error')
  const type = request.headers['content-type'] ?? ''
  if (method === 'POST' && body.length > 0 && !type.startsWith('application/x-www-form-urlencoded')) {
    throw earlyError(400, NOT_A_FORM, 'invalid_request_error')
  }
  return parseForm(method === 'POST' ? new URLSearchParams(body.toString()) : url.searchParams)
}

/** Runs the endpoint, once per Idempotency-Key. Only a POST has one: the other methods are idempotent. */
async function run(parts: ApiParts, api: ApiRequest, { endpoint, id }: { endpoint: Endpoint; id: string }) {
  const { idempotency, payments } = parts
  const { expand, ...form } = api.form
  const paths = EXPAND(expand, 'expand') ?? []
  const work = endpoint.prepare(form, id)
  const key = api.method === 'POST' ? String(api.request.headers['idempotency-key'] ?? '') : ''
  if (key === '') {
    await delay(api)
    return runWork(payments, api, work, paths)
  }
  const keyed = { path: api.url.pathname, fingerprint: hashParams(api.form) }
  const saved = idempotency.begin(key, keyed, nowInSeconds(payments))
  if (saved) {
    const headers = { 'idempotent-replayed': 'true', 'idempotency-key': key, 'original-request': saved.requestId }
    return { status: saved.status, body: saved.body, headers: { ...buildHeaders(api), ...headers } }
  }
  try {
    // The latency of a fault passes while the key is in progress.
    await delay(api)
    const result = runWork(payments, api, work, paths)
    const { status, body } = result
    idempotency.save(key, { ...keyed, status, body, requestId: api.requestId, savedAt: nowInSeconds(payments) })
    return { ...result, headers: { ...result.headers, 'idempotency-key': key, 'original-request': api.requestId } }
  } finally {
    idempotency.end(key)
  }
}

async function delay({ latencyMs }: ApiRequest): Promise<void> {
  if (latencyMs > 0) await sleep(latencyMs)
}

/** A refusal by the endpoint is a result, which the Idempotency-Key remembers. */
function runWork(payments: Payments, api: ApiRequest, work: (payments: Payments) => object, paths: string[]): Result {
  try {
    return toResult(api, 200, expandObject(payments, work(payments), paths))
  } catch (err) {
    if (!(err instanceof PaymentError) || err.isEarly) throw err
    return toErrorResult(api, err)
  }
}

function toErrorResult(api: ApiRequest, { status, fields }: PaymentError): Result {
  return toResult(api, status, { error: fields })
}

function toResult(api: ApiRequest, status: number, body: object): Result {
  return { status, body: `${JSON.stringify(body, null, 2)}\n`, headers: buildHeaders(api) }
}

function buildHeaders({ request, requestId }: ApiRequest): Record<string, string> {
  return {
    'content-type': 'application/json',
    'cache-control': 'no-cache, no-store',
    'request-id': requestId,
    'stripe-version': String(request.headers['stripe-version'] ?? API_VERSION),
  }
}

/** Breaks the connection or the response as the fault says. Returns false if the response is still to be sent. */
function injectFault(faults: Faults, { kind, status }: Fault, response: ServerResponse): boolean {
  if (kind.startsWith('reset_')) response.socket?.resetAndDestroy()
  else if (kind.startsWith('hang_')) faults.hold(response)
  else if (kind.startsWith('http')) response.writeHead(status, { 'content-type': 'text/html' }).end('Bad gateway')
  else if (kind !== 'garbled_after') return false
  else response.writeHead(200, { 'content-type': 'application/json' }).end('{\n  "id": "')
  return true
}
