import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Bench, startBench, statusesIn } from './test/harness.ts'

const TEXT = { type: 'text', text: { body: 'oi' }, biz_opaque_callback_data: 'our-id' }

function order(bench: Bench, fault: Record<string, string | number | null>) {
  return bench.control<{ id: string }>('POST', '/faults', { path: '/messages', ...fault })
}

async function sentCount(bench: Bench): Promise<number> {
  return (await bench.control<{ messages: { direction: string }[] }>('GET', '/messages')).messages.filter(
    ({ direction }) => direction === 'outbound',
  ).length
}

test('a reset before accepting leaves no message; a reset after accepting leaves one that goes its way', async (t) => {
  const bench = await startBench(t)
  await bench.receive()

  await order(bench, { kind: 'reset_before' })
  await assert.rejects(bench.send(TEXT))
  assert.equal(await sentCount(bench), 0)
  await order(bench, { kind: 'reset_after' })
  await assert.rejects(bench.send(TEXT))
  assert.equal(await sentCount(bench), 1)
  await bench.advance(10_000)
  assert.deepEqual(
    statusesIn(bench.receiver).map(({ status, biz_opaque_callback_data: data }) => [status, data]),
    [
      ['sent', 'our-id'],
      ['delivered', 'our-id'],
      ['read', 'our-id'],
    ],
  )
  assert.equal((await bench.send(TEXT)).status, 200)
})

test('a hang after accepting holds the connection until it is lifted, and the message is sent all the same', async (t) => {
  const bench = await startBench(t)
  await order(bench, { kind: 'hang_after' })

  const hanging = bench.send(TEXT)
  await bench.control('GET', '/wait?for=request&path=/messages')
  assert.equal(await sentCount(bench), 1)
  const { held } = await bench.control<{ held: number }>('GET', '/faults')
  assert.equal(held, 1)
  await bench.control('DELETE', '/faults')

  await assert.rejects(hanging)
  const { requests } = await bench.control<{ requests: { status: number | null; fault: string }[] }>('GET', '/requests')
  assert.deepEqual([requests[0]?.status, requests[0]?.fault], [null, 'hang_after'])
})

test('a hang before accepting has no effect', async (t) => {
  const bench = await startBench(t)
  await order(bench, { kind: 'hang_before' })

  const hanging = bench.send(TEXT)
  await bench.control('GET', '/wait?for=request&path=/messages')
  await bench.control('DELETE', '/faults')

  await assert.rejects(hanging)
  assert.equal(await sentCount(bench), 0)
})

test('an outage answers 5xx without a readable body, before or after accepting', async (t) => {
  const bench = await startBench(t)

  await order(bench, { kind: 'http', status: 502 })
  const before = await bench.send(TEXT)
  assert.deepEqual([before.status, await sentCount(bench)], [502, 0])
  assert.match(before.headers.get('content-type') ?? '', /text\/html/)
  await order(bench, { kind: 'http_after', status: 500 })
  const after = await bench.send(TEXT)
  assert.deepEqual([after.status, await sentCount(bench)], [500, 1])
  const { requests } = await bench.control<{ requests: { status: number | null }[] }>('GET', '/requests')
  assert.deepEqual(
    requests.map(({ status }) => status),
    [502, 500],
  )
})

test('an answer can be cut off in the middle of its JSON', async (t) => {
  const bench = await startBench(t)
  await order(bench, { kind: 'garbled_after' })

  await assert.rejects(bench.send(TEXT), SyntaxError)

  assert.equal(await sentCount(bench), 1)
})

test('any code of the table can be ordered, a throttle by its own name', async (t) => {
  const bench = await startBench(t)

  await order(bench, { kind: 'throttle' })
  assert.equal((await bench.send(TEXT)).body.error.code, 130429)
  for (const [code, status] of [
    [131016, 500],
    [2, 503],
    [190, 401],
    [4, 400],
    [131057, 500],
    [368, 403],
  ]) {
    await order(bench, { kind: 'error', code: code ?? 0 })
    const reply = await bench.send(TEXT)
    assert.deepEqual([reply.body.error.code, reply.status], [code, status])
  }
  assert.equal(await sentCount(bench), 0)
})

test('a fault strikes as often as it was told, only where it was told', async (t) => {
  const bench = await startBench(t)
  await order(bench, { kind: 'error', code: 2, times: 2, method: 'POST' })

  assert.equal((await bench.graph('GET', `/${bench.phoneId}`)).status, 200)
  assert.deepEqual(
    [(await bench.send(TEXT)).status, (await bench.send(TEXT)).status, (await bench.send(TEXT)).status],
    [503, 503, 200],
  )
})

test('a fault without an end strikes until it is removed', async (t) => {
  const bench = await startBench(t)
  const { id } = await order(bench, { kind: 'error', code: 2, times: null })

  for (let time = 0; time < 5; time++) assert.equal((await bench.send(TEXT)).status, 503)
  await bench.control('DELETE', `/faults/${id}`)
  assert.equal((await bench.send(TEXT)).status, 200)
})

test('a fault can strike a share of the requests, the same ones for the same seed', async (t) => {
  const strikes = async () => {
    const bench = await startBench(t, { seed: 'share' })
    await order(bench, { kind: 'error', code: 2, times: null, rate: 0.5 })
    const seen: number[] = []
    for (let time = 0; time < 20; time++) seen.push((await bench.send(TEXT)).status)
    return seen
  }

  const [first, second] = [await strikes(), await strikes()]

  assert.deepEqual(first, second)
  assert.ok(first.includes(503) && first.includes(200))
})

test('latency delays the answer and changes nothing else', async (t) => {
  const bench = await startBench(t)
  await order(bench, { kind: 'latency', latency_ms: 20 })

  const reply = await bench.send(TEXT)

  assert.equal(reply.status, 200)
  const { faults } = await bench.control<{ faults: { hits: number }[] }>('GET', '/faults')
  assert.equal(faults[0]?.hits, 1)
})
