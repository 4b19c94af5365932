import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createRequire } from 'node:module'
import { type TestContext, test } from 'node:test'
import { type Receiver, startReceiver } from '../../test/receiver.ts'
import { startWithUpstream } from '../domains/webhooks/test/fixture.ts'
import { createLogger } from '../kernel/logger.ts'
import { startTracing } from './tracing.ts'

type Span = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  status: { code?: number }
  attributes: Record<string, string | number>
}

const SERVER = 2
const FAILED = 2
const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736'
const CLIENT_SPAN_ID = '00f067aa0ba902b7'
const TRACEPARENT = `00-${TRACE_ID}-${CLIENT_SPAN_ID}-01`

/** A collector, and the spans that it has received by the end of the tracing. */
async function startCollected(t: TestContext) {
  const collector = await startReceiver(t)
  const logger = createLogger('silent')
  const tracing = await startTracing({ endpoint: collector.url, serviceName: 'hub', logger })
  let isStopped = false
  async function stop(): Promise<Span[]> {
    if (!isStopped) await tracing[Symbol.asyncDispose]()
    isStopped = true
    return listSpans(collector)
  }
  t.after(stop)
  return { collector, stop }
}

function listSpans(collector: Receiver): Span[] {
  return collector.received.flatMap(({ body }) =>
    JSON.parse(body.toString()).resourceSpans.flatMap((one: { scopeSpans: { spans: RawSpan[] }[] }) =>
      one.scopeSpans.flatMap(({ spans }) => spans.map(toSpan)),
    ),
  )
}

type RawSpan = Omit<Span, 'attributes'> & { attributes: { key: string; value: Record<string, string | number> }[] }

function toSpan(raw: RawSpan): Span {
  const attributes = Object.fromEntries(raw.attributes.map(({ key, value }) => [key, Object.values(value)[0] ?? '']))
  return { ...raw, attributes }
}

function find(spans: Span[], name: string): Span {
  const found = spans.find((span) => span.name === name)
  assert.ok(found, `${name} is not among ${spans.map((span) => span.name).join(', ')}`)
  return found
}

test('without a collector nothing of OpenTelemetry is loaded', {
  rules: ['config.traces-are-exported-on-request'],
}, () => {
  const loaded = Object.keys(createRequire(import.meta.url).cache)

  assert.ok(loaded.some((path) => path.includes('/fastify/')))
  assert.deepEqual(
    loaded.filter((path) => /@opentelemetry\/(?!api\/)/.test(path)),
    [],
  )
})

test('a trace has the request, within the trace of the client, and its upstream call', {
  rules: ['config.traces-are-exported-on-request'],
}, async (t) => {
  const { hub, acme, connect } = await startWithUpstream(t)
  const channel = await connect(acme)
  const { stop } = await startCollected(t)

  const sent = await acme.post(
    `/api/v1/channels/${channel.id}/messages`,
    { to: '5511987654321', type: 'text', text: { body: 'a private word' } },
    { headers: { traceparent: TRACEPARENT, 'idempotency-key': 'first-key' } },
  )
  await hub.anonymous.get(`/api/v1/channels/${channel.id}`, { headers: { traceparent: '00-0-0-01' } })
  const spans = await stop()

  assert.equal(sent.status, 202, sent.text)
  const request = find(spans, 'POST /api/v1/channels/:id/messages')
  const call = find(spans, 'upstream messages.send')
  assert.deepEqual([request.traceId, request.parentSpanId, request.kind], [TRACE_ID, CLIENT_SPAN_ID, SERVER])
  assert.equal(request.attributes['http.response.status_code'], 202)
  assert.equal(request.attributes['hubline.request_id'], sent.headers.get('x-request-id'))
  assert.deepEqual([call.traceId, call.parentSpanId], [TRACE_ID, request.spanId])
  const refused = find(spans, 'GET /api/v1/channels/:id')
  assert.equal(refused.parentSpanId, undefined)
  assert.equal(refused.attributes['hubline.error_code'], 'UNAUTHORIZED')
  assert.ok(!JSON.stringify(spans).includes('a private word'))
  assert.ok(!JSON.stringify(spans).includes('5511987654321'))
})

test('a callback, a claim and each attempt of a delivery are spans', {
  rules: ['config.traces-are-exported-on-request'],
}, async (t) => {
  const { hub, up, receiver, endpoint, publishMany } = await startWithUpstream(t)
  const crm = await endpoint()
  const { stop } = await startCollected(t)
  const bytes = Buffer.from(JSON.stringify({ object: 'whatsapp_business_account', entry: [] }))
  const signature = createHmac('sha256', up.simulator.appSecret).update(bytes).digest('hex')

  await hub.anonymous.send('POST', '/hooks/upstream', {
    raw: new Uint8Array(bytes),
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` },
  })
  receiver.answer(500)
  await publishMany(1)
  await hub.deliver()
  const spans = await stop()

  assert.equal(find(spans, 'store callback').parentSpanId, find(spans, 'POST /hooks/upstream').spanId)
  const attempt = find(spans, 'webhook attempt')
  assert.equal(attempt.parentSpanId, find(spans, 'webhook claim').spanId)
  assert.equal(attempt.attributes['hubline.endpoint_id'], crm.id)
  assert.equal(attempt.attributes['http.response.status_code'], 500)
  assert.equal(attempt.status.code, FAILED)
})

test('a collector that cannot be reached changes no response, and is a warning', async (t) => {
  const { hub } = await startWithUpstream(t)
  const warnings: unknown[] = []
  const logger = createLogger('warn', { format: 'json', write: (line) => void warnings.push(JSON.parse(line)) })
  const tracing = await startTracing({ endpoint: 'http://127.0.0.1:9', serviceName: 'hub', logger })

  const { status } = await hub.anonymous.get('/health')
  await tracing[Symbol.asyncDispose]()

  assert.equal(status, 200)
  assert.equal(warnings.length > 0, true)
})
