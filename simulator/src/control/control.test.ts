import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { type SeededAccount, START, startFixture } from '../test/harness.ts'

test('the control API works over HTTP and in process', async (t) => {
  const fixture = await startFixture(t)
  const call = async (method: string, path: string, body?: string) => {
    const response = await fetch(`${fixture.simulator.url}/_sim${path}`, {
      method,
      ...(body === undefined ? {} : { body }),
    })
    return {
      status: response.status,
      body: (await response.json()) as { error: string; accounts: number; numbers: [] },
    }
  }

  assert.equal((await call('GET', '')).body.accounts, 1)
  assert.equal((await call('POST', '/accounts', '{"numbers":[{}]}')).body.numbers.length, 1)
  assert.equal((await fixture.control<{ accounts: number }>('GET', '/')).accounts, 2)
  assert.equal((await call('GET', '/nothing')).status, 404)
  assert.equal((await call('POST', '/accounts', '{')).status, 400)
  assert.match((await call('POST', '/accounts', '{"name":1}')).body.error, /name must be a string/)
  assert.match((await call('POST', '/contacts/5511999990000/messages', '{}')).body.error, /to is required/)
  assert.match(
    (await call('PUT', '/contacts/someone', '{}')).body.error,
    /is not a phone number\. Write it with its country code/,
  )
  assert.match((await call('POST', '/faults', '{"kind":"x"}')).body.error, /kind must be one of/)
  assert.equal((await call('POST', '/templates/1', '{"status":"APPROVED"}')).status, 404)
})

test('one seed gives one state, and a reset restores it', async (t) => {
  const options = { seed: 'one' }
  const [first, second, other] = [
    await startFixture(t, options),
    await startFixture(t, options),
    await startFixture(t, { seed: 'two' }),
  ]

  assert.deepEqual(first.account, second.account)
  assert.notEqual(first.wabaId, other.wabaId)
  assert.equal(first.simulator.appSecret, second.simulator.appSecret)
  await first.receive({ type: 'image' })
  await first.control('POST', '/reset')
  assert.equal((await first.control<{ accounts: number }>('GET', '/')).accounts, 0)
  const again = await first.control<SeededAccount>('POST', '/accounts', {
    name: 'Padaria São João',
    subscribed: true,
    numbers: [{ number: '5511987654321', registered: true, pin: '123456' }],
  })
  assert.deepEqual(again, first.account)
})

test('a reset removes faults, webhooks, requests and scheduled tasks', async (t) => {
  const fixture = await startFixture(t)
  await fixture.control('POST', '/faults', { kind: 'error', times: null })
  await fixture.send({ text: { body: 'oi' } })
  await fixture.receive()
  fixture.receiver.posts.length = 0

  await fixture.control('POST', '/reset')
  await fixture.advance(86_400_000)

  assert.deepEqual(await fixture.control('GET', '/faults'), { faults: [], held: 0 })
  assert.deepEqual(await fixture.control('GET', '/webhooks'), { webhooks: [] })
  assert.deepEqual(await fixture.control('GET', '/requests'), { requests: [] })
  assert.equal(fixture.receiver.posts.length, 0)
})

test('a renewed simulator keeps its address and keys, and begins again as one of the other seed', async (t) => {
  const [fixture, other] = [await startFixture(t), await startFixture(t, { seed: 'two' })]
  const { simulator } = fixture
  const readKeys = () => {
    const { url, appId, appSecret, verifyToken, payments } = simulator
    return { url, appId, appSecret, verifyToken, payments: { ...payments } }
  }
  const keys = readKeys()
  await fixture.control('POST', '/faults', { kind: 'error', times: null })
  await fixture.send({ text: { body: 'oi' } })
  await fixture.advance(86_400_000)

  simulator.renew('two')

  assert.deepEqual(readKeys(), keys)
  assert.deepEqual(await fixture.control('GET', '/faults'), { faults: [], held: 0 })
  assert.deepEqual(await fixture.control('GET', '/requests'), { requests: [] })
  const { accounts, clock } = await fixture.control<{ accounts: number; clock: { now: string } }>('GET', '/')
  assert.deepEqual([accounts, clock.now], [0, START.toISOString()])
  const { waba_id } = await fixture.control<SeededAccount>('POST', '/accounts', {})
  assert.equal(waba_id, other.wabaId)
})

