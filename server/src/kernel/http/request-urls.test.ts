import assert from 'node:assert/strict'
import { test } from 'node:test'
import { extension } from '../../../test/extension.ts'
import { startHub } from '../../../test/hub.ts'
import { sendRaw } from '../../../test/raw-http.ts'
import { isUuid, newId } from '../ids.ts'

const GET = 'HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n'

test('an unknown path is 404, with any method and without a credential', {
  rules: ['error.absent-and-foreign-are-404'],
}, async (t) => {
  const { anonymous } = await startHub(t)

  for (const path of ['/nowhere', '/api/v1', '/api/v1/nothing', '/console/nothing', '/health/', '/Health', '//']) {
    for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS', 'PROPFIND']) {
      const res = await anonymous.send(method, path)
      assert.equal(res.status, 404, `${method} ${path}`)
      assert.equal(res.body.error.code, 'NOT_FOUND')
    }
  }
})

test('a known path with another method is 405 with an Allow header', {
  rules: ['error.wrong-method-is-405'],
}, async (t) => {
  const { anonymous } = await startHub(t)
  const allowed: [string, string, string][] = [
    ['POST', '/health', 'GET, HEAD'],
    ['DELETE', '/api/v1/api-keys', 'GET, HEAD, POST'],
    ['GET', `/api/v1/api-keys/${newId()}/revoke`, 'POST'],
    ['OPTIONS', '/console/sign-in', 'POST'],
    ['PATCH', '/api/v1/api-keys?limit=1', 'GET, HEAD, POST'],
    ['PROPFIND', '/openapi.json', 'GET, HEAD'],
  ]

  for (const [method, path, methods] of allowed) {
    const answer = await anonymous.send(method, path)
    assert.equal(answer.status, 405, `${method} ${path}`)
    assert.equal(answer.body.error.code, 'METHOD_NOT_ALLOWED')
    assert.equal(answer.headers.get('allow'), methods)
  }
})

test('a wrong path or method is 404 or 405 even if the body is invalid', async (t) => {
  const { anonymous } = await startHub(t)
  const bodies = [{ 'content-type': 'text/plain' }, { 'content-type': 'application/json' }]

  for (const headers of bodies) {
    const unknown = await anonymous.send('POST', '/nowhere', { headers, raw: '{' })
    const wrongMethod = await anonymous.send('PUT', '/api/v1/api-keys', { headers, raw: '{' })
    assert.equal(unknown.status, 404)
    assert.equal(wrongMethod.status, 405)
  }
})

test('a NUL character in the path or the query is 400', async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const paths = ['/%00', '/api/v1/api-keys/%00/revoke', '/console/join/a%00b', '/health?a=%00', '/health?%00=a']

  for (const path of paths) {
    const res = await hub.anonymous.get(path)
    assert.equal(res.status, 400, path)
    assert.equal(res.body.error.code, 'INVALID_REQUEST')
  }
  const filtered = await acme.get('/api/v1/audit-log?action=%00')
  assert.equal(filtered.status, 400)
})

test('a URL that is not percent-encoded UTF-8 is 400 with the error body and every header', async (t) => {
  const { url, logs } = await startHub(t)
  const paths = ['/%', '/%zz', '/api/v1/api-keys/%ff/revoke', '/console/join/%C0%80', '/%ED%A0%80', '/health?a=%ff']

  for (const path of paths) {
    const answer = await sendRaw(url, `GET ${path} ${GET}`)
    assert.equal(answer.status, 400, path)
    assert.equal(answer.body.error.code, 'INVALID_REQUEST')
    assert.ok(isUuid(answer.body.error.request_id))
    assert.equal(answer.headers.get('x-request-id'), answer.body.error.request_id)
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(logs.filter((line) => line.includes(answer.body.error.request_id)).length, 1)
  }
})

test('a percent sign that is itself encoded is an ordinary character', async (t) => {
  const { anonymous } = await startHub(t)

  const res = await anonymous.get('/console/join/%2500')

  assert.equal(res.status, 404)
})

test('a path segment that is longer than any id is 404 with the error body', async (t) => {
  const { url } = await startHub(t)

  const answer = await sendRaw(url, `GET /console/join/${'a'.repeat(5000)} ${GET}`)

  assert.equal(answer.status, 404)
  assert.equal(answer.body.error.code, 'NOT_FOUND')
  assert.equal(answer.headers.get('x-request-id'), answer.body.error.request_id)
  assert.equal(answer.headers.get('cache-control'), 'no-store')
})

test('an id that is not a UUID is 400 with the name of the parameter', {
  rules: ['api.malformed-id-is-400', 'api.invalid-value-is-400-with-issues'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()

  const res = await acme.post('/api/v1/api-keys/x/revoke')

  assert.equal(res.status, 400)
  assert.equal(res.body.error.details.issues[0].path, '/id')
})

test('a query parameter that is not a decimal number is 400', {
  rules: ['api.whole-numbers-are-decimal-digits'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()

  const taken = await acme.get('/api/v1/audit-log?limit=1')
  const refused = await acme.get('/api/v1/audit-log?limit=one')

  assert.equal(taken.status, 200)
  assert.equal(refused.status, 400)
  assert.equal(refused.body.error.details.issues[0].path, '/limit')
})

test("a client's request id is used if it is a UUID, and replaced otherwise", {
  rules: ['api.request-id-is-in-every-response', 'api.client-request-id-is-kept'],
}, async (t) => {
  const { anonymous } = await startHub(t)
  const own = newId()

  const kept = await anonymous.get('/nowhere', { headers: { 'x-request-id': own.toUpperCase() } })
  const replaced = await anonymous.get('/nowhere', { headers: { 'x-request-id': 'planted' } })
  const success = await anonymous.get('/health', { headers: { 'x-request-id': own } })

  assert.equal(kept.headers.get('x-request-id'), own)
  assert.equal(kept.body.error.request_id, own)
  assert.ok(isUuid(replaced.body.error.request_id))
  assert.equal(replaced.headers.get('x-request-id'), replaced.body.error.request_id)
  assert.equal(success.headers.get('x-request-id'), own)
})

test('an internal failure is 500 without its cause, which is logged', {
  rules: ['error.own-failure-is-500', 'error.message-reveals-nothing'],
}, async (t) => {
  const { anonymous, logs } = await startHub(t, {
    extension: extension({ 'GET /api/v1/broken': { public: 'unlimited' } }, (app) => {
      app.get('/broken', async () => {
        throw new Error('planted-message', { cause: new Error('planted-cause') })
      })
    }),
  })

  const res = await anonymous.get('/api/v1/broken')

  assert.equal(res.status, 500)
  assert.equal(res.body.error.code, 'INTERNAL_ERROR')
  assert.equal(res.body.error.request_id, res.headers.get('x-request-id'))
  assert.doesNotMatch(res.text, /planted|stack|\.ts/)
  const failed = logs.map((line) => JSON.parse(line)).find(({ err }) => err !== undefined)
  assert.equal(failed.request_id, res.body.error.request_id)
  assert.equal(failed.err.cause.message, 'planted-cause')
})

test('a thrown value that is not an error is 500', async (t) => {
  const { anonymous } = await startHub(t, {
    extension: extension({ 'GET /api/v1/broken': { public: 'unlimited' } }, (app) => {
      app.get('/broken', async () => {
        throw 'planted'
      })
    }),
  })

  const res = await anonymous.get('/api/v1/broken')

  assert.equal(res.status, 500)
  assert.equal(res.body.error.code, 'INTERNAL_ERROR')
  assert.doesNotMatch(res.text, /planted/)
})
