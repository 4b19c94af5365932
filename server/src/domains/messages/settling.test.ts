import assert from 'node:assert/strict'
import { test } from 'node:test'
import { holdTransaction, untilBlocked } from '../../../test/connecting.ts'
import { newKey, recorded, type Scene, startBeside, startRelayedSending, startSending, text } from './test/scene.ts'

/** Keeps whoever settles a channel's sends waiting. */
function holdUnsettled({ hub, channel }: { hub: Scene['hub']; channel: { id: string } }) {
  return holdTransaction(
    hub.sql,
    (tx) => tx`select 1 from unsettled_sends where channel_id = ${channel.id} order by message_id for update`,
  )
}

test('a status that comes while the answer is still on its way settles the send; the answer changes nothing more', async (t) => {
  const { relay, send, report, log, newest, sent } = await startRelayedSending(t)
  const [key, body] = [newKey(), text()]
  const caught = relay.catch('/messages')
  const sending = send({ key, body })
  const held = await caught
  const { id } = await newest()

  await report('delivered', { wamid: 'wamid.early', opaque: id })
  const meanwhile = await send({ key, body })
  held.answer(200, JSON.stringify({ messaging_product: 'whatsapp', messages: [{ id: 'wamid.early' }] }))
  const answer = await sending

  assert.deepEqual([meanwhile.status, answer.status], [202, 202])
  assert.deepEqual(answer.body, meanwhile.body)
  assert.equal(answer.headers.get('idempotent-replayed'), null)
  assert.equal((await log())[0]?.status, 'delivered')
  assert.equal((await sent()).length, 1)
})

test('a status that comes before the answer is lost makes the request itself 202', async (t) => {
  const { up, fault, send, wait, taken, log, sent } = await startSending(t)
  await fault('hang_after', '/messages')

  const sending = send()
  await up.simulator.control('GET', '/wait?for=request&path=/messages&timeout_ms=60000')
  await wait(60)
  const [told] = await log()
  await up.simulator.control('DELETE', '/faults')
  const answer = await sending

  assert.equal(told?.status, 'failed')
  assert.equal(answer.status, 202, answer.text)
  assert.equal(answer.body.data.message.upstream_message_id, (await taken())[0]?.message_id)
  assert.equal((await sent()).length, 1)
  assert.equal((await log())[0]?.status, 'failed')
})

for (const first of ['answer', 'status'] as const) {
  test(`an answer and a status that come at once settle a send once, the ${first} before the other`, {
    rules: ['D7-22'],
  }, async (t) => {
    const scene = await startRelayedSending(t)
    const { hub, channel, relay, send, report, log, newest, sent } = scene
    const [key, body] = [newKey(), text()]
    const caught = relay.catch('/messages')
    const sending = send({ key, body })
    const held = await caught
    const { id } = await newest()
    const lock = await holdUnsettled(scene)
    const begin = {
      answer: async () => held.answer(200, JSON.stringify({ messages: [{ id: 'wamid.once' }] })),
      status: () => report('sent', { wamid: 'wamid.once', opaque: id }),
    }

    const one = begin[first]()
    await untilBlocked(hub.sql, 1)
    const other = begin[first === 'answer' ? 'status' : 'answer']()
    await untilBlocked(hub.sql, 2)
    await lock.release()
    await Promise.all([one, other])
    const answer = await sending
    const replay = await send({ key, body })

    assert.deepEqual([answer.status, replay.status], [202, 202])
    assert.deepEqual(replay.body, answer.body)
    assert.equal((await sent()).length, 1)
    assert.equal((await recorded(hub.sql, channel.id, 'message.status')).length, 1)
    const lines = await log()
    assert.deepEqual(
      lines.map((line) => [line.id, line.status, line.upstream_message_id]),
      [[id, 'sent', 'wamid.once']],
    )
  })
}

test('two statuses that come at once, in two processes, settle a send once and are both heard', async (t) => {
  const scene = await startSending(t)
  const { hub, up, channel, fault, send, report, log, newest, sent } = scene
  const beside = await startBeside(t, up)
  const [key, body] = [newKey(), text()]
  await fault('reset_before', '/messages')
  await send({ key, body })
  const { id } = await newest()
  const lock = await holdUnsettled(scene)

  const reports = ['delivered', 'sent'].map((status, i) =>
    report(status, { wamid: 'wamid.twice', opaque: id }, i === 0 ? hub : beside),
  )
  await untilBlocked(hub.sql, 2)
  await lock.release()
  const heard = await Promise.all(reports)
  const settled = await send({ key, body })

  assert.deepEqual(
    heard.map(({ status }) => status),
    [200, 200],
  )
  assert.equal(settled.status, 202)
  assert.equal((await sent()).length, 1)
  assert.deepEqual(
    (await recorded(hub.sql, channel.id, 'message.status')).map(({ id }) => id),
    [id, id],
  )
  const lines = await log()
  assert.deepEqual(
    lines.map((line) => [line.id, line.status, line.upstream_message_id]),
    [[id, 'delivered', 'wamid.twice']],
  )
})

test('two statuses of one callback settle a send once', async (t) => {
  const { up, fault, send, wait, taken, log, sent } = await startSending(t)
  await up.simulator.control('PUT', '/webhooks/policy', { batch: 100, fold: true, duplicates: 1 })
  await fault('reset_after', '/messages')
  const [key, body] = [newKey(), text()]
  await send({ key, body })
  const [message] = await taken()
  const status = (word: string) =>
    up.simulator.control('POST', `/messages/${encodeURIComponent(message!.message_id)}/status`, { status: word })

  await status('sent')
  await status('delivered')
  await wait(60)
  const settled = await send({ key, body })

  assert.equal(settled.status, 202)
  assert.equal((await sent()).length, 1)
  assert.equal((await log()).length, 1)
})

test('the same status again, after the send is settled, records nothing', async (t) => {
  const { hub, channel, fault, send, report, newest, sent } = await startSending(t)
  await fault('reset_before', '/messages')
  await send()
  const { id } = await newest()

  for (const status of ['sent', 'sent', 'read', 'sent']) await report(status, { wamid: 'wamid.again', opaque: id })

  assert.equal((await sent()).length, 1)
  assert.equal((await recorded(hub.sql, channel.id, 'message.status')).length, 2)
})