test('ids are numbers of 15 to 17 digits', async (t) => {
  const fixture = await startFixture(t)

  for (const id of [fixture.wabaId, fixture.phoneId, fixture.account.business_id, fixture.simulator.appId]) {
    assert.match(id, /^[1-9]\d{14,16}$/)
  }
})

test('the clock can be read and moved', async (t) => {
  const fixture = await startFixture(t)

  assert.deepEqual(await fixture.control('GET', '/clock'), { now: '2026-11-15T12:00:00.000Z', mode: 'manual' })
  assert.deepEqual(await fixture.control('POST', '/clock', { advance_seconds: 3_600 }), {
    now: '2026-11-15T13:00:00.000Z',
    mode: 'manual',
  })
})

test('a wait ends as soon as an item matches', async (t) => {
  const fixture = await startFixture(t)

  const waiting = fixture.control<{ found: boolean; items: object[] }>(
    'GET',
    '/wait?for=webhook&field=messages&state=delivered&count=2',
  )
  await fixture.receive()
  await fixture.receive()

  const { found, items } = await waiting
  assert.deepEqual([found, items.length], [true, 2])
  const idle = await fixture.control<{ found: boolean }>('GET', '/wait?for=idle')
  assert.ok(idle.found)
})

test('a wait without a match ends after its timeout', async (t) => {
  const fixture = await startFixture(t)

  const answer = await fixture.control('GET', '/wait?for=request&path=/nothing&timeout_ms=10')

  assert.deepEqual(answer, { found: false, items: [] })
})

test('waits for requests by their content, and after a given one', async (t) => {
  const fixture = await startFixture(t)
  await fixture.send({ text: { body: 'first' } })
  await fixture.send({ text: { body: 'second' } })
  type Found = { items: { id: string; params: { text: { body: string } } }[] }

  const first = await fixture.control<Found>('GET', '/wait?for=request&contains=first')
  const later = await fixture.control<Found>('GET', `/wait?for=request&path=/messages&after=${first.items[0]?.id}`)

  assert.deepEqual(
    later.items.map(({ params }) => params.text.body),
    ['second'],
  )
})

test('the control API refuses web pages of other origins', async (t) => {
  const fixture = await startFixture(t, { allowedOrigins: ['https://hub.example'] })
  const post = async (origin: string) =>
    (await fetch(`${fixture.simulator.url}/_sim/clock`, { method: 'POST', headers: { origin }, body: '{}' })).status

  assert.equal(await post('https://evil.example'), 403)
  assert.equal(await post('null'), 403)
  assert.equal(await post('http://localhost:8080'), 200)
  assert.equal(await post('https://hub.example'), 200)
})

// A page whose own name resolves to this machine is of one origin with the simulator, and sends no Origin.
test('the control API refuses a request that names another host', {
  rules: ['sandbox.control-api-checks-the-host'],
}, async (t) => {
  const { simulator } = await startFixture(t, { allowedOrigins: ['https://hub.example'] })
  const { port } = new URL(simulator.url)
  const get = (host: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { host }
      request(`${simulator.url}/_sim/clock`, { headers }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
        .on('error', reject)
        .end()
    })

  for (const host of [
    'evil.example',
    `evil.example:${port}`,
    'localhost.evil.example',
    '127.0.0.1.nip.io',
    '10.0.0.1',
  ]) {
    assert.equal(await get(host), 403, host)
  }
  for (const host of [`127.0.0.1:${port}`, 'localhost', `[::1]:${port}`, 'hub.example']) {
    assert.equal(await get(host), 200, host)
  }
})

test('a receiver that calls the control API during a webhook request does not deadlock', async (t) => {
  const fixture = await startFixture(t)
  const { createServer } = await import('node:http')
  const server = createServer(async (_request, response) => {
    await fixture.control('PUT', '/contacts/5511977770000', { name: 'Ana' })
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const { port } = server.address() as { port: number }
  await fixture.control('PUT', '/callback', { url: `http://127.0.0.1:${port}/`, verify: false })

  await fixture.receive()

  const { webhooks } = await fixture.control<{ webhooks: { state: string }[] }>('GET', '/webhooks')
  assert.equal(webhooks[0]?.state, 'delivered')
})
