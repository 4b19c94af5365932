import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { closedPort, openSender, startRawReceiver } from '../attempts/test/receivers.ts'
import { listKinds, startWebhooks } from '../test/fixture.ts'
import { startLostWorker } from '../test/lost-worker.ts'
import { startOwnWorker } from '../test/own-worker.ts'
import { DELIVERY_LIMITS } from './attempt-slots.ts'

/** The waits of the contract, in seconds; jitter adds up to a tenth. */
const WAITS = [5, 60, 300, 1800, 7200, 21_600, 43_200, 86_400, 172_800]
/** The test itself takes time, so the last seconds of a wait are not asserted. */
const SLACK = 30

function secondsBetween(from: string, to: string): number {
  return (new Date(to).getTime() - new Date(from).getTime()) / 1000
}

test('a delivery has ten attempts by the schedule, none before its time, and no eleventh', {
  rules: [
    'delivery.waits-grow-over-four-days',
    'delivery.waits-have-up-to-a-tenth-jitter',
    'delivery.at-most-ten-attempts',
  ],
}, async (t) => {
  const { hub, receiver, endpoint, publish, only, listAttempts, show } = await startWebhooks(t)
  const crm = await endpoint()
  receiver.answer(500)
  await publish({})
  await hub.deliver()

  for (const [index, wait] of WAITS.entries()) {
    const delivery = await only(crm)
    const ended = (await listAttempts(crm, delivery)).at(-1)!.ended_at
    const waited = secondsBetween(ended, delivery.next_attempt_at)
    assert.deepEqual([delivery.status, delivery.attempts], ['retry', index + 1])
    assert.ok(waited >= wait && waited <= wait * 1.1, `${waited} s after attempt ${index + 1}`)
    if (wait > SLACK) {
      await hub.clock.advance(`${wait - SLACK} seconds`)
      await hub.deliver()
      assert.equal(receiver.received.length, index + 1)
    }
    await hub.clock.advance(`${Math.ceil(wait * 0.1) + SLACK} seconds`)
    await hub.deliver()
    assert.equal(receiver.received.length, index + 2)
  }

  const dead = await only(crm)
  assert.deepEqual([dead.status, dead.attempts, dead.last_error_code], ['dead', 10, 'HTTP_500'])
  await hub.clock.advance('20 days')
  await hub.runJobs()
  await hub.deliver()
  assert.equal(receiver.received.length, 10)
  assert.deepEqual(await only(crm), dead)
  assert.equal((await show(crm)).consecutive_failures, 10)
})

test('each delivery has its own jitter, so that deliveries that failed together are not retried together', async (t) => {
  const { hub, receiver, endpoint, publishMany, log } = await startWebhooks(t)
  const crm = await endpoint()
  receiver.answer(500)
  await publishMany(10)

  await hub.deliver()

  const times = new Set((await log(crm)).map(({ next_attempt_at }) => next_attempt_at))
  assert.ok(times.size > 5, `${times.size} different times`)
})

const RETRY_AFTER: [string, string, number, number][] = [
  ['30', 'lengthens the wait', 30, 33],
  ['86400', 'does not lengthen the wait past the next step', 60, 60],
  ['1', 'does not shorten the wait', 5, 5.5],
  ['soon', 'changes nothing where it cannot be read', 5, 5.5],
]

for (const [value, effect, least, most] of RETRY_AFTER) {
  test(`Retry-After: ${value} ${effect}`, { rules: ['delivery.retry-after-lengthens-a-wait'] }, async (t) => {
    const { hub, receiver, endpoint, publish, only, listAttempts } = await startWebhooks(t)
    const crm = await endpoint()
    receiver.answer(() => ({ status: 503, headers: { 'retry-after': value } }))
    await publish({})

    await hub.deliver()

    const delivery = await only(crm)
    const [attempt] = await listAttempts(crm, delivery)
    const waited = secondsBetween(attempt!.ended_at, delivery.next_attempt_at)
    assert.ok(waited >= least && waited <= most, `${waited} s`)
  })
}

const SUCCESSES = [200, 201, 202, 204, 206, 226, 299]
const FAILURES = [300, 301, 302, 304, 307, 308, 400, 401, 403, 404, 409, 410, 422, 429, 500, 502, 503, 504, 599]

