import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  AT,
  buildCallback,
  buildEntry,
  buildMetadata,
  type InboundFixture,
  iso,
  readData,
  startInbound,
} from './test/fixture.ts'
import { buildEcho, buildText, CONTACT, PARENT_ID, PERSON, USER_ID } from './test/samples.ts'
import { assertAllAccepted, startTwoProcesses } from './test/two-processes.ts'

const TIME = String(AT)
const PREFERENCE = {
  wa_id: PERSON,
  user_id: USER_ID,
  detail: 'User requested to stop marketing messages',
  category: 'marketing_messages',
  value: 'stop',
  timestamp: AT,
}
const CALL = { id: 'wacid.1', from: PERSON, to: '551130001000', timestamp: TIME, direction: 'USER_INITIATED' }
const CONNECT = { ...CALL, event: 'connect', session: { sdp_type: 'offer', sdp: 'v=0' } }
const GROUP = { timestamp: TIME, group_id: 'g-1', type: 'group_create', subject: 'Pães', request_id: 'r-1' }

async function deliver(fixture: InboundFixture, field: string, members: object): Promise<void> {
  await fixture.deliver(buildEntry(fixture.channel, field, { ...buildMetadata(fixture.channel), ...members }))
}

test('each preference of a contact is contact.preferences, and is not in the log', {
  rules: ['event.preferences-become-contact-preferences'],
}, async (t) => {
  const fixture = await startInbound(t)
  const resumed = { ...PREFERENCE, value: 'resume', detail: null, timestamp: AT + 5 }

  await deliver(fixture, 'user_preferences', {
    contacts: [CONTACT],
    user_preferences: [PREFERENCE, resumed, { value: 1 }],
  })

  const events = await fixture.events()
  assert.deepEqual(readData(events, 'contact.preferences'), [
    {
      contact: { name: 'Ana Souza', user_id: USER_ID, wa_id: PERSON },
      preference: { category: 'marketing_messages', value: 'stop', detail: PREFERENCE.detail },
    },
    {
      contact: { name: 'Ana Souza', user_id: USER_ID, wa_id: PERSON },
      preference: { category: 'marketing_messages', value: 'resume', detail: null },
    },
  ])
  assert.deepEqual(
    events.slice(-2).map(({ occurred_at }) => occurred_at),
    [iso(AT), iso(AT + 5)],
  )
  assert.deepEqual(await fixture.log(), [])
  assert.equal((await fixture.rawEvents()).length, 1)
})

test('a preference without a contact in its change names the person by the ids of its element', {
  rules: ['event.preferences-become-contact-preferences'],
}, async (t) => {
  const fixture = await startInbound(t)
  const numberOnly = { wa_id: PERSON, category: 'marketing_messages', value: 'stop', timestamp: AT }

  await deliver(fixture, 'user_preferences', { user_preferences: [numberOnly, PREFERENCE] })

  const contacts = readData(await fixture.events(), 'contact.preferences').map(({ contact }) => contact)
  assert.deepEqual(contacts, [
    { name: null, user_id: null, wa_id: PERSON },
    { name: null, user_id: USER_ID, wa_id: PERSON },
  ])
})

test('an update of user ids is contact.changed with the ids before', {
  rules: ['event.changed-ids-become-contact-changed'],
}, async (t) => {
  const fixture = await startInbound(t)
  const update = {
    wa_id: PERSON,
    detail: 'The user id changed',
    user_id: { previous: 'BR.before', current: USER_ID },
    parent_user_id: { previous: 'BR.ENT.before', current: PARENT_ID },
    timestamp: TIME,
  }
  const contacts = [{ profile: { name: 'Ana', username: 'ana.souza' }, wa_id: PERSON }]

  await deliver(fixture, 'user_id_update', { contacts, user_id_update: [update] })
  await deliver(fixture, 'user_id_update', { user_id_update: [{ user_id: { current: 'BR.hidden' }, timestamp: TIME }] })

  assert.deepEqual(readData(await fixture.events(), 'contact.changed'), [
    {
      contact: { name: 'Ana', user_id: USER_ID, parent_user_id: PARENT_ID, username: 'ana.souza', wa_id: PERSON },
      previous: { user_id: 'BR.before', parent_user_id: 'BR.ENT.before' },
    },
    { contact: { name: null, user_id: 'BR.hidden' }, previous: {} },
  ])
})

