import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { Answer } from '../../../../test/client.ts'
import { bearer } from '../../../../test/hub.ts'
import { holdTransaction } from '../../../../test/hub-with-upstream.ts'
import { holdConnections, openLimited } from '../../../../test/limited-database.ts'
import { contend } from '../../../../test/lock-contention.ts'
import {
  listEventMessages,
  newContact,
  newKey,
  startRelayedSending,
  startSecondHub,
  startSending,
  text,
  toStatusAndCode,
} from '../test/fixture.ts'

const REQUESTS = 200
/** Fewer than a number may send in a second. */
const SENDS_WITHIN_LIMIT = 60

/** Collects responses as they arrive, so that a test can wait for all except those that it holds back. */
function gather(requests: Promise<Answer>[]) {
  const answers: Answer[] = []
  const collected = requests.map((request) => request.then((answer) => answers.push(answer)))
  return {
    answers,
    async until(count: number): Promise<void> {
      const left = new Set(collected)
      for (const one of collected) one.finally(() => left.delete(one))
      while (answers.length < count) await Promise.race(left)
    },
  }
}

test('one of 200 requests with one key in two processes sends', {
  rules: ['send.is-at-most-once', 'send.same-key-sends-once', 'send.in-progress-is-409'],
}, async (t) => {
  const { up, relay, acme, liftRateLimit, send, sendRequests, log, sent } = await startRelayedSending(t)
  const second = (await startSecondHub(t, up, { url: relay.url })).anonymous.with(bearer(acme.key))
  await liftRateLimit()
  const [key, body] = [newKey(), text()]
  const sendAll = () => Array.from({ length: REQUESTS }, (_, i) => send({ key, body, as: i % 2 === 0 ? acme : second }))
  const caught = relay.catch('/messages')

  const { answers, until } = gather(sendAll())
  const held = await caught
  await until(REQUESTS - 1)
  const waiting = answers.map(toStatusAndCode)
  held.proceed()
  await until(REQUESTS)
  const replays = await Promise.all(sendAll())

  assert.deepEqual(waiting, Array(REQUESTS - 1).fill([409, 'OPERATION_IN_PROGRESS']))
  const first = answers.at(-1)
  assert.equal(first?.status, 202)
  assert.equal(first?.headers.get('idempotent-replayed'), null)
  for (const replay of replays) {
    assert.deepEqual([replay.status, replay.body], [202, first?.body])
    assert.equal(replay.headers.get('idempotent-replayed'), 'true')
  }
  assert.equal((await sendRequests()).length, 1)
  assert.equal((await log()).length, 1)
  assert.equal((await sent()).length, 1)
})

test('200 concurrent requests with one key are one send, and each is 202 or OPERATION_IN_PROGRESS', async (t) => {
  const { liftRateLimit, send, sendRequests, log, sent } = await startSending(t)
  await liftRateLimit()
  const [key, body] = [newKey(), text()]
  const sendAll = () => Promise.all(Array.from({ length: REQUESTS }, () => send({ key, body })))

  const answers = await sendAll()
  const replays = await sendAll()

  const kinds = new Set(answers.map((answer) => toStatusAndCode(answer).join(' ')))
  kinds.delete('409 OPERATION_IN_PROGRESS')
  assert.deepEqual([...kinds], ['202 ok'])
  assert.equal(answers.filter((a) => a.status === 202 && !a.headers.has('idempotent-replayed')).length, 1)
  assert.ok(replays.every(({ status }) => status === 202))
  assert.equal((await sendRequests()).length, 1)
  assert.equal((await log()).length, 1)
  assert.equal((await sent()).length, 1)
})

test('a key that throttled sends release repeatedly sends once under 200 concurrent requests', async (t) => {
  const { fault, liftRateLimit, send, sendRequests, acceptedMessages, sent } = await startSending(t)
  await liftRateLimit()
  await fault('throttle', '/messages', { times: 10 })
  const [key, body] = [newKey(), text()]

  const answers = await Promise.all(Array.from({ length: REQUESTS }, () => send({ key, body })))
  let last = await send({ key, body })
  for (let tries = 0; last.status === 429 && tries < 10; tries++) last = await send({ key, body })

  const kinds = new Set(answers.map((answer) => toStatusAndCode(answer).join(' ')))
  for (const kind of ['202 ok', '409 OPERATION_IN_PROGRESS', '429 RATE_LIMITED']) kinds.delete(kind)
  assert.deepEqual([...kinds], [])
  assert.equal(last.status, 202)
  assert.equal((await sendRequests()).length, 11)
  assert.equal((await acceptedMessages()).length, 1)
  assert.equal((await sent()).length, 1)
})

test('two processes that reserve one key at the same time make one reservation', async (t) => {
  const { up, acme, send, sendRequests } = await startSending(t)
  const second = (await startSecondHub(t, up)).anonymous.with(bearer(acme.key))
  const [key, body] = [newKey(), text()]

  const answers = await contend(
    // Both statements wait for this lock, and continue together.
    (tx) => tx`lock table message_keys in share mode`,
    { waiting: 2, work: () => Promise.all([send({ key, body }), send({ key, body, as: second })]) },
  )

  const statuses = answers.map(({ status }) => status).sort()
  assert.ok(statuses[0] === 202 && (statuses[1] === 202 || statuses[1] === 409), String(statuses))
  assert.equal((await sendRequests()).length, 1)
})

