import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AT, iso, readData, startInbound } from './test/fixture.ts'
import { INBOUND_TYPES } from './test/inbound-types.ts'
import { buildStatus, buildText, CONTACT, PARENT_ID, PERSON, USER_ID } from './test/samples.ts'

for (const [what, members] of Object.entries(INBOUND_TYPES)) {
  test(`${what} is logged, and published as message.received with that entry`, {
    rules: [
      'message.entry-is-one-flat-record',
      'message.inbound-is-received',
      'event.messages-become-message-received',
    ],
  }, async (t) => {
    const fixture = await startInbound(t)
    const { type, errors, ...own } = members
    const message = { from: PERSON, from_user_id: USER_ID, id: 'wamid.1', timestamp: String(AT), ...members }

    await fixture.deliverMessages({ contacts: [CONTACT], messages: [message] })

    const [line, ...others] = await fixture.log()
    assert.deepEqual(others, [])
    assert.deepEqual(line, {
      id: line?.id,
      channel_id: fixture.channel.id,
      direction: 'inbound',
      type: type ?? 'unknown',
      status: 'received',
      from: PERSON,
      to: fixture.channel.digits,
      contact: { name: 'Ana Souza', user_id: USER_ID, wa_id: PERSON },
      upstream_message_id: 'wamid.1',
      content: (typeof type === 'string' && own[type]) || null,
      context: null,
      error: toError(errors),
      pricing: null,
      created_at: iso(AT),
      sent_at: null,
      delivered_at: null,
      read_at: null,
      failed_at: null,
    })
    const events = (await fixture.events()).filter(({ kind }) => /^message\.(?!edited|revoked)/.test(kind))
    assert.deepEqual(readData(events), [{ message: line }])
    assert.deepEqual([events[0]?.kind, events[0]?.occurred_at], ['message.received', iso(AT)])
  })
}

function toError(errors: unknown) {
  const [error] = (errors ?? []) as { code: number; title: string; message: string; error_data?: { details: string } }[]
  return error ? { code: error.code, title: error.title, details: error.error_data?.details ?? error.message } : null
}

test('a message of a contact without a phone number has the user id, and `from` is null', {
  rules: ['message.from-may-be-null'],
}, async (t) => {
  const fixture = await startInbound(t)
  const { from: _, ...nameless } = buildText('wamid.1', { from_user_id: USER_ID })

  await fixture.deliverMessages({
    contacts: [{ profile: { name: 'Ana', username: 'ana' }, user_id: USER_ID }],
    messages: [nameless],
  })

  const [line] = await fixture.log()
  assert.deepEqual([line?.from, line?.contact], [null, { name: 'Ana', user_id: USER_ID, username: 'ana' }])
  assert.deepEqual(readData(await fixture.events(), 'message.received'), [{ message: line }])
})

test("a contact has its parent's user id, of the message or of the contacts beside it", {
  rules: ['message.contact-has-the-parent-user-id'],
}, async (t) => {
  const fixture = await startInbound(t)
  const contacts = [{ ...CONTACT, parent_user_id: PARENT_ID }]

  await fixture.deliverMessages(
    { contacts, messages: [buildText('wamid.1')] },
    { messages: [buildText('wamid.2', { from_user_id: USER_ID, from_parent_user_id: PARENT_ID })] },
    { contacts, statuses: [buildStatus('wamid.3', 'sent')] },
    { statuses: [buildStatus('wamid.4', 'sent', { parent_recipient_user_id: PARENT_ID })] },
  )

  const known = { name: 'Ana Souza', user_id: USER_ID, parent_user_id: PARENT_ID, wa_id: PERSON }
  const named = { name: null, user_id: USER_ID, parent_user_id: PARENT_ID }
  const expected = [known, named, known, { ...named, user_id: null }]
  const log = await fixture.log()
  assert.deepEqual(
    log.map(({ contact }) => contact),
    expected,
  )
  const events = readData((await fixture.events()).filter(({ kind }) => kind.startsWith('message.')))
  assert.deepEqual(
    events.map(({ message }) => message.contact),
    expected,
  )
})

test('a system message without contacts has no contact', async (t) => {
  const fixture = await startInbound(t)

  await fixture.deliverMessages({ messages: [buildText('wamid.1', INBOUND_TYPES['a changed number'])] })

  assert.equal((await fixture.log())[0]?.contact, null)
})

