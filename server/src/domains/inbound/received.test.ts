import assert from 'node:assert/strict'
import { test } from 'node:test'
import { INBOUND_TYPES } from './test/inbound-types.ts'
import { CONTACT, PERSON, textMessage, USER_ID } from './test/samples.ts'
import { AT, dataOf, iso, startInbound } from './test/scene.ts'

for (const [what, members] of Object.entries(INBOUND_TYPES)) {
  test(`${what} becomes a line of the log and a message.received with exactly that line`, {
    rules: ['D7-15', 'D7-16', 'D7-18', 'D8-10', 'D9-02'],
  }, async (t) => {
    const scene = await startInbound(t)
    const { type, errors, ...own } = members
    const message = { from: PERSON, from_user_id: USER_ID, id: 'wamid.1', timestamp: String(AT), ...members }

    await scene.say({ contacts: [CONTACT], messages: [message] })

    const [line, ...others] = await scene.log()
    assert.deepEqual(others, [])
    assert.deepEqual(line, {
      id: line?.id,
      channel_id: scene.channel.id,
      direction: 'inbound',
      type: type ?? 'unknown',
      status: 'received',
      from: PERSON,
      to: scene.channel.digits,
      contact: { name: 'Ana Souza', user_id: USER_ID },
      upstream_message_id: 'wamid.1',
      content: (typeof type === 'string' && own[type]) || null,
      context: null,
      error: errorIn(errors),
      pricing: null,
      created_at: iso(AT),
      sent_at: null,
      delivered_at: null,
      read_at: null,
      failed_at: null,
    })
    const events = (await scene.events()).filter(({ kind }) => kind.startsWith('message.'))
    assert.deepEqual(dataOf(events), [{ message: line }])
    assert.deepEqual([events[0]?.kind, events[0]?.occurred_at], ['message.received', iso(AT)])
  })
}

function errorIn(errors: unknown) {
  const [error] = (errors ?? []) as { code: number; title: string; message: string; error_data?: { details: string } }[]
  return error ? { code: error.code, title: error.title, details: error.error_data?.details ?? error.message } : null
}

test('somebody who shows no phone number is from null, and known by the user id', { rules: ['D7-23'] }, async (t) => {
  const scene = await startInbound(t)
  const { from: _, ...nameless } = textMessage('wamid.1', { from_user_id: USER_ID })

  await scene.say({ contacts: [{ profile: { name: 'Ana', username: 'ana' }, user_id: USER_ID }], messages: [nameless] })

  const [line] = await scene.log()
  assert.deepEqual([line?.from, line?.contact], [null, { name: 'Ana', user_id: USER_ID }])
  assert.deepEqual(dataOf(await scene.events(), 'message.received'), [{ message: line }])
})

test('a system message comes without contacts, and has none', async (t) => {
  const scene = await startInbound(t)

  await scene.say({ messages: [textMessage('wamid.1', INBOUND_TYPES['a changed number'])] })

  assert.equal((await scene.log())[0]?.contact, null)
})

test('of several senders in one change each message has its own', async (t) => {
  const scene = await startInbound(t)
  const [bea, caio] = ['5511900000001', '5511900000002']

  await scene.say({
    contacts: [
      { profile: { name: 'Bea' }, wa_id: bea, user_id: 'BR.bea' },
      { profile: { name: 'Caio' }, wa_id: caio },
    ],
    messages: [
      textMessage('wamid.1', { from: caio }),
      textMessage('wamid.2', { from: bea }),
      textMessage('wamid.3', { from: '5511900000003' }),
    ],
  })

  const log = await scene.log()
  assert.deepEqual(
    log.map(({ from, contact }) => [from, contact]),
    [
      [caio, { name: 'Caio', user_id: null }],
      [bea, { name: 'Bea', user_id: 'BR.bea' }],
      ['5511900000003', null],
    ],
  )
})

test('what is around a message is its context: what it answers, its advertisement, its group', {
  rules: ['D7-38'],
}, async (t) => {
  const scene = await startInbound(t)
  const context = { from: PERSON, id: 'wamid.0', forwarded: true, referred_product: { catalog_id: '1' } }
  const referral = { source_url: 'https://fb.me/1', source_type: 'ad', ctwa_clid: 'c', welcome_message: { text: 'Oi' } }

  await scene.say({
    messages: [
      textMessage('wamid.1', { context }),
      textMessage('wamid.2', { referral }),
      textMessage('wamid.3', { group_id: 'g1' }),
      textMessage('wamid.4', { context, referral, group_id: 'g1' }),
    ],
  })

  const log = await scene.log()
  assert.deepEqual(
    log.map((line) => line.context),
    [context, { referral }, { group_id: 'g1' }, { ...context, referral, group_id: 'g1' }],
  )
})

test('a message that comes twice, in one change or in another, is one line and one event', {
  rules: ['D8-06'],
}, async (t) => {
  const scene = await startInbound(t)
  const message = textMessage('wamid.1')

  await scene.say({ messages: [message, message] }, { messages: [message], more: 1 })
  await scene.say({ messages: [{ ...message, text: { body: 'another word' } }] })

  const [line, ...others] = await scene.log()
  assert.deepEqual([line?.content, others], [message.text, []])
  assert.equal(dataOf(await scene.events(), 'message.received').length, 1)
})

test('every message of every change and entry of a callback is taken, in its order', {
  rules: ['D8-05'],
}, async (t) => {
  const scene = await startInbound(t)
  const other = await scene.another()
  const entry = (channel: typeof other, ids: string[][]) => ({
    id: channel.number.wabaId,
    changes: ids.map((some) => ({
      field: 'messages',
      value: {
        metadata: { phone_number_id: channel.number.phoneNumberId },
        messages: some.map((id) => textMessage(id)),
      },
    })),
  })

  await scene.deliver(entry(scene.channel, [['a', 'b'], ['c']]), entry(other, [['d']]), entry(scene.channel, [['e']]))

  const idsOf = async (of: typeof other) => (await scene.log(of)).map((line) => line.upstream_message_id)
  assert.deepEqual([await idsOf(scene.channel), await idsOf(other)], [['a', 'b', 'c', 'e'], ['d']])
})

test('the time of a message is the upstream’s, as text or as a number, and now where it is none', {
  rules: ['D7-36'],
}, async (t) => {
  const scene = await startInbound(t)
  const before = scene.hub.clock.now().toISOString()
  const times = [String(AT), AT, '', 'soon', -5, 1e15, 1.5, null, ['1790000000'], '0x10']

  await scene.say({ messages: times.map((timestamp, i) => textMessage(`wamid.${i}`, { timestamp })) })

  const made = (await scene.log()).map(({ created_at }) => created_at)
  assert.deepEqual(made.slice(0, 2), [iso(AT), iso(AT)])
  const after = scene.hub.clock.now().toISOString()
  assert.ok(
    made.slice(2).every((at) => before <= at && at <= after),
    made.join(),
  )
})
