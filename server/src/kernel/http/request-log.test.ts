import assert from 'node:assert/strict'
import { test } from 'node:test'
import { extension } from '../../../test/extension.ts'
import { bearer, startHub, type TestHub } from '../../../test/hub.ts'
import { openRawConnection } from '../../../test/raw-http.ts'
import { newToken } from '../crypto/tokens.ts'
import { isUuid } from '../ids.ts'

/** The log lines with a request id. */
function listLines({ logs }: TestHub, requestId: string | null) {
  return logs.map((line) => JSON.parse(line)).filter((line) => line.request_id === requestId)
}

test('a request is one line with the caller, method, route, status and duration', async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()

  const res = await acme.post('/api/v1/api-keys', { name: 'ci', scopes: ['audit:read'] })

  const [line, ...others] = listLines(hub, res.headers.get('x-request-id'))
  assert.deepEqual(others, [])
  const { time, ms, ...rest } = line
  assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.equal(typeof ms, 'number')
  assert.deepEqual(rest, {
    level: 'info',
    request_id: res.headers.get('x-request-id'),
    method: 'POST',
    route: '/api/v1/api-keys',
    status: 201,
    ip: '127.0.0.1',
    organization_id: acme.organizationId,
    credential_id: acme.keyId,
    msg: 'request',
  })
})

test('the line of a refused request has the code of the error', async (t) => {
  const hub = await startHub(t)

  const res = await hub.anonymous.get('/api/v1/channels')

  const [line] = listLines(hub, res.headers.get('x-request-id'))
  assert.deepEqual([line.status, line.error_code], [401, 'UNAUTHORIZED'])
})

test("the line of a person's request has the user id", async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()

  const res = await ana.get('/console/session')

  const [line] = listLines(hub, res.headers.get('x-request-id'))
  assert.equal(line.organization_id, ana.organizationId)
  assert.equal(line.credential_id, ana.userId)
})

test('a refused request is one line, with the caller once it is known', async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization(['api_keys:read'])

  const answers = [
    await hub.anonymous.get('/nowhere'),
    await hub.anonymous.post('/health'),
    await hub.anonymous.get('/api/v1/api-keys'),
    await acme.get('/api/v1/audit-log'),
    await acme.get('/api/v1/api-keys', { headers: { 'x-hub-organization': 'x' } }),
  ]

  const lines = answers.map((res) => listLines(hub, res.headers.get('x-request-id')))
  assert.deepEqual(
    lines.map((found) => found.map(({ route, status }) => ({ route, status }))),
    [
      [{ route: null, status: 404 }],
      [{ route: null, status: 405 }],
      [{ route: '/api/v1/api-keys', status: 401 }],
      [{ route: '/api/v1/audit-log', status: 403 }],
      [{ route: '/api/v1/api-keys', status: 400 }],
    ],
  )
  assert.equal(lines[3]?.[0].organization_id, acme.organizationId)
  assert.equal(lines[3]?.[0].credential_id, acme.keyId)
})

test('an internal failure adds one line with the error and the same request id', async (t) => {
  const hub = await startHub(t, {
    extension: extension({ 'GET /api/v1/broken': { public: 'unlimited' } }, (app) => {
      app.get('/broken', async () => {
        throw new Error(`no answer for ${newToken('api_key')} at 5511987654321`)
      })
    }),
  })

  const res = await hub.anonymous.get('/api/v1/broken')

  const lines = listLines(hub, res.headers.get('x-request-id'))
  assert.deepEqual(
    lines.map(({ level, msg }) => [level, msg]),
    [
      ['error', 'request failed'],
      ['info', 'request'],
    ],
  )
  assert.match(lines[0].err.message, /^no answer for hub_pk_\[redacted\] at \[number\]$/)
  assert.doesNotMatch(hub.logs.join(''), /hub_pk_[0-9A-Za-z]|5511987654321/)
})

test('no line contains a path, a query string, a header or a body', async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const invitation = newToken('invitation')

  await hub.anonymous.get(`/console/join/${invitation}?planted-query=1`)
  await hub.anonymous.get(`/planted-path/${invitation}`)
  await hub.anonymous.get('/planted-path/%zz')
  await hub.anonymous.get(`/api/v1/api-keys?access_token=${acme.key}&planted-query=1`)
  await hub.anonymous.get('/api/v1/api-keys', {
    headers: { ...bearer('planted-bearer'), 'user-agent': 'planted-agent' },
  })
  await hub.anonymous.post('/console/sign-in', { email: 'planted@example.com', password: 'planted-password' })
  await hub.anonymous.send('POST', '/console/sign-in', {
    headers: { 'content-type': 'application/json', cookie: 'planted-cookie=1' },
    raw: '{"planted-body":',
  })
  await acme.post('/api/v1/api-keys', { name: 'planted-name', scopes: ['planted-scope'] })

  const text = hub.logs.join('')
  assert.doesNotMatch(text, /planted/)
  assert.ok(!text.includes(invitation) && !text.includes(acme.key))
  assert.ok(!text.includes(invitation.slice(7)) && !text.includes(acme.key.slice(7)))
  assert.match(text, /"route":"\/console\/join\/:token"/)
})

test('a request whose client disconnected is one line', async (t) => {
  const arrived = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const left = Promise.withResolvers<void>()
  const hub = await startHub(t, {
    extension: extension({ 'GET /api/v1/wait': { public: 'unlimited' } }, (app) => {
      app.get('/wait', async (request) => {
        request.raw.once('close', left.resolve)
        arrived.resolve()
        await released.promise
        return { data: {} }
      })
    }),
  })
  const connection = await openRawConnection(hub.url)
  connection.write('GET /api/v1/wait HTTP/1.1\r\nHost: h\r\n\r\n')
  await arrived.promise

  connection.hangUp()
  await left.promise
  released.resolve()
  await hub.stop()

  const lines = hub.logs.map((line) => JSON.parse(line)).filter(({ route }) => route === '/api/v1/wait')
  assert.equal(lines.length, 1)
  assert.ok(isUuid(lines[0].request_id))
})
