import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { ANY_ANSWER, extension } from '../../../test/extension.ts'
import { startHub } from '../../../test/hub.ts'
import { openRawConnection } from '../../../test/raw-http.ts'

/** A route that responds when the test lets it. */
function waitingRoute() {
  const arrived = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const left = Promise.withResolvers<void>()
  const route = extension({ 'GET /api/v1/wait': { public: 'unlimited' } }, (app) => {
    app.get('/wait', { schema: { response: ANY_ANSWER } }, async (request) => {
      request.raw.once('close', left.resolve)
      arrived.resolve()
      await released.promise
      return { data: { answered: true } }
    })
  })
  return { route, arrived: arrived.promise, left: left.promise, release: released.resolve }
}

async function isRefused(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const [error] = await Promise.race([once(socket, 'error'), once(socket, 'connect').then(() => [undefined])])
  socket.destroy()
  return error !== undefined
}

test('a stopping hub is not ready, refuses new requests, finishes open ones and then closes its port', async (t) => {
  const { route, arrived, release } = waitingRoute()
  const hub = await startHub(t, { extension: route })
  const open = hub.anonymous.get('/api/v1/wait')
  await arrived

  const stopped = hub.stop()
  const [ready, health, refused] = [
    await hub.anonymous.get('/ready'),
    await hub.anonymous.get('/health'),
    await hub.anonymous.get('/api/v1/api-keys'),
  ]
  release()
  const answered = await open
  await stopped

  assert.equal(ready.status, 503)
  assert.equal(ready.body.error.code, 'NOT_READY')
  assert.equal(health.status, 200)
  assert.equal(refused.status, 503)
  assert.equal(refused.body.error.code, 'NOT_READY')
  assert.equal(refused.headers.get('retry-after'), '1')
  assert.equal(refused.headers.get('connection'), 'close')
  assert.deepEqual([answered.status, answered.body], [200, { data: { answered: true } }])
  assert.ok(await isRefused(hub.url))
})

test('a stopping hub is not ready at once, and serves requests on connections that it closes for DRAIN_SECONDS', {
  rules: ['process.stopping-is-not-ready', 'process.draining-serves-and-closes'],
}, async (t) => {
  const { route, arrived, release } = waitingRoute()
  const hub = await startHub(t, { extension: route, env: { DRAIN_SECONDS: '5' } })
  const acme = await hub.organization()
  const before = await acme.get('/api/v1/api-keys')
  const open = hub.anonymous.get('/api/v1/wait')
  await arrived

  const stopped = hub.stop()
  const [ready, served, health] = [
    await hub.anonymous.get('/ready'),
    await acme.get('/api/v1/api-keys'),
    await hub.anonymous.get('/health'),
  ]
  release()
  const answered = await open
  await stopped

  assert.deepEqual([ready.status, ready.body.error.code], [503, 'NOT_READY'])
  assert.deepEqual(
    [before, served, health, answered].map(({ status }) => status),
    [200, 200, 200, 200],
  )
  assert.deepEqual(
    [before, served, answered].map(({ headers }) => headers.get('connection')),
    ['keep-alive', 'close', 'close'],
  )
  assert.ok(await isRefused(hub.url))
})

// The framework has another response for requests during the close.
test('a request while the hub closes its port is 503 with the usual error body', async (t) => {
  const closing = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const route = extension({ 'GET /api/v1/wait': { public: 'unlimited' } }, (app) => {
    app.get('/wait', { schema: { response: ANY_ANSWER } }, async () => ({ data: {} }))
    app.addHook('preClose', async () => {
      closing.resolve()
      await released.promise
    })
  })
  const hub = await startHub(t, { extension: route })

  const stopped = hub.stop()
  await closing.promise
  const [refused, unknown, health] = [
    await hub.anonymous.get('/api/v1/wait'),
    await hub.anonymous.get('/nowhere'),
    await hub.anonymous.get('/health'),
  ]
  released.resolve()
  await stopped

  for (const { body, headers } of [refused, unknown]) {
    assert.deepEqual(Object.keys(body.error), ['code', 'message', 'request_id', 'details'])
    assert.equal(headers.get('x-request-id'), body.error.request_id)
  }
  assert.deepEqual([refused.status, refused.body.error.code], [503, 'NOT_READY'])
  assert.equal(refused.headers.get('retry-after'), '1')
  assert.equal(refused.headers.get('connection'), 'close')
  assert.deepEqual([unknown.status, unknown.body.error.code], [404, 'NOT_FOUND'])
  assert.equal(health.status, 200)
})

// Its work, such as a send in flight, must still be recorded.
test('a stopping hub finishes requests whose client disconnected', async (t) => {
  const { route, arrived, left, release } = waitingRoute()
  const hub = await startHub(t, { extension: route })
  const connection = await openRawConnection(hub.url)
  connection.write('GET /api/v1/wait HTTP/1.1\r\nHost: h\r\n\r\n')
  await arrived
  connection.hangUp()
  await left

  let isStopped = false
  const stopped = hub.stop().then(() => {
    isStopped = true
  })
  const ready = await hub.anonymous.get('/ready')

  assert.equal(ready.status, 503)
  assert.equal(isStopped, false)
  release()
  await stopped
})

test('a hub without open requests stops although clients keep connections open', async (t) => {
  const hub = await startHub(t)
  const connection = await openRawConnection(hub.url)
  connection.write('GET /health HTTP/1.1\r\nHost: h\r\n\r\n')
  await hub.anonymous.get('/health')

  await hub.stop()

  assert.equal((await connection.answer()).status, 200)
  assert.ok(await isRefused(hub.url))
})
