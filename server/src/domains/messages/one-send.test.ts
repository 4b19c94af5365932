import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '../../../test/client.ts'
import { contend } from '../../../test/contention.ts'
import { bearer } from '../../../test/hub.ts'
import { newKey, startBeside, startRelayedSending, startSending, text, told } from './test/scene.ts'

const REQUESTS = 200

/** Collects answers as they come, so that a test can wait for all but those that it holds back. */
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

test('of 200 requests with one key, over two processes, one sends while the others are OPERATION_IN_PROGRESS; then all get its 202', {
  rules: ['D1-02', 'D7-08', 'ERR-13', 'MSE-16', 'MSE-17'],
}, async (t) => {
  const { up, relay, acme, liftLimit, send, asked, log, sent } = await startRelayedSending(t)
  const beside = (await startBeside(t, up, { url: relay.url })).anonymous.with(bearer(acme.key))
  await liftLimit()
  const [key, body] = [newKey(), text()]
  const ask = () => Array.from({ length: REQUESTS }, (_, i) => send({ key, body, as: i % 2 === 0 ? acme : beside }))
  const caught = relay.catch('/messages')

  const { answers, until } = gather(ask())
  const held = await caught
  await until(REQUESTS - 1)
  const waiting = answers.map(told)
  held.proceed()
  await until(REQUESTS)
  const replays = await Promise.all(ask())

  assert.deepEqual(waiting, Array(REQUESTS - 1).fill([409, 'OPERATION_IN_PROGRESS']))
  const first = answers.at(-1)
  assert.equal(first?.status, 202)
  assert.equal(first?.headers.get('idempotent-replayed'), null)
  for (const replay of replays) {
    assert.deepEqual([replay.status, replay.body], [202, first?.body])
    assert.equal(replay.headers.get('idempotent-replayed'), 'true')
  }
  assert.equal((await asked()).length, 1)
  assert.equal((await log()).length, 1)
  assert.equal((await sent()).length, 1)
})

test('200 requests with one key that meet at an upstream in no hurry: one send, and no answer but 202 and OPERATION_IN_PROGRESS', async (t) => {
  const { liftLimit, send, asked, log, sent } = await startSending(t)
  await liftLimit()
  const [key, body] = [newKey(), text()]
  const ask = () => Promise.all(Array.from({ length: REQUESTS }, () => send({ key, body })))

  const answers = await ask()
  const replays = await ask()

  const kinds = new Set(answers.map((answer) => told(answer).join(' ')))
  kinds.delete('409 OPERATION_IN_PROGRESS')
  assert.deepEqual([...kinds], ['202 ok'])
  assert.equal(answers.filter((a) => a.status === 202 && !a.headers.has('idempotent-replayed')).length, 1)
  assert.ok(replays.every(({ status }) => status === 202))
  assert.equal((await asked()).length, 1)
  assert.equal((await log()).length, 1)
  assert.equal((await sent()).length, 1)
})

test('a key that failed tries free again and again, under 200 requests at once, sends once in the end', async (t) => {
  const { fault, liftLimit, send, asked, taken, sent } = await startSending(t)
  await liftLimit()
  await fault('throttle', '/messages', { times: 10 })
  const [key, body] = [newKey(), text()]

  const answers = await Promise.all(Array.from({ length: REQUESTS }, () => send({ key, body })))
  let last = await send({ key, body })
  for (let tries = 0; last.status === 429 && tries < 10; tries++) last = await send({ key, body })

  const kinds = new Set(answers.map((answer) => told(answer).join(' ')))
  for (const kind of ['202 ok', '409 OPERATION_IN_PROGRESS', '429 RATE_LIMITED']) kinds.delete(kind)
  assert.deepEqual([...kinds], [])
  assert.equal(last.status, 202)
  assert.equal((await asked()).length, 11)
  assert.equal((await taken()).length, 1)
  assert.equal((await sent()).length, 1)
})

test('two processes that reserve one key in the same instant make one reservation', async (t) => {
  const { up, acme, send, asked } = await startSending(t)
  const beside = (await startBeside(t, up)).anonymous.with(bearer(acme.key))
  const [key, body] = [newKey(), text()]

  const answers = await contend(
    // Both statements wait here, and go on together.
    (tx) => tx`lock table message_keys in share mode`,
    { waiting: 2, work: () => Promise.all([send({ key, body }), send({ key, body, as: beside })]) },
  )

  const statuses = answers.map(({ status }) => status).sort()
  assert.ok(statuses[0] === 202 && (statuses[1] === 202 || statuses[1] === 409), String(statuses))
  assert.equal((await asked()).length, 1)
})

test('200 sends with 200 keys at once are 200 messages, each with its own answer', async (t) => {
  const { up, liftLimit, send, taken, log, sent } = await startSending(t)
  await up.simulator.control('PUT', '/limits', { enforced: false })
  await liftLimit()
  const bodies = Array.from({ length: REQUESTS }, (_, i) => text(`no ${i}`))

  const answers = await Promise.all(bodies.map((body) => send({ body })))

  assert.ok(answers.every(({ status }) => status === 202))
  const messages = await taken()
  assert.equal(messages.length, REQUESTS)
  for (const [i, { body }] of answers.entries()) {
    const { id, to, upstream_message_id } = body.data.message
    const message = messages.find(({ message_id }) => message_id === upstream_message_id)
    assert.deepEqual([to, message?.biz_opaque_callback_data, message?.wa_id], [bodies[i]?.to, id, bodies[i]?.to])
  }
  assert.equal((await sent()).length, REQUESTS)
  assert.equal((await log()).length, 100)
})
