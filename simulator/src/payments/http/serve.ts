import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault, Faults } from '../../faults.ts'
import { readBody } from '../../http/parameters.ts'
import type { JsonObject } from '../../json.ts'
import type { RequestLog } from '../../request-log.ts'
import { nowOf, type Payments } from '../context.ts'
import { API_VERSION } from '../objects/event.ts'
import { checkKey, versionOf } from './access.ts'
import type { Endpoint } from './endpoint.ts'
import { early, PaymentError } from './errors.ts'
import { expanded } from './expand.ts'
import { deliverFault, isKeptOut, refusalFor } from './faults.ts'
import { formOf } from './form.ts'
import { type Attempted, fingerprintOf, type Idempotency } from './idempotency.ts'
import { list, optional, text } from './params.ts'
import { endpointAt } from './routes.ts'

export interface ApiParts {
  payments: Payments
  idempotency: Idempotency
  faults: Faults
  log: RequestLog
}

interface Answer {
  status: number
  body: string
  headers: Record<string, string>
}

interface Visit {
  request: IncomingMessage
  method: string
  url: URL
  requestId: string
  /** Filled in while the request is handled, for the request log. */
  form: JsonObject
  latencyMs: number
}

const EXPAND = optional(list(text))

/** One request from the door to the answer, with whatever fault was ordered for it. */
export async function serveApi(parts: ApiParts, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { faults, log, payments } = parts
  const url = new URL(request.url ?? '/', 'http://payments')
  const method = request.method ?? 'GET'
  const { latencyMs, fault } = faults.strike(method, url.pathname)
  const visit: Visit = { request, method, url, requestId: payments.newId('request'), form: {}, latencyMs }
  const answer = faulty(fault, visit) ?? (await answered(parts, visit))
  const isDelivered = fault === undefined || deliverFault(faults, fault, response)
  log.add({
    at: payments.clock.now(),
    method,
    path: url.pathname,
    version: String(request.headers['stripe-version'] ?? API_VERSION),
    token_in: request.headers.authorization === undefined ? 'none' : 'bearer',
    params: visit.form,
    status: isDelivered ? answer.status : response.headersSent ? response.statusCode : null,
    fault: fault?.kind ?? null,
  })
  if (isDelivered) response.writeHead(answer.status, answer.headers).end(answer.body)
  // Unread bytes of a refused body would otherwise keep the connection busy.
  if (!request.complete) request.resume()
}

/** The answer that a fault gives in place of the provider. */
function faulty(fault: Fault | undefined, visit: Visit): Answer | undefined {
  if (fault === undefined) return undefined
  if (fault.kind === 'http')
    return { status: fault.status, body: 'Bad gateway', headers: { 'content-type': 'text/html' } }
  const refusal = refusalFor(fault)
  if (refusal) return refused(visit, refusal)
  return isKeptOut(fault) ? { status: 0, body: '', headers: {} } : undefined
}

async function answered(parts: ApiParts, visit: Visit): Promise<Answer> {
  const { payments } = parts
  try {
    checkKey(visit.request.headers, payments.account.secretKey)
    versionOf(visit.request.headers)
    const place = endpointAt(visit.method, visit.url.pathname)
    if (!place) throw unknownPlace(visit)
    visit.form = await formIn(visit)
    return await performed(parts, visit, place)
  } catch (err) {
    if (err instanceof PaymentError) return refused(visit, err)
    throw err
  }
}

/** Only a POST can be repeated under a key; the other methods repeat themselves without harm. */
async function performed(parts: ApiParts, visit: Visit, place: { endpoint: Endpoint; id: string }): Promise<Answer> {
  const { idempotency, payments } = parts
  const { expand, ...form } = visit.form
  const paths = EXPAND(expand, 'expand') ?? []
  const work = place.endpoint.prepare(form, place.id)
  const key = visit.method === 'POST' ? keyOf(visit.request) : undefined
  const run = () => perform(payments, visit, work, paths, key)
  if (key === undefined) {
    await dawdle(visit)
    return run()
  }
  const attempted: Attempted = { key, path: visit.url.pathname, fingerprint: fingerprintOf(visit.form) }
  const saved = idempotency.begin(attempted, nowOf(payments))
  if (saved) return replayed(visit, saved, key)
  try {
    await dawdle(visit)
    const answer = run()
    idempotency.save(attempted, { ...answer, requestId: visit.requestId, savedAt: nowOf(payments) })
    return { ...answer, headers: { ...answer.headers, 'idempotency-key': key, 'original-request': visit.requestId } }
  } finally {
    idempotency.release(key)
  }
}

/** What the endpoint refuses is an answer like any other, and is remembered as such. */
function perform(
  payments: Payments,
  visit: Visit,
  work: (payments: Payments) => object,
  paths: string[],
  key: string | undefined,
): Answer {
  const cause = { id: visit.requestId, idempotency_key: key ?? null }
  try {
    const object = payments.events.during(cause, () => expanded(payments, work(payments), paths))
    return answer(visit, 200, object)
  } catch (err) {
    if (!(err instanceof PaymentError) || err.isEarly) throw err
    return refused(visit, err)
  }
}

function replayed(visit: Visit, saved: { status: number; body: string; requestId: string }, key: string): Answer {
  const headers = { 'idempotent-replayed': 'true', 'idempotency-key': key, 'original-request': saved.requestId }
  return { status: saved.status, body: saved.body, headers: { ...headersOf(visit), ...headers } }
}

/** The time of a latency fault passes while the key is taken. */
async function dawdle({ latencyMs }: Visit): Promise<void> {
  if (latencyMs > 0) await sleep(latencyMs)
}

function keyOf({ headers }: IncomingMessage): string | undefined {
  const key = headers['idempotency-key']
  return typeof key === 'string' && key !== '' ? key : undefined
}

async function formIn({ method, request, url }: Visit): Promise<JsonObject> {
  const body = await readBody(request)
  if (!body) throw early(413, { message: 'Request Entity Too Large', type: 'invalid_request_error' })
  const type = request.headers['content-type'] ?? ''
  if (method === 'POST' && body.length > 0 && !type.startsWith('application/x-www-form-urlencoded')) {
    const message =
      'Invalid request (check that your POST content type is application/x-www-form-urlencoded). If you have any questions, we can help at https://support.stripe.com/.'
    throw early(400, { message, type: 'invalid_request_error' })
  }
  return formOf(method === 'POST' ? new URLSearchParams(body.toString()) : url.searchParams)
}

function unknownPlace({ method, url }: Visit): PaymentError {
  const message = `Unrecognized request URL (${method}: ${url.pathname}). Please see https://stripe.com/docs or we can help at https://support.stripe.com/.`
  return early(404, { message, type: 'invalid_request_error' })
}

function refused(visit: Visit, { status, members }: PaymentError): Answer {
  const page = `https://dashboard.stripe.com/test/logs/${visit.requestId}`
  return answer(visit, status, { error: { ...members, request_log_url: page } })
}

function answer(visit: Visit, status: number, body: object): Answer {
  return { status, body: `${JSON.stringify(body, null, 2)}\n`, headers: headersOf(visit) }
}

function headersOf({ request, requestId }: Visit): Record<string, string> {
  return {
    'content-type': 'application/json',
    'cache-control': 'no-cache, no-store',
    'request-id': requestId,
    'stripe-version': String(request.headers['stripe-version'] ?? API_VERSION),
  }
}
