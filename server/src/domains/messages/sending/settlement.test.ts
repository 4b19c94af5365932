import assert from 'node:assert/strict'
import { test } from 'node:test'
import { holdTransaction, waitUntilBlocked } from '../../../../test/hub-with-upstream.ts'
import {
  listEventMessages,
  newKey,
  type SendingFixture,
  startRelayedSending,
  startSecondHub,
  startSending,
  text,
} from '../test/fixture.ts'

/** Locks a channel's unsettled sends, so that settlements wait. */
function holdUnsettled({ hub, channel }: { hub: SendingFixture['hub']; channel: { id: string } }) {
  return holdTransaction(
    hub.sql,
    (tx) => tx`select 1 from unsettled_sends where channel_id = ${channel.id} order by message_id for update`,
  )
}

test('a status callback before the response settles the send, and the response changes nothing', async (t) => {
  const { relay, send, report, log, newest, sent } = await startRelayedSending(t)
  const [key, body] = [newKey(), text()]
  const caught = relay.catch('/messages')
  const sending = send({ key, body })
  const held = await caught
  const { id } = await newest()

  await report('delivered', { wamid: 'wamid.early', callbackData: id })
  const meanwhile = await send({ key, body })
  held.answer(200, JSON.stringify({ messaging_product: 'whatsapp', messages: [{ id: 'wamid.early' }] }))
  const answer = await sending

  assert.deepEqual([meanwhile.status, answer.status], [202, 202])
  assert.deepEqual(answer.body, meanwhile.body)
  assert.equal(answer.headers.get('idempotent-replayed'), null)
  assert.equal((await log())[0]?.status, 'delivered')
  assert.equal((await sent()).length, 1)
})

test('a status callback while the upstream call hangs makes the request itself 202', async (t) => {
  const { up, fault, send, wait, acceptedMessages, log, sent } = await startSending(t)
  await fault('hang_after', '/messages')

  const sending = send()
  await up.simulator.control('GET', '/wait?for=request&path=/messages&timeout_ms=60000')
  await wait(60)
  const [settled] = await log()
  await up.simulator.control('DELETE', '/faults')
  const answer = await sending

  assert.equal(settled?.status, 'failed')
  assert.equal(answer.status, 202, answer.text)
  assert.equal(answer.body.data.message.upstream_message_id, (await acceptedMessages())[0]?.message_id)
  assert.equal((await sent()).length, 1)
  assert.equal((await log())[0]?.status, 'failed')
})

for (const first of ['answer', 'status'] as const) {
  test(`a concurrent response and status callback settle a send once, with the ${first} first`, {
    rules: ['send.any-status-settles-unknown'],
  }, async (t) => {
    const fixture = await startRelayedSending(t)
    const { hub, channel, relay, send, report, log, newest, sent } = fixture
    const [key, body] = [newKey(), text()]
    const caught = relay.catch('/messages')
    const sending = send({ key, body })
    const held = await caught
    const { id } = await newest()
    const lock = await holdUnsettled(fixture)
    const begin = {
      answer: async () => held.answer(200, JSON.stringify({ messages: [{ id: 'wamid.once' }] })),
      status: () => report('sent', { wamid: 'wamid.once', callbackData: id }),
    }

    const one = begin[first]()
    await waitUntilBlocked(hub.sql, 1)
    const other = begin[first === 'answer' ? 'status' : 'answer']()
    await waitUntilBlocked(hub.sql, 2)
    await lock.release()
    await Promise.all([one, other])
    const answer = await sending
    const replay = await send({ key, body })

    assert.deepEqual([answer.status, replay.status], [202, 202])
    assert.deepEqual(replay.body, answer.body)
    assert.equal((await sent()).length, 1)
    assert.equal((await listEventMessages(hub.sql, channel.id, 'message.status')).length, 1)
    const entries = await log()
    assert.deepEqual(
      entries.map((entry) => [entry.id, entry.status, entry.upstream_message_id]),
      [[id, 'sent', 'wamid.once']],
    )
  })
}

test('concurrent status callbacks in two processes settle a send once, and both are applied', async (t) => {
  const fixture = await startSending(t)
  const { hub, up, channel, fault, send, report, log, newest, sent } = fixture
  const second = await startSecondHub(t, up)
  const [key, body] = [newKey(), text()]
  await fault('reset_before', '/messages')
  await send({ key, body })
  const { id } = await newest()
  const lock = await holdUnsettled(fixture)

  const reports = ['delivered', 'sent'].map((status, i) =>
    report(status, { wamid: 'wamid.twice', callbackData: id }, i === 0 ? hub : second),
  )
  await waitUntilBlocked(hub.sql, 2)
  await lock.release()
  const applied = await Promise.all(reports)
  const settled = await send({ key, body })

  assert.deepEqual(
    applied.map(({ status }) => status),
    [200, 200],
  )
  assert.equal(settled.status, 202)
  assert.equal((await sent()).length, 1)
  assert.deepEqual(
    (await listEventMessages(hub.sql, channel.id, 'message.status')).map(({ id }) => id),
    [id, id],
  )
  const entries = await log()
  assert.deepEqual(
    entries.map((entry) => [entry.id, entry.status, entry.upstream_message_id]),
    [[id, 'delivered', 'wamid.twice']],
  )
})

test('two statuses of one callback settle a send once', async (t) => {
  const { up, fault, send, wait, acceptedMessages, log, sent } = await startSending(t)
  await up.simulator.control('PUT', '/webhooks/policy', { batch: 100, fold: true, duplicates: 1 })
  await fault('reset_after', '/messages')
  const [key, body] = [newKey(), text()]
  await send({ key, body })
  const [message] = await acceptedMessages()
  const postStatus = (status: string) =>
    up.simulator.control('POST', `/messages/${encodeURIComponent(message!.message_id)}/status`, { status })

  await postStatus('sent')
  await postStatus('delivered')
  await wait(60)
  const settled = await send({ key, body })

  assert.equal(settled.status, 202)
  assert.equal((await sent()).length, 1)
  assert.equal((await log()).length, 1)
})

test('a repeated status of a settled send publishes nothing', async (t) => {
  const { hub, channel, fault, send, report, newest, sent } = await startSending(t)
  await fault('reset_before', '/messages')
  await send()
  const { id } = await newest()

  for (const status of ['sent', 'sent', 'read', 'sent'])
    await report(status, { wamid: 'wamid.again', callbackData: id })

  assert.equal((await sent()).length, 1)
  assert.equal((await listEventMessages(hub.sql, channel.id, 'message.status')).length, 2)
})
