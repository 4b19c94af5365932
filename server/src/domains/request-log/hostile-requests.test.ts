import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startHub, type TestHub } from '../../../test/hub.ts'
import { sendRaw } from '../../../test/raw-http.ts'
import { newId } from '../../kernel/ids.ts'
import { startFacade } from '../facade/test/fixture.ts'

const BEHIND_PROXY = { env: { TRUSTED_PROXIES: '127.0.0.1/32' } }

/** Paths and query strings that clients send by mistake or to do harm, as the bytes of a request line. */
const TARGETS = [
  '/api/v1/channels/%00',
  '/api/v1/channels/\u0000',
  '/api/v1/channels/%ED%A0%80',
  '/api/v1/channels/\u00ed\u00a0\u0080',
  '/api/v1/channels/\u00ff\u00fe',
  '/api/v1/channels/%',
  '/api/v1/channels/%F0%9F%92%A9?x=%00',
  `/api/v1/channels/${'x'.repeat(1000)}`,
  `/api/v1/channels/${'x'.repeat(15_000)}`,
  `/api/v1/usage?${'x'.repeat(15_000)}`,
  '/api/v1/usage?\u0001',
  '/api/v1/usage#%00',
  '//api/v1/usage',
  '/api/v1/../v1/usage',
  'http://example.com/api/v1/usage',
  'http://%00/api/v1/usage',
  '*',
  '/upstream/%00/messages',
  `/upstream/${'1'.repeat(3000)}/messages`,
  '/upstream/v25.0/1%00/messages',
  '/upstream/\u00ff',
]
const METHODS = ['GET', 'POST', 'QUERY', 'OPTIONS', 'M-SEARCH', 'G\u0000T', 'get', '\u00ff', 'X'.repeat(3000)]
const HEADERS = [
  'X-Request-Id: \u00ff',
  `X-Request-Id: ${'0'.repeat(3000)}`,
  'X-Forwarded-For: \u00ff\u00ff',
  `X-Forwarded-For: ${'9'.repeat(5000)}`,
  `X-Forwarded-For: fe80::1%${'a'.repeat(3000)}`,
]

function buildRequest(key: string, { method = 'GET', target = '/api/v1/usage', header = 'X-Nothing: 1' }): Buffer {
  const lines = [`${method} ${target} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${key}`, header]
  return Buffer.from([...lines, 'Content-Length: 0', 'Connection: close', '', ''].join('\r\n'), 'latin1')
}

async function countLogged({ sql }: TestHub, organizationId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from logged_requests where organization_id = ${organizationId}`
  return row?.count ?? 0
}

test('no request line or header makes the log lose a request, its own or that of another organization', {
  rules: ['requests.log-delays-no-request', 'requests.log-refuses-nothing'],
}, async (t) => {
  const hub = await startHub(t, { ...BEHIND_PROXY, isOwn: true, timeouts: {} })
  const [acme, other] = [await hub.organization(), await hub.organization()]
  const requests = [
    ...TARGETS.map((target) => ({ target })),
    ...METHODS.map((method) => ({ method })),
    ...HEADERS.map((header) => ({ header })),
  ]

  for (const request of requests) {
    const { status } = await sendRaw(hub.url, buildRequest(acme.key, request))
    assert.ok(status >= 200 && status !== 500, `${status} for ${JSON.stringify(request).slice(0, 100)}`)
  }
  await other.get('/api/v1/usage')
  await hub.context.requestLog.flush()

  const metrics = await hub.anonymous.get('/metrics')
  assert.match(metrics.text, /hubline_request_log_dropped_total\{reason="failed_write"\} 0/)
  assert.equal(await countLogged(hub, other.organizationId), 1)
  assert.ok((await countLogged(hub, acme.organizationId)) > HEADERS.length)
  const [longest] = await hub.sql<{ length: number }[]>`
    select max(greatest(length(method), length(route), length(path), length(ip))) as length
    from logged_requests
    where organization_id = ${acme.organizationId}`
  assert.ok((longest?.length ?? 0) < 200, `${longest?.length} characters`)
})

test('hostile paths of the facade are logged by their route', {
  rules: ['requests.path-holds-ids-only', 'requests.log-refuses-nothing'],
}, async (t) => {
  const { hub, channel } = await startFacade(t)
  const targets = TARGETS.filter((target) => target.startsWith('/upstream'))

  for (const target of targets) await sendRaw(hub.url, buildRequest(channel.token, { method: 'POST', target }))
  await hub.context.requestLog.flush()

  const rows = await hub.sql<{ path: string }[]>`
    select distinct path from logged_requests where credential_type = 'channel_token' and path like '/upstream%'`
  assert.deepEqual(
    rows.map(({ path }) => path),
    ['/upstream/*'],
  )
})

test('values that no column holds are logged as far as it does', {
  rules: ['requests.log-refuses-nothing'],
}, async (t) => {
  const hub = await startHub(t)
  const [acme, other] = [await hub.organization(), await hub.organization()]
  const record = ({ organizationId, keyId }: typeof acme, more: object) => {
    const actor = { type: 'api_key' as const, id: keyId, name: null }
    hub.context.requestLog.record({
      organizationId,
      initiator: { actor, ip: '127.0.0.1', requestId: newId() },
      method: 'GET',
      route: '/api/v1/usage',
      url: '/api/v1/usage',
      status: 200,
      errorCode: undefined,
      durationMs: 1,
      answeredAt: performance.now(),
      ...more,
    })
  }

  record(acme, { method: 'G\0T', route: `/\ud800${'x'.repeat(5000)}`, durationMs: 1e12 })
  record(acme, { initiator: { actor: { type: 'system', id: null, name: null }, ip: null, requestId: null } })
  record(other, {})
  await hub.context.requestLog.flush()

  const rows = await hub.sql<{ organization_id: string; method: string; length: number; duration_ms: number }[]>`
    select organization_id, method, length(path) as length, duration_ms
    from logged_requests
    where organization_id in (${acme.organizationId}, ${other.organizationId})
    order by organization_id`
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    [
      { organization_id: acme.organizationId, method: 'G\ufffdT', length: 1024, duration_ms: 2 ** 31 - 1 },
      { organization_id: other.organizationId, method: 'GET', length: 13, duration_ms: 1 },
    ],
  )
})