test('200 concurrent sends with different keys are 200 messages, each with its own response', async (t) => {
  const { up, liftRateLimit, send, acceptedMessages, log, sent } = await startSending(t)
  await up.simulator.control('PUT', '/limits', { enforced: false })
  await liftRateLimit()
  const bodies = Array.from({ length: REQUESTS }, (_, i) => text(`no ${i}`))

  const answers = await Promise.all(bodies.map((body) => send({ body })))

  assert.ok(answers.every(({ status }) => status === 202))
  const messages = await acceptedMessages()
  assert.equal(messages.length, REQUESTS)
  for (const [i, { body }] of answers.entries()) {
    const { id, to, upstream_message_id } = body.data.message
    const message = messages.find(({ message_id }) => message_id === upstream_message_id)
    assert.deepEqual([to, message?.biz_opaque_callback_data, message?.wa_id], [bodies[i]?.to, id, bodies[i]?.to])
  }
  assert.equal((await sent()).length, REQUESTS)
  assert.equal((await log()).length, 100)
})

const SENDS = 150
const RESETS_MAX = 50

test('lost responses and repeated, disordered statuses leave one message for each send', {
  rules: ['send.is-at-most-once'],
}, async (t) => {
  const { hub, up, acme, channel, fault, liftRateLimit, send, wait, sendRequests, acceptedMessages, log, sent } =
    await startSending(t)
  const second = (await startSecondHub(t, up)).anonymous.with(bearer(acme.key))
  await up.simulator.control('PUT', '/limits', { enforced: false })
  await up.simulator.control('PUT', '/webhooks/policy', { batch: 20, shuffle: true, duplicates: 1 })
  await liftRateLimit()
  await fault('reset_after', '/messages', { rate: 0.5, times: RESETS_MAX })
  const sends = Array.from({ length: SENDS }, (_, i) => ({ key: newKey(), body: text(`no ${i}`) }))

  let isDone = false
  const statuses = (async () => {
    while (!isDone) {
      await wait(1)
      await setImmediate()
    }
    await wait(60)
  })()
  const answers = await Promise.all(sends.map((one, i) => send({ ...one, as: i % 2 === 0 ? acme : second })))
  isDone = true
  await statuses
  const replays = await Promise.all(sends.map((one, i) => send({ ...one, as: i % 2 === 0 ? second : acme })))

  const kinds = new Set(answers.map((answer) => toStatusAndCode(answer).join(' ')))
  kinds.delete('409 SEND_RESULT_UNKNOWN')
  assert.deepEqual([...kinds], ['202 ok'])
  assert.deepEqual([...new Set(replays.map(({ status }) => status))], [202])
  const requests = await sendRequests()
  assert.equal(requests.length, SENDS)
  assert.ok(requests.some(({ status }) => status === null))
  const ids = replays.map(({ body }) => body.data.message.id).sort()
  assert.deepEqual((await acceptedMessages()).map((message) => message.biz_opaque_callback_data).sort(), ids)
  assert.deepEqual((await sent()).map(({ id }) => id).sort(), ids)
  assert.deepEqual((await listEventMessages(hub.sql, channel.id, 'message.status')).map(({ id }) => id).sort(), ids)
  const entries = await log('status=failed&limit=100')
  assert.equal(entries.length, 100)
  const [left] = await hub.sql`select count(*)::int as count from unsettled_sends where channel_id = ${channel.id}`
  assert.equal(left?.count, 0)
})

// Two large sends run, nineteen may wait; a database that answers no more must not fill the memory with the rest.
test('sends beyond what may wait for a slow database are 503 before their keys are reserved', {
  rules: ['error.overload-is-503-and-changes-nothing', 'send.overload-comes-before-the-key'],
}, async (t) => {
  const { hub, up, send, sendRequests, liftRateLimit } = await startSending(t, { isOwn: true })
  await up.simulator.control('PUT', '/limits', { enforced: false })
  await liftRateLimit()
  const data = 'x'.repeat(2 ** 20 - 500)
  const sends = Array.from({ length: 24 }, () => ({
    key: newKey(),
    body: { to: newContact(), type: 'interactive', interactive: { type: 'a_new_type', data } },
  }))
  const held = await holdTransaction(hub.sql, (tx) => tx`lock table unsettled_sends in access exclusive mode`)

  const { answers, until } = gather(sends.map(send))
  await until(3)
  const shed = answers.map(({ status, body, headers }) => [status, body.error.code, headers.get('retry-after')])
  await held.release()
  await until(sends.length)
  const forwarded = (await sendRequests()).length
  const again: Awaited<ReturnType<typeof send>>[] = []
  for (const one of sends) again.push(await send(one))

  assert.deepEqual(shed, Array(3).fill([503, 'OVERLOADED', '1']))
  assert.equal(answers.filter(({ status }) => status === 503).length, 3)
  assert.equal(forwarded, 21)
  assert.equal((await sendRequests()).length, 24)
  assert.equal(again.filter(({ headers }) => headers.get('idempotent-replayed') === 'true').length, 21)
})

// The hub wants 20 connections, beside those of its probe and its locks.
test('every send is accepted and settled although the server refuses most connections', {
  rules: ['database.refused-connections-wait'],
}, async (t) => {
  const { sql, limits } = await openLimited(t, 6, 20)
  const { liftRateLimit, send, sent } = await startSending(t, { installation: { sql }, isOwn: true })
  await liftRateLimit()
  const holding = holdConnections(sql, 8)

  const sends = Array.from({ length: SENDS_WITHIN_LIMIT }, () => send())
  await setImmediate()
  await holding.release()
  const answers = await Promise.all(sends)

  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([202]))
  assert.equal((await sent()).length, SENDS_WITHIN_LIMIT)
  assert.ok((limits[0] ?? Number.POSITIVE_INFINITY) <= 6, `the limits ${limits.join()}`)
})