test('the system message of a changed number or user id is contact.changed beside message.received', {
  rules: ['event.changed-ids-become-contact-changed'],
}, async (t) => {
  const fixture = await startInbound(t)
  const number = {
    type: 'user_changed_number',
    body: 'Ana changed the number',
    wa_id: '5511900000001',
    user_id: 'BR.after',
    previous_user_id: USER_ID,
  }
  const id = { type: 'user_changed_user_id', body: '…', user_id: 'BR.later', previous_user_id: 'BR.after' }
  const identity = { type: 'customer_identity_changed', body: '…' }

  for (const [i, system] of [number, id, identity].entries()) {
    const message = buildText(`wamid.system${i}`, { type: 'system', text: undefined, system })
    await fixture.deliverMessages({ messages: [message] })
    await fixture.deliverMessages({ messages: [message, buildText(`wamid.text${i}`)] })
  }

  const events = await fixture.events()
  assert.deepEqual(readData(events, 'contact.changed'), [
    {
      contact: { name: null, user_id: 'BR.after', wa_id: '5511900000001' },
      previous: { wa_id: PERSON, user_id: USER_ID },
    },
    { contact: { name: null, user_id: 'BR.later', wa_id: PERSON }, previous: { user_id: 'BR.after' } },
  ])
  assert.equal(readData(events, 'message.received').length, 6)
})

test('contacts of the app are contact.synced, up to 100 in an event', {
  rules: ['event.state-sync-becomes-contact-synced'],
}, async (t) => {
  const fixture = await startInbound(t)
  const contacts = Array.from({ length: 101 }, (_, i) => ({
    type: 'contact',
    contact: { full_name: `Pessoa ${i}`, first_name: 'Pessoa', phone_number: `+55 11 9${String(10_000_000 + i)}` },
    action: i === 0 ? 'remove' : 'add',
    metadata: { timestamp: String(AT + i) },
  }))

  await deliver(fixture, 'smb_app_state_sync', { state_sync: [...contacts, { type: 'contact', action: 'add' }] })

  const [first, second] = readData(await fixture.events(), 'contact.synced')
  assert.deepEqual([first.contacts.length, second.contacts.length], [100, 1])
  assert.deepEqual(first.contacts[0], {
    wa_id: '5511910000000',
    name: 'Pessoa 0',
    first_name: 'Pessoa',
    action: 'remove',
  })
  assert.deepEqual(second.contacts[0].wa_id, '5511910000100')
})

for (const [type, kind] of [
  ['edit', 'message.edited'],
  ['revoke', 'message.revoked'],
] as const) {
  test(`${kind} names the original of a received or echoed ${type}, and the original stays`, {
    rules: ['event.edits-and-revocations-have-kinds'],
  }, async (t) => {
    const fixture = await startInbound(t)
    const { digits } = fixture.channel
    const content = {
      original_message_id: 'wamid.in',
      ...(type === 'edit' && { message: { type: 'text', text: { body: 'Boa!' } } }),
    }
    const ofEcho = { ...content, original_message_id: 'wamid.out' }
    await fixture.deliverMessages({ messages: [buildText('wamid.in')] })
    await deliver(fixture, 'smb_message_echoes', { message_echoes: [buildEcho(digits, 'wamid.out')] })
    const before = await fixture.log()

    const change = buildText('wamid.change', { type, text: undefined, [type]: content })
    const echo = buildEcho(digits, 'wamid.echo', { type, text: undefined, [type]: ofEcho })
    await fixture.deliverMessages({ messages: [change] })
    await fixture.deliverMessages({ messages: [change, buildText('wamid.other')] })
    await deliver(fixture, 'smb_message_echoes', { message_echoes: [echo] })

    const log = await fixture.log()
    const [received, echoed] = ['wamid.change', 'wamid.echo'].map((id) => log.find((e) => e.upstream_message_id === id))
    const events = await fixture.events()
    assert.deepEqual(readData(events, kind), [
      { message: received, original_upstream_message_id: 'wamid.in' },
      { message: echoed, original_upstream_message_id: 'wamid.out' },
    ])
    assert.deepEqual([received?.type, received?.content], [type, content])
    assert.deepEqual(log.slice(0, 2), before)
    assert.equal(readData(events, 'message.received').length, 3)
    assert.equal(readData(events, 'message.echo').length, 2)
  })
}

