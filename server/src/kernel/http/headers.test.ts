import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startHub } from '../../../test/hub.ts'

const EXPECTED = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'cache-control': 'no-store',
}

test('every response has the security headers, whether it succeeds or fails', {
  rules: ['api.request-id-is-in-every-response'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization(['api_keys:read'])

  const answers = {
    200: await acme.get('/api/v1/api-keys'),
    400: await hub.anonymous.post('/console/sign-in', {}),
    401: await hub.anonymous.get('/api/v1/api-keys'),
    403: await acme.get('/api/v1/audit-log'),
    404: await hub.anonymous.get('/nowhere'),
    405: await hub.anonymous.post('/health'),
    415: await hub.anonymous.send('POST', '/console/sign-in', { headers: { 'content-type': 'text/plain' }, raw: 'x' }),
  }

  for (const [status, answer] of Object.entries(answers)) {
    assert.equal(answer.status, Number(status))
    const given = Object.fromEntries(Object.keys(EXPECTED).map((name) => [name, answer.headers.get(name)]))
    assert.deepEqual(given, EXPECTED)
    assert.ok(answer.headers.has('x-request-id'))
    assert.ok(!answer.headers.has('server') && !answer.headers.has('x-powered-by'))
  }
})

test('Strict-Transport-Security is sent only if the public URL is https', async (t) => {
  const plain = await startHub(t)
  const secure = await startHub(t, { env: { PUBLIC_URL: 'https://hub.example.com' } })

  const answers = [await secure.anonymous.get('/health'), await secure.anonymous.get('/nowhere')]

  for (const answer of answers) assert.equal(answer.headers.get('strict-transport-security'), 'max-age=31536000')
  assert.ok(!(await plain.anonymous.get('/health')).headers.has('strict-transport-security'))
})

test('a 401 has a WWW-Authenticate header', async (t) => {
  const { anonymous } = await startHub(t)

  const res = await anonymous.get('/api/v1/api-keys')

  assert.equal(res.headers.get('www-authenticate'), 'Bearer realm="hubline"')
})

test('HEAD responds like GET without the body', async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const paths: [string, typeof hub.anonymous][] = [
    ['/health', hub.anonymous],
    ['/nowhere', hub.anonymous],
    ['/openapi.json', hub.anonymous],
    ['/api/v1/api-keys', hub.anonymous],
    ['/api/v1/audit-log?limit=1', acme],
  ]

  for (const [path, client] of paths) {
    const [head, get] = [await client.send('HEAD', path), await client.get(path)]
    assert.equal(head.status, get.status, path)
    assert.equal(head.text, '')
    assert.equal(head.headers.get('content-type'), get.headers.get('content-type'))
    assert.equal(head.headers.get('content-length'), get.headers.get('content-length'))
  }
})
