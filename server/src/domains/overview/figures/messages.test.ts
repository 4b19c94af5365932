import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer, Client } from '../../../../test/client.ts'
import { bearer } from '../../../../test/hub.ts'
import { newContact, type SendingFixture, startSecondHub, startSending, text } from '../../messages/test/fixture.ts'

async function read(person: Client, query = 'range=24h') {
  const answer = await person.get(`/console/statistics?${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}

/** The totals in the order sent, delivered, read, failed, received. */
async function readTotals(person: Client, query?: string): Promise<number[]> {
  const { messages } = await read(person, query)
  return ['sent', 'delivered', 'read', 'failed', 'received'].map((counter) => messages[counter].total)
}

/** At the beginning of a bucket, so that what a test counts is in one. */
async function startWatched(t: Parameters<typeof startSending>[0], options: Parameters<typeof startSending>[1] = {}) {
  const fixture = await startSending(t, options)
  await fixture.liftRateLimit()
  await fixture.hub.clock.advanceToNext('hour')
  const ana = await fixture.hub.person({ organizationId: fixture.acme.organizationId, role: 'viewer' })
  return { ...fixture, ana }
}

function toReported({ body }: Answer) {
  const { upstream_message_id: wamid, id: callbackData } = body.data.message
  return { wamid, callbackData }
}

async function receive({ up, channel, wait }: SendingFixture): Promise<void> {
  const message = { to: channel.number.phoneNumberId, type: 'text', text: { body: 'Oi' } }
  await up.simulator.control('POST', `/contacts/${newContact()}/messages`, message)
  await wait(5)
}

test('a message counts once in each counter, with repeats and in any order', {
  rules: ['statistics.count-messages', 'statistics.message-counts-once'],
}, async (t) => {
  const { ana, send, report } = await startWatched(t)
  const [first, second, third] = [toReported(await send()), toReported(await send()), toReported(await send())]

  for (const status of ['sent', 'delivered', 'delivered', 'read', 'played']) await report(status, first)
  // The upstream may report that a message was read before it reports that it was delivered.
  for (const status of ['read', 'delivered']) await report(status, second)
  for (const status of ['failed', 'failed']) await report(status, third)

  assert.deepEqual(await readTotals(ana), [3, 2, 2, 1, 0])
  assert.equal((await read(ana)).messages.refused.total, 0)
})

test('a refused send fails with the code of its error, and one that repeats a key counts no more', {
  rules: ['statistics.count-messages', 'statistics.errors-by-code-and-channel'],
}, async (t) => {
  const { ana, send, fault, channel, hub } = await startWatched(t)
  const [key, body] = ['the-same-key', text()]
  await send({ key, body })
  await send({ key, body })
  await fault('error', '/messages', { code: 131_009, status: 400 })
  await send()

  const { messages, errors } = await read(ana)

  const totals = [messages.sent, messages.failed, messages.refused].map(({ total }) => total)
  assert.deepEqual(totals, [1, 1, 1])
  assert.equal(errors.length, 1)
  const [{ code, channel_id, channel_name, count, last_at, series }] = errors
  assert.deepEqual([code, channel_id, channel_name, count], ['131009', channel.id, 'Padaria', 1])
  assert.ok(Math.abs(Date.parse(last_at) - hub.clock.now().getTime()) < 3_600_000)
  assert.deepEqual([series.length, series.at(-1)], [48, 1])
})

test('a send whose process dies before the outcome is recorded counts when a status callback settles it', {
  rules: ['statistics.are-exact-under-concurrency'],
}, async (t) => {
  const { ana, hub, send, fault, acceptedMessages, report } = await startWatched(t)
  await fault('reset_after', '/messages')
  assert.equal((await send()).status, 409)
  await hub.clock.advance('2 minutes')
  await hub.runJobs()
  const before = await readTotals(ana)

  const [accepted] = await acceptedMessages()
  const of = { wamid: accepted!.message_id, callbackData: accepted!.biz_opaque_callback_data }
  await report('delivered', of)
  await report('delivered', of)

  assert.deepEqual(
    [before, await readTotals(ana)],
    [
      [0, 0, 0, 0, 0],
      [1, 1, 0, 0, 0],
    ],
  )
})

test('concurrent sends and callbacks of two processes count exactly, before, during and after folding', {
  rules: ['statistics.message-counts-once', 'statistics.are-exact-under-concurrency'],
}, async (t) => {
  const fixture = await startWatched(t)
  const { ana, hub, up, acme, send, report } = fixture
  const other = await startSecondHub(t, up)
  const clients = [acme, other.anonymous.with(bearer(acme.key))]

  const answers = await Promise.all(Array.from({ length: 40 }, (_, i) => send({ as: clients[i % 2]! })))
  const sent = answers.map(toReported)
  const fold = () => hub.context.counts.fold()
  const seen: number[] = []
  await Promise.all([
    ...sent.flatMap((one) => [report('delivered', one), report('delivered', one, other), report('read', one, other)]),
    ...Array.from({ length: 4 }, fold),
    ...Array.from({ length: 8 }, async () => void seen.push((await readTotals(ana))[0]!)),
  ])
  await receive(fixture)

  const totals = [40, 40, 40, 0, 1]
  assert.deepEqual([...new Set(seen)], [40])
  assert.deepEqual(await readTotals(ana), totals)
  await fold()
  assert.deepEqual(await readTotals(ana), totals)
  assert.equal((await hub.sql`select 1 from message_count_deltas`).length, 0)
})

test('a series has a number for each bucket of its range, and the total of the period before is beside it', {
  rules: ['statistics.series-have-all-buckets'],
}, async (t) => {
  const { ana, hub, send } = await startWatched(t)
  await send()
  await hub.context.counts.fold()
  await hub.clock.advance('25 hours')
  await send()
  await send()

  const [day, week, month] = await Promise.all(['24h', '7d', '30d'].map((range) => read(ana, `range=${range}`)))

  for (const [figures, seconds, buckets] of [
    [day, 1800, 48],
    [week, 14_400, 42],
    [month, 43_200, 60],
  ] as const) {
    assert.equal(figures.bucket_seconds, seconds)
    assert.equal(Date.parse(figures.until) - Date.parse(figures.since), seconds * buckets * 1000)
    for (const { series, total } of Object.values<{ series: number[]; total: number }>(figures.messages)) {
      assert.equal(series.length, buckets)
      assert.equal(
        series.reduce((a, b) => a + b),
        total,
      )
    }
  }
  assert.deepEqual([day.messages.sent.total, day.messages.sent.previous_total], [2, 1])
  assert.equal(day.messages.sent.series.at(-1), 2)
  assert.deepEqual([week.messages.sent.total, month.messages.sent.total], [3, 3])
  assert.deepEqual((await read(ana, '')).range, '24h')
  assert.equal((await ana.get('/console/statistics?range=1y')).status, 400)
})

test('figures are those of the organization, or of one of its channels', {
  rules: ['statistics.are-the-organizations'],
}, async (t) => {
  const fixture = await startWatched(t)
  const { ana, hub, acme, connect, send, channel } = fixture
  const bob = await hub.person()
  const second = await connect(acme)
  await receive(fixture)
  await send()
  const headers = { 'idempotency-key': 'of-the-second-channel' }
  await acme.post(`/api/v1/channels/${second.id}/messages`, text(), { headers })

  for (const fold of [async () => undefined, () => hub.context.counts.fold()]) {
    await fold()
    assert.deepEqual(await readTotals(ana), [2, 0, 0, 0, 1])
    assert.deepEqual(await readTotals(ana, `channel_id=${channel.id}`), [1, 0, 0, 0, 1])
    assert.deepEqual(await readTotals(ana, `channel_id=${second.id}`), [1, 0, 0, 0, 0])
    assert.deepEqual(await readTotals(bob), [0, 0, 0, 0, 0])
  }
  assert.equal((await bob.get(`/console/statistics?channel_id=${channel.id}`)).status, 404)
  const named = { 'x-hub-organization': acme.organizationId }
  assert.equal((await bob.get('/console/statistics', { headers: named })).status, 404)
})

test('counts are deleted after 90 days', { rules: ['statistics.are-kept-90-days'] }, async (t) => {
  const { hub, send, fault, acme } = await startWatched(t)
  const rows = () =>
    hub.sql`
      select since from message_counts where organization_id = ${acme.organizationId}
      union all
      select since from error_counts where organization_id = ${acme.organizationId}`
  await send()
  await fault('error', '/messages', { code: 131_009, status: 400 })
  await send()
  await hub.context.counts.fold()

  await hub.clock.advance('89 days')
  await hub.context.counts.deleteOld()
  const kept = (await rows()).length
  await hub.clock.advance('2 days')
  await hub.context.counts.deleteOld()

  // The channel, all channels, and the error.
  assert.deepEqual([kept, (await rows()).length], [3, 0])
})