for (const [statuses, outcome] of [
  [SUCCESSES, 'succeeded'],
  [FAILURES, 'retry'],
] as const) {
  test(`the response ${statuses.join(', ')} makes the delivery ${outcome}`, {
    rules: [
      'delivery.any-2xx-succeeds',
      'delivery.other-answers-are-failures',
      'delivery.error-code-names-the-failure',
    ],
  }, async (t) => {
    const { hub, receiver, endpoint, publish, log } = await startWebhooks(t)
    const crm = await endpoint()
    const location = `${receiver.url}/elsewhere`
    receiver.answer(({ body }) => ({ status: JSON.parse(body.toString()).data.status, headers: { location } }))

    await publish(...statuses.map((status) => ({ data: { status } })))
    await hub.deliver()

    const deliveries = await log(crm)
    for (const delivery of deliveries) assert.equal(delivery.status, outcome, String(delivery.last_http_status))
    const seen = deliveries.map(({ last_http_status }) => last_http_status)
    assert.deepEqual(seen.toSorted(), [...statuses])
    const codes = deliveries.map(({ last_error_code }) => last_error_code).toSorted()
    assert.deepEqual(codes, outcome === 'retry' ? statuses.map((status) => `HTTP_${status}`) : statuses.map(() => null))
    assert.equal(receiver.received.length, statuses.length)
  })
}

test('a redirect is not followed', { rules: ['destination.redirect-is-not-followed'] }, async (t) => {
  const { hub, receiver, endpoint, publish, arrived } = await startWebhooks(t)
  const crm = await endpoint()
  receiver.answer(() => ({ status: 307, headers: { location: `${receiver.url}/elsewhere` } }))

  await publish({})
  await hub.deliver()

  assert.equal(arrived(crm).length, 1)
  assert.equal(arrived({ path: '/elsewhere' }).length, 0)
})

test('first attempts are claimed before overdue retries of the same endpoint', async (t) => {
  const { hub, receiver, endpoint, publishMany, publish, arrived } = await startWebhooks(t)
  const crm = await endpoint()
  // An endpoint's initial concurrency limit is as many, so that the others wait.
  const { start: count } = DELIVERY_LIMITS.concurrency
  await publishMany(count)
  assert.equal((await startLostWorker(hub).claim(crm, count)).length, count)
  await hub.clock.advance('1 minute')
  await hub.runJobs()
  await hub.clock.advance('1 hour')
  await publish(...Array.from({ length: count }, () => ({ kind: 'phone.quality' as const })))

  receiver.hold()
  const delivering = hub.deliver()
  await receiver.until(count)
  const first = listKinds(arrived(crm))
  receiver.letGo()
  await delivering

  assert.deepEqual(first, Array(count).fill('phone.quality'))
  assert.deepEqual(listKinds(arrived(crm)).slice(count), Array(count).fill('account.update'))
})

/** The receiver does this instead of responding; undefined if no server listens. */
const UNANSWERED: [what: string, code: string, serve: ((socket: Socket) => void) | undefined][] = [
  ['says nothing until its time is over', 'TIMEOUT', (socket) => socket.resume()],
  ['resets the connection', 'CONNECTION_FAILED', (socket) => socket.once('data', () => socket.resetAndDestroy())],
  ['closes the connection', 'CONNECTION_FAILED', (socket) => socket.once('data', () => socket.end())],
  ['is not there', 'CONNECTION_FAILED', undefined],
]

for (const [what, code, serve] of UNANSWERED) {
  test(`a delivery whose receiver ${what} fails with ${code}, and is retried when it is due`, {
    rules: [
      'delivery.error-code-names-the-failure',
      'delivery.other-answers-are-failures',
      'delivery.failed-one-is-sent-again',
    ],
  }, async (t) => {
    const { port, sockets } = serve
      ? await startRawReceiver(t, serve)
      : { port: await closedPort(), sockets: undefined }
    const env = { WEBHOOK_ALLOWED_DESTINATIONS: `127.0.0.1:${port}` }
    const { hub, endpoint, publish, only, show, listAttempts } = await startWebhooks(t, { env })
    const crm = await endpoint({ url: `http://127.0.0.1:${port}/` })
    const { sender } = openSender(t, { port, ...(code === 'TIMEOUT' && { deadlineMs: 1000 }) })
    const worker = startOwnWorker(hub, { sender })
    await publish({})

    await worker.deliver()
    const failed = await only(crm)
    await hub.clock.advance('6 seconds')
    await worker.deliver()

    const { status, attempts, last_error_code, last_http_status } = failed
    assert.deepEqual([status, attempts, last_error_code, last_http_status], ['retry', 1, code, null])
    const again = await only(crm)
    assert.deepEqual([again.id, again.status, again.attempts], [failed.id, 'retry', 2])
    const codes = (await listAttempts(crm, again)).map(({ error_code }) => error_code)
    assert.deepEqual(codes, [code, code])
    assert.equal((await show(crm)).consecutive_failures, 2)
    if (sockets) assert.equal(sockets.length, 2)
  })
}
