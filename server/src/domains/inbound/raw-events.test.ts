import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  AT,
  buildCallback,
  buildEntry,
  buildMessagesEntry,
  buildMetadata,
  type InboundFixture,
  startInbound,
} from './test/fixture.ts'
import { buildStatus, buildText, PERSON } from './test/samples.ts'

/** Changes of fields that become a raw event only, and of some that become more events. */
const FIELDS: Record<string, (fixture: InboundFixture) => object> = {
  messages: ({ channel }) => ({ ...buildMetadata(channel), messages: [buildText('wamid.1')] }),
  smb_message_echoes: ({ channel }) => ({
    ...buildMetadata(channel),
    message_echoes: [{ id: 'wamid.1', type: 'text' }],
  }),
  history: ({ channel }) => ({
    ...buildMetadata(channel),
    history: [
      { metadata: { phase: 0, chunk_order: 1, progress: 50 }, threads: [{ id: '1', messages: [buildText('w')] }] },
    ],
  }),
  smb_app_state_sync: ({ channel }) => ({
    ...buildMetadata(channel),
    state_sync: [{ type: 'contact', contact: { full_name: 'Ana', phone_number: '5511' }, action: 'add' }],
  }),
  calls: ({ channel }) => ({
    ...buildMetadata(channel),
    calls: [{ id: 'wacid.1', event: 'connect', session: { sdp: 'v=0' } }],
  }),
  user_preferences: ({ channel }) => ({
    ...buildMetadata(channel),
    user_preferences: [{ wa_id: '5511', category: 'marketing_messages', value: 'stop', timestamp: AT }],
  }),
  account_update: () => ({ event: 'ACCOUNT_VIOLATION' }),
  payment_configuration_update: () => ({ configuration_name: 'pix' }),
  automatic_events: () => ({ event: 'LeadSubmitted' }),
  standby: () => ({ messages: [{ id: 'wamid.standby', from: PERSON, type: 'text' }] }),
  messaging_handovers: () => ({ handovers: [{ recipient: PERSON }] }),
  a_field_of_the_future: () => ({ anything: [1, { at: 'all' }] }),
}
const ONLY_RAW = ['history', 'payment_configuration_update', 'automatic_events', 'standby', 'messaging_handovers']

for (const [field, valueIn] of Object.entries(FIELDS)) {
  test(`a change of ${field} becomes one upstream.raw with the exact bytes of the change`, {
    rules: ['event.each-change-is-also-raw', 'payload.raw-is-the-upstreams-bytes'],
  }, async (t) => {
    const fixture = await startInbound(t)
    const change = `{ "field" :"${field}","value":${JSON.stringify(valueIn(fixture)).replaceAll('a', '\\u0061')}  }`
    const entry = `"id":"${fixture.channel.number.wabaId}", "time" : ${AT},"other":{"x": 1.50}`

    const answer = await fixture.post(`{"entry": [{"changes":[${change}],${entry}}], "object":"account"}`)

    assert.equal(answer.status, 200)
    const [raw, ...others] = (await fixture.rawEvents()).map(String)
    assert.deepEqual(others, [])
    const members = `"id":"${fixture.channel.number.wabaId}","time" : ${AT},"other":{"x": 1.50}`
    assert.equal(raw, `{"object":"account","entry":[{${members},"changes":[${change}]}]}`)
  })
}

for (const field of [...ONLY_RAW, 'a_field_of_the_future']) {
  test(`a change of ${field} becomes no event other than upstream.raw`, {
    rules: ['callback.unknown-number-is-stored'],
  }, async (t) => {
    const fixture = await startInbound(t)
    const before = await fixture.events()

    await fixture.deliver(buildEntry(fixture.channel, field, FIELDS[field]?.(fixture)))

    assert.deepEqual(await fixture.events(), before)
    assert.deepEqual(await fixture.log(), [])
    assert.equal((await fixture.rawEvents()).length, 1)
  })
}

