import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Fixture, listStatuses, startFixture } from './test/harness.ts'

const TEXT = { type: 'text', text: { body: 'oi' }, biz_opaque_callback_data: 'our-id' }

function order(fixture: Fixture, fault: Record<string, string | number | null>) {
  return fixture.control<{ id: string }>('POST', '/faults', { path: '/messages', ...fault })
}

async function sentCount(fixture: Fixture): Promise<number> {
  return (await fixture.control<{ messages: { direction: string }[] }>('GET', '/messages')).messages.filter(
    ({ direction }) => direction === 'outbound',
  ).length
}

test('reset_before creates no message; reset_after creates one that gets its statuses', async (t) => {
  const fixture = await startFixture(t)
  await fixture.receive()

  await order(fixture, { kind: 'reset_before' })
  await assert.rejects(fixture.send(TEXT))
  assert.equal(await sentCount(fixture), 0)
  await order(fixture, { kind: 'reset_after' })
  await assert.rejects(fixture.send(TEXT))
  assert.equal(await sentCount(fixture), 1)
  await fixture.advance(10_000)
  assert.deepEqual(
    listStatuses(fixture.receiver).map(({ status, biz_opaque_callback_data: data }) => [status, data]),
    [
      ['sent', 'our-id'],
      ['delivered', 'our-id'],
      ['read', 'our-id'],
    ],
  )
  assert.equal((await fixture.send(TEXT)).status, 200)
})

test('hang_after holds the connection until the fault is removed, and the message is sent', async (t) => {
  const fixture = await startFixture(t)
  await order(fixture, { kind: 'hang_after' })

  const hanging = fixture.send(TEXT)
  await fixture.control('GET', '/wait?for=request&path=/messages')
  assert.equal(await sentCount(fixture), 1)
  const { held } = await fixture.control<{ held: number }>('GET', '/faults')
  assert.equal(held, 1)
  await fixture.control('DELETE', '/faults')

  await assert.rejects(hanging)
  const { requests } = await fixture.control<{ requests: { status: number | null; fault: string }[] }>(
    'GET',
    '/requests',
  )
  assert.deepEqual([requests[0]?.status, requests[0]?.fault], [null, 'hang_after'])
})

test('hang_before has no effect on the message', async (t) => {
  const fixture = await startFixture(t)
  await order(fixture, { kind: 'hang_before' })

  const hanging = fixture.send(TEXT)
  await fixture.control('GET', '/wait?for=request&path=/messages')
  await fixture.control('DELETE', '/faults')

  await assert.rejects(hanging)
  assert.equal(await sentCount(fixture), 0)
})

test('error_after sends the message, and responds with the error of the code', async (t) => {
  const fixture = await startFixture(t)
  await order(fixture, { kind: 'error_after', code: 131000 })

  const { status, body } = await fixture.send(TEXT)

  assert.deepEqual([status, body.error?.code, body.error?.type], [500, 131000, 'OAuthException'])
  assert.equal(await sentCount(fixture), 1)
})

test('http and http_after respond 5xx with HTML', async (t) => {
  const fixture = await startFixture(t)

  await order(fixture, { kind: 'http', status: 502 })
  const before = await fixture.send(TEXT)
  assert.deepEqual([before.status, await sentCount(fixture)], [502, 0])
  assert.match(before.headers.get('content-type') ?? '', /text\/html/)
  await order(fixture, { kind: 'http_after', status: 500 })
  const after = await fixture.send(TEXT)
  assert.deepEqual([after.status, await sentCount(fixture)], [500, 1])
  const { requests } = await fixture.control<{ requests: { status: number | null }[] }>('GET', '/requests')
  assert.deepEqual(
    requests.map(({ status }) => status),
    [502, 500],
  )
})

test('garbled_after truncates the JSON of the response', async (t) => {
  const fixture = await startFixture(t)
  await order(fixture, { kind: 'garbled_after' })

  await assert.rejects(fixture.send(TEXT), SyntaxError)

  assert.equal(await sentCount(fixture), 1)
})

test('error responds with any code of the table, and throttle with 130429', async (t) => {
  const fixture = await startFixture(t)

  await order(fixture, { kind: 'throttle' })
  assert.equal((await fixture.send(TEXT)).body.error.code, 130429)
  for (const [code, status] of [
    [131016, 500],
    [2, 503],
    [190, 401],
    [4, 400],
    [131057, 500],
    [368, 403],
  ]) {
    await order(fixture, { kind: 'error', code: code ?? 0 })
    const reply = await fixture.send(TEXT)
    assert.deepEqual([reply.body.error.code, reply.status], [code, status])
  }
  assert.equal(await sentCount(fixture), 0)
})

test('a fault lets some matching requests pass and affects the given number of them', async (t) => {
  const fixture = await startFixture(t)
  await order(fixture, { kind: 'error', code: 2, skip: 1, times: 2, method: 'POST' })

  assert.equal((await fixture.graph('GET', `/${fixture.phoneId}`)).status, 200)
  const statuses = []
  for (let count = 0; count < 4; count++) statuses.push((await fixture.send(TEXT)).status)
  assert.deepEqual(statuses, [200, 503, 503, 200])
})

test('a fault with times null affects requests until it is removed', async (t) => {
  const fixture = await startFixture(t)
  const { id } = await order(fixture, { kind: 'error', code: 2, times: null })

  for (let time = 0; time < 5; time++) assert.equal((await fixture.send(TEXT)).status, 503)
  await fixture.control('DELETE', `/faults/${id}`)
  assert.equal((await fixture.send(TEXT)).status, 200)
})

test('a fault can affect a share of the requests, the same ones for the same seed', async (t) => {
  const results = async () => {
    const fixture = await startFixture(t, { seed: 'share' })
    await order(fixture, { kind: 'error', code: 2, times: null, rate: 0.5 })
    const seen: number[] = []
    for (let time = 0; time < 20; time++) seen.push((await fixture.send(TEXT)).status)
    return seen
  }

  const [first, second] = [await results(), await results()]

  assert.deepEqual(first, second)
  assert.ok(first.includes(503) && first.includes(200))
})

test('latency only delays the response', async (t) => {
  const fixture = await startFixture(t)
  await order(fixture, { kind: 'latency', latency_ms: 20 })

  const reply = await fixture.send(TEXT)

  assert.equal(reply.status, 200)
  const { faults } = await fixture.control<{ faults: { hits: number }[] }>('GET', '/faults')
  assert.equal(faults[0]?.hits, 1)
})
