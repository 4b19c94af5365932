import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  AT,
  buildCallback,
  buildEntry,
  buildMessagesEntry,
  buildMetadata,
  type Entry,
  type InboundFixture,
  readData,
} from './test/fixture.ts'
import { buildEcho, buildStatus, buildText } from './test/samples.ts'
import { assertAllAccepted, startTwoProcesses } from './test/two-processes.ts'

for (const table of ['seen_changes', 'message_wamids', 'events']) {
  test(`the same callback 20 times concurrently is applied once, with a lock on ${table}`, {
    rules: ['event.status-has-its-effect-once'],
  }, async (t) => {
    const fixture = await startTwoProcesses(t)
    const { wamid } = await fixture.send()
    const image = { type: 'image', image: { id: '1' } }
    const callback = buildCallback(
      buildMessagesEntry(
        fixture.channel,
        { messages: [buildText('wamid.1'), buildText('wamid.2', image)] },
        { statuses: [buildStatus(wamid, 'read')] },
      ),
      buildEntry(fixture.channel, 'account_update', { event: 'ACCOUNT_RESTRICTION' }),
    )

    assertAllAccepted(await fixture.postContending(table, Array(20).fill(callback), 2))

    const log = await fixture.log()
    assert.deepEqual(log.map(({ status }) => status).sort(), ['read', 'received', 'received'])
    const kinds = (await fixture.events()).slice(2).map(({ kind }) => kind)
    assert.deepEqual(kinds.sort(), [
      'account.update',
      'channel.degraded',
      'message.received',
      'message.received',
      'message.sent',
      'message.status',
    ])
    assert.equal((await fixture.rawEvents()).length, 3)
    const [kept] = await fixture.sql<{ count: number }[]>`
      select count(*)::int as count from callbacks where position(${Buffer.from(fixture.channel.number.wabaId)} in body) > 0`
    assert.equal(kept?.count, 20)
  })
}

test('the same message in 20 concurrent callbacks is one log entry and one event', {
  rules: ['callback.repeated-message-has-one-effect'],
}, async (t) => {
  const fixture = await startTwoProcesses(t)
  const callbacks = Array.from({ length: 20 }, (_, i) =>
    buildCallback(buildMessagesEntry(fixture.channel, { messages: [buildText('wamid.1')], i })),
  )

  assertAllAccepted(await fixture.postContending('message_wamids', callbacks, 2))

  assert.equal((await fixture.log()).length, 1)
  assert.equal(readData(await fixture.events(), 'message.received').length, 1)
  assert.equal((await fixture.rawEvents()).length, 20)
})

test('concurrent overlapping batches in different orders are all accepted, with the right final state', async (t) => {
  const fixture = await startTwoProcesses(t)
  const sibling = await fixture.connectAnother({ wabaId: fixture.channel.number.wabaId })
  const callbacks = Array.from({ length: 12 }, (_, round) => buildCallback(...buildOverlapping(fixture, round)))

  assertAllAccepted(await fixture.postContending('message_wamids', callbacks, 2))
  assertAllAccepted(await fixture.postAll(callbacks))

  const log = await fixture.log()
  assert.equal(log.length, 60)
  assert.ok(log.every(({ direction, status }) => status === (direction === 'inbound' ? 'received' : 'read')))
  assert.ok(log.every(({ type }) => type === 'text'))
  const events = await fixture.events()
  assert.deepEqual(
    ['message.received', 'message.echo', 'message.status'].map((kind) => readData(events, kind).length),
    [30, 30, 60],
  )
  for (const { id } of [fixture.channel, sibling]) {
    const [row] = await fixture.sql<{ status: string }[]>`select status from channels where id = ${id}`
    assert.equal(row?.status, 'degraded')
  }
})

/** The same 30 messages, 30 echoes and 60 statuses, in a different order and as different changes in each round. */
function buildOverlapping({ channel }: InboundFixture, round: number): Entry[] {
  const { wabaId: id } = channel.number
  const entries = Array.from({ length: 30 }, (_, i): Entry[] => {
    const image = { image: { id: `media ${i % 7}` } }
    const echo = { ...buildMetadata(channel), message_echoes: [buildEcho(channel.digits, `echo ${i}`, image)], round }
    return [
      buildMessagesEntry(channel, { messages: [buildText(`message ${i}`, image)], round }),
      { id, changes: [{ field: 'smb_message_echoes', value: echo }] },
      buildMessagesEntry(channel, { statuses: [buildStatus(`echo ${i}`, 'read')], round }),
      buildMessagesEntry(channel, { statuses: [buildStatus(`echo ${i}`, 'delivered')], round }),
      ...(i % 6 === 0 ? [buildEntry(channel, 'account_update', { event: 'ACCOUNT_RESTRICTION', round }, AT + i)] : []),
    ]
  }).flat()
  const rotated = [...entries.slice(round * 9), ...entries.slice(0, round * 9)]
  return round % 2 === 0 ? rotated : rotated.reverse()
}