test('bytes that are not UTF-8 are published unchanged', async (t) => {
  const fixture = await startInbound(t)
  const head = `{"object":"o","entry":[{"id":"${fixture.channel.number.wabaId}","changes":[{"field":"f","value":"`
  const bytes = Buffer.concat([
    Buffer.from(head),
    Buffer.from([0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80]),
    Buffer.from('"}]}]}'),
  ])

  const answer = await fixture.post(bytes)

  assert.equal(answer.status, 200)
  const [raw] = await fixture.rawEvents()
  assert.ok(raw?.equals(bytes), String(raw))
})

test('each change of a callback is one event with the members of its entry', {
  rules: ['event.each-change-is-also-raw'],
}, async (t) => {
  const fixture = await startInbound(t)
  const { wabaId: id } = fixture.channel.number
  const changes = [1, 2, 3].map((value) => ({ field: 'f', value: { value } }))

  await fixture.deliver({ id, time: AT, changes: changes.slice(0, 2) }, { id, time: AT + 1, changes: changes.slice(2) })

  const bodies = (await fixture.rawEvents()).map((raw) => JSON.parse(`${raw}`))
  const alone = (i: number, time: number) => buildCallback({ id, time, changes: changes.slice(i, i + 1) })
  assert.deepEqual(bodies, [alone(0, AT), alone(1, AT), alone(2, AT + 1)])
})

test("occurred_at of an upstream.raw is its entry's time, or now without a valid one", async (t) => {
  const fixture = await startInbound(t)
  const before = fixture.hub.clock.now().toISOString()

  await fixture.deliver(buildEntry(fixture.channel, 'f', 1), { ...buildEntry(fixture.channel, 'f', 2), time: 'soon' })

  const rows = await fixture.sql<{ occurred_at: string }[]>`
    select occurred_at from events where channel_id = ${fixture.channel.id} and kind = 'upstream.raw' order by id`
  assert.equal(rows[0]?.occurred_at, new Date(AT * 1000).toISOString())
  assert.ok(before <= (rows[1]?.occurred_at ?? ''))
})

test('a repeated change of a channel makes no second event of any kind', {
  rules: ['event.repeated-change-gives-no-second'],
}, async (t) => {
  const fixture = await startInbound(t)
  const twice = [
    buildEntry(fixture.channel, 'account_review_update', { decision: 'APPROVED' }),
    buildEntry(fixture.channel, 'f', 1),
    buildMessagesEntry(fixture.channel, { statuses: [buildStatus('wamid.1', 'sent')] }),
  ]

  await fixture.deliver(...twice, ...twice)
  const first = [await fixture.events(), await fixture.rawEvents()]
  await fixture.deliver(...twice)
  await fixture.deliver(...twice.toReversed())

  assert.equal(first[1]?.length, 3)
  assert.deepEqual([await fixture.events(), await fixture.rawEvents()], first)
})

test('the same change with another entry time is a new change', async (t) => {
  const fixture = await startInbound(t)
  const value = { decision: 'APPROVED' }

  await fixture.deliver(buildEntry(fixture.channel, 'account_review_update', value, AT))
  await fixture.deliver(buildEntry(fixture.channel, 'account_review_update', value, AT + 1))

  assert.equal((await fixture.events()).filter(({ kind }) => kind === 'account.update').length, 2)
  assert.equal((await fixture.rawEvents()).length, 2)
})

test('the same change of an account is new to a channel that is connected later', async (t) => {
  const fixture = await startInbound(t)
  const change = buildEntry(fixture.channel, 'account_review_update', { decision: 'APPROVED' })
  await fixture.deliver(change)
  const sibling = await fixture.connectAnother({ wabaId: fixture.channel.number.wabaId })

  await fixture.deliver(change)

  assert.deepEqual([(await fixture.rawEvents()).length, (await fixture.rawEvents(sibling)).length], [1, 1])
})

test('changes are deduplicated for ten days', async (t) => {
  const fixture = await startInbound(t)
  const change = buildEntry(fixture.channel, 'f', 1)
  await fixture.deliver(change)

  await fixture.hub.clock.advance('9 days')
  await fixture.hub.context.inbound.deleteSeen()
  await fixture.deliver(change)
  const within = (await fixture.rawEvents()).length
  await fixture.hub.clock.advance('2 days')
  await fixture.hub.context.inbound.deleteSeen()
  await fixture.deliver(change)

  assert.deepEqual([within, (await fixture.rawEvents()).length], [1, 2])
})
