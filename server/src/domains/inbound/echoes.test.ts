import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AT, buildMetadata, type Entry, type InboundFixture, iso, readData, startInbound } from './test/fixture.ts'
import { buildEcho, buildStatus, CONTACT, PARENT_ID, PERSON, USER_ID } from './test/samples.ts'

function buildEchoEntry(fixture: InboundFixture, id: string, more: object = {}, value: object = {}): Entry {
  const echo = buildEcho(fixture.channel.digits, id, more)
  const change = {
    field: 'smb_message_echoes',
    value: { ...buildMetadata(fixture.channel), message_echoes: [echo], ...value },
  }
  return { id: fixture.channel.number.wabaId, changes: [change] }
}

function buildStatusEntry(fixture: InboundFixture, status: object): Entry {
  const change = {
    field: 'messages',
    value: { ...buildMetadata(fixture.channel), contacts: [CONTACT], statuses: [status] },
  }
  return { id: fixture.channel.number.wabaId, changes: [change] }
}

test('an echo is logged as outbound and sent, and published as message.echo with that entry', {
  rules: [
    'message.echo-is-outbound-and-sent',
    'event.echoes-become-message-echo',
    'event.message-data-is-the-log-entry',
  ],
}, async (t) => {
  const fixture = await startInbound(t)

  await fixture.deliver(buildEchoEntry(fixture, 'wamid.e', { context: { id: 'wamid.0' } }))

  const [line, ...others] = await fixture.log()
  assert.deepEqual(others, [])
  assert.deepEqual(line, {
    id: line?.id,
    channel_id: fixture.channel.id,
    direction: 'outbound',
    type: 'text',
    status: 'sent',
    from: fixture.channel.digits,
    to: PERSON,
    contact: null,
    upstream_message_id: 'wamid.e',
    content: { body: 'Já vai!' },
    context: { id: 'wamid.0' },
    error: null,
    pricing: null,
    created_at: iso(AT),
    sent_at: iso(AT),
    delivered_at: null,
    read_at: null,
    failed_at: null,
  })
  const events = (await fixture.events()).filter(({ kind }) => kind.startsWith('message.'))
  assert.deepEqual(
    events.map(({ kind, occurred_at }) => [kind, occurred_at]),
    [['message.echo', iso(AT)]],
  )
  assert.deepEqual(readData(events), [{ message: line }])
})

test('an echo to a contact without a phone number has the user id', async (t) => {
  const fixture = await startInbound(t)
  const value = { contacts: [{ profile: { name: 'Ana' }, user_id: USER_ID }] }

  await fixture.deliver(buildEchoEntry(fixture, 'wamid.e', { to: undefined, to_user_id: USER_ID }, value))

  const [line] = await fixture.log()
  assert.deepEqual([line?.to, line?.contact], [null, { name: 'Ana', user_id: USER_ID }])
})

test("an echo has the user id of its recipient's parent", {
  rules: ['message.contact-has-the-parent-user-id'],
}, async (t) => {
  const fixture = await startInbound(t)

  await fixture.deliver(
    buildEchoEntry(fixture, 'wamid.e', { to_user_id: USER_ID, to_parent_user_id: PARENT_ID }),
    buildEchoEntry(fixture, 'wamid.f', {}, { contacts: [{ wa_id: PERSON, parent_user_id: PARENT_ID }] }),
  )

  const contacts = readData(await fixture.events(), 'message.echo').map(({ message }) => message.contact)
  assert.deepEqual(contacts, [
    { name: null, user_id: USER_ID, parent_user_id: PARENT_ID },
    { name: null, user_id: null, parent_user_id: PARENT_ID, wa_id: PERSON },
  ])
})

test('an edit and a revocation in the business app are separate echoes', async (t) => {
  const fixture = await startInbound(t)
  const edit = { original_message_id: 'wamid.e', message: { type: 'text', text: { body: 'Já foi!' } } }

  await fixture.deliver(
    buildEchoEntry(fixture, 'wamid.e'),
    buildEchoEntry(fixture, 'wamid.f', { type: 'edit', edit }),
    buildEchoEntry(fixture, 'wamid.g', { type: 'revoke', revoke: { original_message_id: 'wamid.e' } }),
  )

  const log = await fixture.log()
  assert.deepEqual(
    log.map(({ type, content }) => [type, content]),
    [
      ['text', { body: 'Já vai!' }],
      ['edit', edit],
      ['revoke', { original_message_id: 'wamid.e' }],
    ],
  )
})

