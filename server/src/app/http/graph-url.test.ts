import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type RawResponse, sendRaw } from '../../../test/raw-http.ts'
import { startFacade } from '../../domains/facade/test/fixture.ts'

const GRAPH_URL = 'http://graph.hub.test:8443'

async function get(url: string, path: string, headers: string[]): Promise<RawResponse> {
  return sendRaw(url, [`GET ${path} HTTP/1.1`, ...headers, 'Connection: close', '\r\n'].join('\r\n'))
}

test("the root of GRAPH_URL's host is /graph, and neither the API nor a page is there", {
  rules: ['graph.own-host-is-the-mount', 'graph.own-host-has-no-pages'],
}, async (t) => {
  const { hub, channel } = await startFacade(t, { env: { GRAPH_URL } })
  const { phoneNumberId } = channel.number
  const host = 'Host: GRAPH.hub.test'

  const number = await get(hub.url, `/v25.0/${phoneNumberId}?access_token=${channel.token}`, [host])
  const health = await get(hub.url, '/health', [host])
  const others = await Promise.all(
    ['/', '/api/v1/channels', '/sign-in', '/docs', '/ready', '/metrics', '/openapi.json', '/hooks/upstream'].map(
      (path) => get(hub.url, path, [host, 'Accept: text/html']),
    ),
  )
  const absolute = await get(hub.url, `http://graph.hub.test/${phoneNumberId}?access_token=${channel.token}`, [host])
  const elsewhere = await get(hub.url, `/${phoneNumberId}?access_token=${channel.token}`, ['Host: other.test'])

  assert.deepEqual([number.status, number.body.id], [200, phoneNumberId])
  assert.deepEqual([health.status, health.body], [200, { data: { status: 'ok' } }])
  for (const { status, body, headers } of others) {
    assert.deepEqual([status, body.error.code], [401, 190])
    assert.equal(headers.get('set-cookie'), null)
  }
  assert.deepEqual([absolute.status, absolute.body.error.error_subcode], [400, 33])
  assert.equal(elsewhere.status, 404)
})

test("GRAPH_URL's host is the same with the dot of the root, in capitals and with any port", {
  rules: ['graph.host-may-end-in-a-dot'],
}, async (t) => {
  const { hub, channel } = await startFacade(t, { env: { GRAPH_URL } })
  const authorization = `Authorization: Bearer ${channel.token}`

  for (const host of ['graph.hub.test.', 'GRAPH.hub.test.:8443', 'graph.hub.test:1']) {
    const number = await get(hub.url, `/${channel.number.phoneNumberId}`, [`Host: ${host}`, authorization])
    const page = await get(hub.url, '/sign-in', [`Host: ${host}`, 'Accept: text/html'])

    assert.deepEqual([number.status, number.body.id], [200, channel.number.phoneNumberId], host)
    assert.deepEqual([page.status, page.body.error.code], [401, 190], host)
  }
})

test("on GRAPH_URL's host a request that is not HTTP, has too large headers or changes /health fails as at Meta", {
  rules: ['graph.bad-http-fails-as-at-meta'],
}, async (t) => {
  const { hub } = await startFacade(t, { env: { GRAPH_URL, TRUSTED_PROXIES: '127.0.0.0/8' } })
  const named = 'Host: graph.hub.test'
  const large = `X-Long: ${'x'.repeat(40_000)}`

  const refused = {
    'large headers': await get(hub.url, '/1', [named, large]),
    'a forwarded name': await get(hub.url, '/1', ['Host: internal', 'X-Forwarded-Host: graph.hub.test', large]),
    'a line without a colon': await get(hub.url, '/1', [named, 'Bad Header']),
    'no body of HTTP': await sendRaw(hub.url, `POST /1 HTTP/1.1\r\n${named}\r\nContent-Length: x\r\n\r\n`),
  }
  const posted = await sendRaw(hub.url, `POST /health HTTP/1.1\r\n${named}\r\nConnection: close\r\n\r\n`)
  const elsewhere = await get(hub.url, '/1', ['Host: hub.test', large])

  for (const [what, { status, body }] of Object.entries(refused)) {
    assert.deepEqual([status, body.error.code, body.error.type], [400, 100, 'OAuthException'], what)
  }
  assert.deepEqual([posted.status, posted.body.error.code], [401, 190])
  assert.deepEqual([elsewhere.status, elsewhere.body.error.code], [431, 'HEADERS_TOO_LARGE'])
})

test("the host that a trusted proxy forwards selects /graph, and an untrusted peer's does not", {
  rules: ['graph.own-host-is-the-mount'],
}, async (t) => {
  const forwarded = ['Host: internal', 'X-Forwarded-Host: graph.hub.test']
  const trusting = await startFacade(t, { env: { GRAPH_URL, TRUSTED_PROXIES: '127.0.0.0/8' } })
  const other = await startFacade(t, { env: { GRAPH_URL } })

  const selected = await get(trusting.hub.url, '/1', forwarded)
  const ignored = await get(other.hub.url, '/1', forwarded)

  assert.deepEqual([selected.status, selected.body.error.code], [401, 190])
  assert.deepEqual([ignored.status, ignored.body.error.code], [404, 'NOT_FOUND'])
})

test('addresses in answers begin with GRAPH_URL if it is set', {
  rules: ['graph.addresses-begin-with-graph-url'],
}, async (t) => {
  const { hub, channel } = await startFacade(t, { env: { GRAPH_URL } })
  const { wabaId, phoneNumberId } = channel.number
  const boundary = 'x'
  const body = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n%PDF-1.7 a\r\n--${boundary}--\r\n`
  const uploaded = await fetch(`${hub.url}/graph/${phoneNumberId}/media?access_token=${channel.token}`, {
    method: 'POST',
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body,
  })
  const { id } = (await uploaded.json()) as { id: string }

  const node = await fetch(`${hub.url}/graph/${id}?access_token=${channel.token}`)
  const account = await fetch(`${hub.url}/graph/${wabaId}?access_token=${channel.token}`)

  assert.equal(((await node.json()) as { url: string }).url, `${GRAPH_URL}/${id}/content`)
  assert.equal(account.status, 200)
})