test('each message of a change with several senders has its own contact', async (t) => {
  const fixture = await startInbound(t)
  const [bea, caio] = ['5511900000001', '5511900000002']

  await fixture.deliverMessages({
    contacts: [
      { profile: { name: 'Bea' }, wa_id: bea, user_id: 'BR.bea' },
      { profile: { name: 'Caio' }, wa_id: caio },
    ],
    messages: [
      buildText('wamid.1', { from: caio }),
      buildText('wamid.2', { from: bea }),
      buildText('wamid.3', { from: '5511900000003' }),
    ],
  })

  const log = await fixture.log()
  assert.deepEqual(
    log.map(({ from, contact }) => [from, contact]),
    [
      [caio, { name: 'Caio', user_id: null, wa_id: caio }],
      [bea, { name: 'Bea', user_id: 'BR.bea', wa_id: bea }],
      ['5511900000003', null],
    ],
  )
})

test("the context of a message has the message that it replies to, its advertisement, its group and its sender's identity", {
  rules: ['message.context-holds-referral-and-group'],
}, async (t) => {
  const fixture = await startInbound(t)
  const context = { from: PERSON, id: 'wamid.0', forwarded: true, referred_product: { catalog_id: '1' } }
  const referral = { source_url: 'https://fb.me/1', source_type: 'ad', ctwa_clid: 'c', welcome_message: { text: 'Oi' } }
  const identity = { acknowledged: true, created_timestamp: 1_790_000_000, hash: 'h' }

  await fixture.deliverMessages({
    messages: [
      buildText('wamid.1', { context }),
      buildText('wamid.2', { referral }),
      buildText('wamid.3', { group_id: 'g1' }),
      buildText('wamid.4', { identity }),
      buildText('wamid.5', { context, referral, group_id: 'g1', identity }),
    ],
  })

  const log = await fixture.log()
  assert.deepEqual(
    log.map((line) => line.context),
    [context, { referral }, { group_id: 'g1' }, { identity }, { ...context, referral, group_id: 'g1', identity }],
  )
})

test('a repeated message, in one change or in several, is one log entry and one event', {
  rules: ['callback.repeated-message-has-one-effect'],
}, async (t) => {
  const fixture = await startInbound(t)
  const message = buildText('wamid.1')

  await fixture.deliverMessages({ messages: [message, message] }, { messages: [message], more: 1 })
  await fixture.deliverMessages({ messages: [{ ...message, text: { body: 'another text' } }] })

  const [line, ...others] = await fixture.log()
  assert.deepEqual([line?.content, others], [message.text, []])
  assert.equal(readData(await fixture.events(), 'message.received').length, 1)
})

test('all messages of all changes and entries of a callback are logged in order', {
  rules: ['callback.handles-the-whole-batch'],
}, async (t) => {
  const fixture = await startInbound(t)
  const other = await fixture.connectAnother()
  const entry = (channel: typeof other, ids: string[][]) => ({
    id: channel.number.wabaId,
    changes: ids.map((some) => ({
      field: 'messages',
      value: {
        metadata: { phone_number_id: channel.number.phoneNumberId },
        messages: some.map((id) => buildText(id)),
      },
    })),
  })

  await fixture.deliver(
    entry(fixture.channel, [['a', 'b'], ['c']]),
    entry(other, [['d']]),
    entry(fixture.channel, [['e']]),
  )

  const listIds = async (of: typeof other) => (await fixture.log(of)).map((line) => line.upstream_message_id)
  assert.deepEqual([await listIds(fixture.channel), await listIds(other)], [['a', 'b', 'c', 'e'], ['d']])
})

test("the time of a message is the upstream's, as text or as a number, or now without a valid one", {
  rules: ['message.log-follows-arrival'],
}, async (t) => {
  const fixture = await startInbound(t)
  const before = fixture.hub.clock.now().toISOString()
  const times = [String(AT), AT, '', 'soon', -5, 1e15, 1.5, null, ['1790000000'], '0x10']

  await fixture.deliverMessages({ messages: times.map((timestamp, i) => buildText(`wamid.${i}`, { timestamp })) })

  const made = (await fixture.log()).map(({ created_at }) => created_at)
  assert.deepEqual(made.slice(0, 2), [iso(AT), iso(AT)])
  const after = fixture.hub.clock.now().toISOString()
  assert.ok(
    made.slice(2).every((at) => before <= at && at <= after),
    made.join(),
  )
})
