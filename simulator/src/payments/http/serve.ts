import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import type { Fault } from '../../faults.ts'
import { serveExchange } from '../../http/exchange.ts'
import { readBody, readUrl } from '../../http/requests.ts'
import type { JsonObject } from '../../json.ts'
import type { RequestRecord } from '../../request-log.ts'
import type { Current, Simulation } from '../../simulation.ts'
import { INVOICE_ENDPOINTS } from '../billing/invoice-endpoints.ts'
import { CATALOG_ENDPOINTS } from '../catalog.ts'
import { CHECKOUT_ENDPOINTS } from '../checkout.ts'
import { nowInSeconds } from '../context.ts'
import { CUSTOMER_ENDPOINTS } from '../customer-endpoints.ts'
import { API_VERSION } from '../objects.ts'
import { PORTAL_ENDPOINTS } from '../portal.ts'
import { SUBSCRIPTION_ENDPOINTS } from '../subscriptions/endpoints.ts'
import { type Endpoint, expandObject } from './endpoint.ts'
import { earlyError, PaymentError } from './errors.ts'
import { parseForm } from './form.ts'
import type { PaymentResponse } from './idempotency.ts'
import { list, optional, text } from './params.ts'

const ENDPOINTS: readonly Endpoint[] = [
  ...CUSTOMER_ENDPOINTS,
  ...CATALOG_ENDPOINTS,
  ...CHECKOUT_ENDPOINTS,
  ...SUBSCRIPTION_ENDPOINTS,
  ...INVOICE_ENDPOINTS,
  ...PORTAL_ENDPOINTS,
]

interface ApiCall {
  request: FastifyRequest
  requestId: string
  /** The parameters are set once the body is read. */
  record: Pick<RequestRecord, 'path' | 'version' | 'token_in' | 'params'>
  fault: Fault | undefined
  delay: () => Promise<void>
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

/** Stripe's API. */
export function paymentsApi(current: Current): FastifyPluginCallback {
  return (app, _options, done) => {
    for (const endpoint of ENDPOINTS) {
      const handler = (request: FastifyRequest, reply: FastifyReply) => serve(current(), request, reply, endpoint)
      app.route({ method: endpoint.method, url: endpoint.path, handler })
    }
    app.setNotFoundHandler((request, reply) => serve(current(), request, reply))
    done()
  }
}

async function serve(
  simulation: Simulation,
  request: FastifyRequest,
  reply: FastifyReply,
  endpoint?: Endpoint,
): Promise<FastifyReply> {
  const { payments } = simulation
  const { authorization, 'stripe-version': requested = API_VERSION } = request.headers
  const requestId = payments.newId('req')
  const version = String(requested)
  const location = authorization === undefined ? 'none' : 'bearer'
  const record: ApiCall['record'] = { path: readUrl(request).pathname, version, token_in: location, params: {} }
  return serveExchange(simulation, request, reply, {
    record,
    async respond(fault, delay) {
      const call = { request, requestId, record, fault, delay }
      const { headers, ...response } = await run(simulation, call, endpoint).catch(toErrorResponse)
      if (request.method !== 'GET') payments.save()
      return {
        ...response,
        headers: {
          'content-type': 'application/json',
          'cache-control': 'no-cache, no-store',
          'request-id': requestId,
          'stripe-version': version,
          ...headers,
        },
      }
    },
  })
}

async function run(simulation: Simulation, call: ApiCall, endpoint: Endpoint | undefined): Promise<PaymentResponse> {
  const { payments, runOnce } = simulation
  const { delay, fault, record, request, requestId } = call
  if (fault?.kind === 'throttle') throw earlyError(429, RATE_LIMITED, 'invalid_request_error', 'rate_limit')
  if (fault?.kind === 'error') throw earlyError(Math.max(500, fault.status), INJECTED, 'api_error')
  checkKey(request.headers.authorization, payments.account.secretKey)
  checkVersion(record.version)
  if (!endpoint) {
    const message = `Unrecognized request URL (${request.method}: ${record.path}). Please see https://stripe.com/docs or we can help at https://support.stripe.com/.`
    throw earlyError(404, message, 'invalid_request_error')
  }
  record.params = await readForm(request)
  const { expand, ...form } = record.params
  const paths = EXPAND(expand, 'expand') ?? []
  const work = endpoint.prepare(form, (request.params as { id?: string }).id ?? '')
  const runWork = async () => {
    await delay()
    try {
      return toResponse(200, expandObject(payments, work(payments), paths))
    } catch (err) {
      // A refusal by the endpoint is a response, which the Idempotency-Key remembers.
      if (err instanceof PaymentError && err.isEarly) throw err
      return toErrorResponse(err)
    }
  }
  // Only a POST has a key: the other methods are idempotent.
  const key = request.method === 'POST' ? String(request.headers['idempotency-key'] ?? '') : ''
  if (key === '') return runWork()
  const keyed = { key, path: record.path, params: record.params, requestId }
  return runOnce(keyed, () => nowInSeconds(payments), runWork)
}

/** The key is a bearer token or the user name of basic authentication. */
function checkKey(authorization = '', secretKey: string): void {
  const [, scheme = '', value = ''] = /^(\w+)\s+(\S+)$/.exec(authorization) ?? []
  const key = scheme.toLowerCase() === 'basic' ? (Buffer.from(value, 'base64').toString().split(':')[0] ?? '') : value
  if (key === '') throw earlyError(401, NO_KEY, 'invalid_request_error')
  if (key === secretKey) return
  const shown =
    key.length < 12 ? '*'.repeat(key.length) : `${key.slice(0, 8)}${'*'.repeat(key.length - 12)}${key.slice(-4)}`
  throw earlyError(401, `Invalid API Key provided: ${shown}`, 'invalid_request_error')
}

function checkVersion(version: string): void {
  if (version.endsWith(`.${VERSION_NAME}`)) return
  const message = `Invalid Stripe API version: ${version}. The simulator implements ${API_VERSION} only.`
  throw earlyError(400, message, 'invalid_request_error')
}

async function readForm(request: FastifyRequest): Promise<JsonObject> {
  const body = await readBody(request)
  if (body === undefined) throw earlyError(413, 'Request Entity Too Large', 'invalid_request_error')
  if (request.method !== 'POST') return parseForm(readUrl(request).searchParams)
  const type = request.headers['content-type'] ?? ''
  if (body !== '' && !type.startsWith('application/x-www-form-urlencoded')) {
    throw earlyError(400, NOT_A_FORM, 'invalid_request_error')
  }
  return parseForm(new URLSearchParams(body))
}

function toErrorResponse(err: unknown): PaymentResponse {
  if (err instanceof PaymentError) return toResponse(err.status, { error: err.fields })
  throw err
}

function toResponse(status: number, body: object): PaymentResponse {
  return { status, body: `${JSON.stringify(body, null, 2)}\n` }
}