test('a call of a contact is call.received, all else about calls call.status, and neither is in the log', {
  rules: ['event.calls-have-kinds'],
}, async (t) => {
  const fixture = await startInbound(t)
  const own = { ...CONNECT, id: 'wacid.2', direction: 'BUSINESS_INITIATED' }
  const end = { ...CALL, event: 'terminate', status: 'FAILED', biz_opaque_callback_data: 'x' }
  const status = { id: 'wacid.2', type: 'call', status: 'RINGING', recipient_id: PERSON, timestamp: TIME }
  const problem = { code: 138000, title: 'Not answered' }

  await deliver(fixture, 'calls', { contacts: [CONTACT], calls: [CONNECT, own, { event: 'connect' }] })
  await deliver(fixture, 'calls', { statuses: [status] })
  await fixture.deliverMessages({ statuses: [{ ...status, status: 'ACCEPTED' }] })
  await deliver(fixture, 'calls', { calls: [end], errors: [problem] })

  const events = (await fixture.events()).slice(-5)
  assert.deepEqual(readData(events, 'call.received'), [{ call: { ...CALL, event: 'connect' } }])
  assert.deepEqual(readData(events, 'call.status'), [
    { call: { ...CALL, id: 'wacid.2', direction: 'BUSINESS_INITIATED', event: 'connect' } },
    { call: status },
    { call: { ...status, status: 'ACCEPTED' } },
    { call: { ...end, errors: [problem] } },
  ])
  assert.ok(events.every(({ occurred_at, body }) => occurred_at === iso(AT) && !body.includes('sdp')))
  assert.deepEqual(await fixture.log(), [])
})

test('each group of a change is group.changed', { rules: ['event.group-changes-become-group-changed'] }, async (t) => {
  const fixture = await startInbound(t)
  const removed = {
    ...GROUP,
    group_id: 'g-2',
    type: 'group_participants_remove',
    removed_participants: [{ wa_id: PERSON }],
  }

  await deliver(fixture, 'group_lifecycle_update', { groups: [GROUP, { type: 'group_create' }] })
  await deliver(fixture, 'group_participants_update', { groups: [removed] })

  assert.deepEqual(readData(await fixture.events(), 'group.changed'), [
    { group_id: 'g-1', change: { ...GROUP, field: 'group_lifecycle_update' } },
    { group_id: 'g-2', change: { ...removed, field: 'group_participants_update' } },
  ])
})

test('a change of a flow is flow.status for each channel of the account and no other', {
  rules: ['event.flow-changes-become-flow-status'],
}, async (t) => {
  const fixture = await startInbound(t)
  const sibling = await fixture.connectAnother({ wabaId: fixture.channel.number.wabaId })
  const foreign = await fixture.connectAnother()
  const flow = { event: 'FLOW_STATUS_CHANGE', message: '…', flow_id: '12345678901234567', new_status: 'PUBLISHED' }

  await fixture.deliver(buildEntry(fixture.channel, 'flows', flow))

  const expected = [{ flow_id: flow.flow_id, change: { ...flow, field: 'flows' } }]
  assert.deepEqual(readData(await fixture.events(), 'flow.status'), expected)
  assert.deepEqual(readData(await fixture.events(sibling), 'flow.status'), expected)
  assert.deepEqual(readData(await fixture.events(foreign), 'flow.status'), [])
})

test('a part that the upstream repeats in another change is one event', {
  rules: ['event.repeated-change-gives-no-second'],
}, async (t) => {
  const fixture = await startInbound(t)
  const resumed = { ...PREFERENCE, value: 'resume' }

  await deliver(fixture, 'user_preferences', { user_preferences: [PREFERENCE, PREFERENCE] })
  await deliver(fixture, 'user_preferences', { user_preferences: [resumed, PREFERENCE] })
  await deliver(fixture, 'calls', { calls: [CONNECT] })
  await deliver(fixture, 'calls', { calls: [CONNECT], contacts: [CONTACT] })

  const events = await fixture.events()
  const values = readData(events, 'contact.preferences').map(({ preference }) => preference.value)
  assert.deepEqual(values, ['stop', 'resume'])
  assert.equal(readData(events, 'call.received').length, 1)
})

test('a part that arrives at two processes at once is one event', {
  rules: ['event.repeated-change-gives-no-second'],
}, async (t) => {
  const fixture = await startTwoProcesses(t)
  const bodies = Array.from({ length: 12 }, (_, i) => {
    const more = { ...PREFERENCE, value: 'resume', timestamp: AT + i }
    const value = { ...buildMetadata(fixture.channel), user_preferences: [PREFERENCE, more] }
    return buildCallback(buildEntry(fixture.channel, 'user_preferences', value))
  })

  assertAllAccepted(await fixture.postContending('seen_changes', bodies, 2))

  const values = readData(await fixture.events(), 'contact.preferences').map(({ preference }) => preference.value)
  assert.equal(values.filter((value) => value === 'stop').length, 1)
  assert.equal(values.length, 13)
})