test('an echo and the statuses of its message make the same log entry in any order', {
  rules: ['message.unknown-status-makes-a-placeholder'],
}, async (t) => {
  const fixture = await startInbound(t)
  const errors = [{ code: 131060, title: 'Unavailable', error_data: { details: 'On the phone only' } }]
  const echo = (id: string) => buildEchoEntry(fixture, id, { errors, timestamp: String(AT + 2) })
  const sent = (id: string) => buildStatusEntry(fixture, buildStatus(id, 'sent', { timestamp: String(AT + 1) }))
  const read = (id: string) => buildStatusEntry(fixture, buildStatus(id, 'read', { timestamp: String(AT + 9) }))

  await fixture.deliver(echo('wamid.a'))
  await fixture.deliver(sent('wamid.a'), read('wamid.a'))
  await fixture.deliver(read('wamid.b'), sent('wamid.b'))
  const [, placeholder] = await fixture.log()
  await fixture.deliver(echo('wamid.b'))
  await fixture.deliver(sent('wamid.c'), echo('wamid.c'), read('wamid.c'))

  assert.deepEqual([placeholder?.type, placeholder?.status], ['unknown', 'read'])
  const [first, ...others] = (await fixture.log()).map(({ id, upstream_message_id, ...line }) => line)
  assert.deepEqual(others, [first, first])
  assert.deepEqual(first, {
    channel_id: fixture.channel.id,
    direction: 'outbound',
    type: 'text',
    status: 'read',
    from: fixture.channel.digits,
    to: PERSON,
    contact: { name: 'Ana Souza', user_id: USER_ID, wa_id: PERSON },
    content: { body: 'Já vai!' },
    context: null,
    pricing: null,
    error: { code: 131060, title: 'Unavailable', details: 'On the phone only' },
    created_at: iso(AT + 2),
    sent_at: iso(AT + 1),
    delivered_at: null,
    read_at: iso(AT + 9),
    failed_at: null,
  })
  const events = await fixture.events()
  assert.equal(readData(events, 'message.echo').length, 3)
  assert.equal(readData(events, 'message.status').length, 6)
})

test("an echo of a failed message keeps the failed status and the failure's error", async (t) => {
  const fixture = await startInbound(t)
  const failed = (id: string) =>
    buildStatusEntry(fixture, buildStatus(id, 'failed', { errors: [{ code: 131026, title: 'Undeliverable' }] }))
  const echo = (id: string) => buildEchoEntry(fixture, id, { errors: [{ code: 131060, title: 'Unavailable' }] })

  await fixture.deliver(failed('wamid.a'), echo('wamid.a'))
  await fixture.deliver(echo('wamid.b'), failed('wamid.b'))

  for (const line of await fixture.log()) assert.deepEqual([line.status, line.error?.code], ['failed', 131026])
})

test('a repeated echo is one log entry and one event', async (t) => {
  const fixture = await startInbound(t)

  await fixture.deliver(
    buildEchoEntry(fixture, 'wamid.e'),
    buildEchoEntry(fixture, 'wamid.e', { text: { body: 'other' } }),
  )
  await fixture.deliver(buildEchoEntry(fixture, 'wamid.e', {}, { more: 1 }))

  const [line, ...others] = await fixture.log()
  assert.deepEqual([line?.content, others], [{ body: 'Já vai!' }, []])
  assert.equal(readData(await fixture.events(), 'message.echo').length, 1)
})

test("an echo of the hub's own message changes nothing", async (t) => {
  const fixture = await startInbound(t)
  const { wamid } = await fixture.send()
  const before = await fixture.log()

  await fixture.deliver(buildEchoEntry(fixture, wamid))

  assert.deepEqual(await fixture.log(), before)
  assert.deepEqual(readData(await fixture.events(), 'message.echo'), [])
})
