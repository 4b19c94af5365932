import assert from 'node:assert/strict'
import { test } from 'node:test'
import { waitForHeldRequests } from '../../../../test/held-requests.ts'
import { bearer } from '../../../../test/hub.ts'
import {
  listEventMessages,
  newContact,
  newKey,
  startSecondHub,
  startSending,
  text,
  toStatusAndCode,
} from '../test/fixture.ts'

/** The upstream accepts the message, and the hub gets no readable response. A hang ends with the hub's timeout. */
for (const [what, kind, more] of [
  ['an accepted send without a response', 'hang_after', {}],
  ['an accepted send whose connection is reset', 'reset_after', {}],
  ['an accepted send with an unreadable 500', 'http_after', { status: 500 }],
  ['an accepted send with an unreadable 503', 'http_after', { status: 503 }],
  ['an accepted send with a truncated response', 'garbled_after', {}],
  ['an accepted send with 131000 and HTTP 500', 'error_after', { code: 131000 }],
] as const) {
  test(`${what} is SEND_RESULT_UNKNOWN, is not sent again, and becomes 202 with a status callback`, {
    rules: ['send.unknown-outcome-is-409', 'send.in-progress-is-409', 'send.status-500-with-131000-is-unknown'],
  }, async (t) => {
    const { up, acme, fault, send, sendRequests, acceptedMessages, wait, log, sent } = await startSending(t)
    const impatient = await startSecondHub(t, up, { env: { UPSTREAM_TIMEOUT_MS: '2000' } })
    const [key, body, as] = [newKey(), text(), impatient.anonymous.with(bearer(acme.key))]
    await fault(kind, '/messages', more)

    const first = await send({ key, body, as })
    const [entry] = await log()
    const again = await send({ key, body, as })
    await waitForHeldRequests(up)
    await wait(60)
    const settled = await send({ key, body })

    for (const answer of [first, again]) {
      assert.deepEqual(toStatusAndCode(answer), [409, 'SEND_RESULT_UNKNOWN'])
      assert.partialDeepStrictEqual(answer.body.error.details, { message_id: entry?.id })
      assert.equal(answer.headers.get('idempotent-replayed'), null)
    }
    assert.deepEqual([entry?.status, entry?.error, entry?.upstream_message_id], ['unknown', null, null])
    const [message] = await acceptedMessages()
    const { id, channel_id, to, type, created_at } = entry!
    assert.deepEqual(settled.body.data?.message, {
      id,
      channel_id,
      status: 'accepted',
      to,
      type,
      contact: null,
      created_at,
      upstream_message_id: message?.message_id,
    })
    assert.deepEqual([settled.status, settled.headers.get('idempotent-replayed')], [202, 'true'])
    assert.equal((await sendRequests()).length, 1)
    assert.equal((await sent()).length, 1)
  })
}

/** The upstream does not process the message, but the hub cannot know that. */
for (const [what, kind] of [
  ['reset before the upstream processes it', 'reset_before'],
  ['answered with HTML by a gateway', 'http'],
]) {
  test(`a send that is ${what} is SEND_RESULT_UNKNOWN, and stays so without a status callback`, {
    rules: ['send.unknown-outcome-is-409'],
  }, async (t) => {
    const { fault, send, sendRequests, acceptedMessages, wait, log, sent } = await startSending(t)
    const [key, body] = [newKey(), text()]
    await fault(kind!, '/messages')

    const first = await send({ key, body })
    await wait(3600)
    const again = await send({ key, body })

    assert.deepEqual([toStatusAndCode(first), toStatusAndCode(again)], Array(2).fill([409, 'SEND_RESULT_UNKNOWN']))
    assert.equal((await sendRequests()).length, 1)
    assert.deepEqual(await acceptedMessages(), [])
    assert.equal((await log())[0]?.status, 'unknown')
    assert.deepEqual(await sent(), [])
  })
}

test('a send that a status callback settles publishes message.sent with the accepted entry, then message.status', {
  rules: ['send.any-status-settles-unknown'],
}, async (t) => {
  const { hub, up, channel, fault, send, wait, acceptedMessages, log, sent } = await startSending(t)
  const to = newContact()
  await up.simulator.control('POST', `/contacts/${to}/messages`, { to: channel.number.phoneNumberId })
  await fault('reset_after', '/messages')
  await send({ to })
  const [unknown] = await log('direction=outbound')

  await wait(60)

  const [message] = await acceptedMessages()
  const [entry, ...others] = await sent()
  assert.deepEqual(others, [])
  assert.deepEqual(entry, { ...unknown, status: 'accepted', upstream_message_id: message?.message_id })
  const statuses = await listEventMessages(hub.sql, channel.id, 'message.status')
  assert.deepEqual(
    statuses.map(({ id, status }) => [id, status]),
    ['sent', 'delivered', 'read'].map((status) => [unknown?.id, status]),
  )
  assert.equal((await log('direction=outbound'))[0]?.status, 'read')
})

test('a failed status settles a send: the key gets 202, and the log entry is failed', {
  rules: ['send.unknown-outcome-is-409'],
}, async (t) => {
  const { fault, send, wait, sendRequests, log, sent } = await startSending(t)
  const [key, body] = [newKey(), text()]
  await fault('reset_after', '/messages')
  await send({ key, body })

  await wait(60)
  const settled = await send({ key, body })

  assert.equal(settled.status, 202)
  assert.equal(settled.body.data.message.status, 'accepted')
  const [entry] = await log()
  assert.deepEqual([entry?.status, entry?.error?.code], ['failed', 131047])
  assert.equal((await sendRequests()).length, 1)
  assert.equal((await sent()).length, 1)
})

test("a status of another channel with the send's id settles nothing", async (t) => {
  const { up, acme, connect, fault, send, report, wait, log, sent } = await startSending(t)
  const other = await connect(acme)
  const key = newKey()
  const body = text()
  await fault('reset_before', '/messages')
  await send({ key, body })
  const [unknown] = await log()

  await up.simulator.control('POST', '/webhooks', {
    waba_id: other.number.wabaId,
    phone_number_id: other.number.phoneNumberId,
    field: 'messages',
    value: {
      messaging_product: 'whatsapp',
      metadata: { display_phone_number: '5511', phone_number_id: other.number.phoneNumberId },
      statuses: [{ id: 'wamid.A', status: 'sent', timestamp: '1790000000', biz_opaque_callback_data: unknown!.id }],
    },
  })
  await wait(1)
  const still = await send({ key, body })
  const own = await report('sent', { wamid: 'wamid.B', callbackData: unknown!.id })
  const settled = await send({ key, body })

  assert.deepEqual(toStatusAndCode(still), [409, 'SEND_RESULT_UNKNOWN'])
  assert.equal(own.status, 200)
  assert.equal(settled.body.data.message.upstream_message_id, 'wamid.B')
  assert.equal((await sent()).length, 1)
})
