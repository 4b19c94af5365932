import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildEntry, buildMetadata, readData, startInbound } from './test/fixture.ts'
import { buildEcho, buildStatus, buildText, PARENT_ID, USER_ID } from './test/samples.ts'

const ana = (wa_id: string, more: object = {}) => ({ profile: { name: 'Ana' }, wa_id, ...more })
const bruno = { profile: { name: 'Bruno' }, wa_id: '5511988887777' }

/** A number as a message has it, and as the contact beside it has it. */
const SPELLINGS = [
  ['a Brazilian number without its ninth digit', '5563984622450', '556384622450'],
  ['a Brazilian number with its ninth digit', '556384622450', '5563984622450'],
  ['a Mexican number with a 1', '525512345678', '5215512345678'],
  ['a Mexican number without its 1', '5215512345678', '525512345678'],
] as const

for (const [what, from, waId] of SPELLINGS) {
  test(`the contact of a message is found by ${what}, alone and among others`, {
    rules: ['message.contact-is-found-by-other-spellings'],
  }, async (t) => {
    const { deliverMessages, log } = await startInbound(t)

    await deliverMessages(
      { contacts: [ana(waId)], messages: [buildText('wamid.1', { from })] },
      {
        contacts: [bruno, ana(waId)],
        messages: [buildText('wamid.2', { from }), buildText('wamid.3', { from: bruno.wa_id })],
      },
    )

    const contact = { name: 'Ana', user_id: null, wa_id: waId }
    assert.deepEqual(
      (await log()).map((line) => [line.from, line.contact]),
      [
        [from, contact],
        [from, contact],
        [bruno.wa_id, { name: 'Bruno', user_id: null, wa_id: bruno.wa_id }],
      ],
    )
  })
}

test('the only contact belongs to the only message, also with another number', {
  rules: ['message.contact-is-found-by-other-spellings'],
}, async (t) => {
  const { deliverMessages, log } = await startInbound(t)

  await deliverMessages({
    contacts: [ana('5491122334455')],
    messages: [buildText('wamid.1', { from: '541122334455' })],
  })

  assert.equal((await log())[0]?.contact?.name, 'Ana')
})

test('a contact with another user id, or beside several messages of other numbers, belongs to none of them', {
  rules: ['message.contact-is-found-by-other-spellings'],
}, async (t) => {
  const { deliverMessages, log } = await startInbound(t)

  await deliverMessages(
    {
      contacts: [ana('556384622450', { user_id: 'BR.another' })],
      messages: [buildText('wamid.1', { from: '5563984622450', from_user_id: USER_ID })],
    },
    {
      contacts: [ana('556384622450')],
      messages: [buildText('wamid.2', { from: bruno.wa_id }), buildText('wamid.3', { from: '5511900001111' })],
    },
  )

  assert.deepEqual(
    (await log()).map(({ contact }) => contact),
    [{ name: null, user_id: USER_ID }, null, null],
  )
})

test('the contact of a status and of an echo is found by another spelling of the number', {
  rules: ['message.contact-is-found-by-other-spellings'],
}, async (t) => {
  const { channel, deliver, deliverMessages, log } = await startInbound(t)
  const [to, waId] = ['5563984622450', '556384622450']

  await deliverMessages({ contacts: [ana(waId)], statuses: [buildStatus('wamid.1', 'sent', { recipient_id: to })] })
  await deliver(
    buildEntry(channel, 'smb_message_echoes', {
      ...buildMetadata(channel),
      contacts: [ana(waId)],
      message_echoes: [buildEcho(channel.digits, 'wamid.2', { to })],
    }),
  )

  assert.deepEqual(
    (await log()).map((line) => [line.to, line.contact?.name, line.contact?.wa_id]),
    [
      [to, 'Ana', waId],
      [to, 'Ana', waId],
    ],
  )
})

test('a contact keeps the username, the wa_id and the hash of the identity key that the upstream gives', {
  rules: ['message.contact-has-names-and-key-hash'],
}, async (t) => {
  const fixture = await startInbound(t)
  const person = '5511977776666'
  await fixture.up.simulator.control('PUT', `/contacts/${person}`, {
    name: 'Ana',
    username: 'ana.souza',
    identity_key_hash: 'DF2lS5v2W6x=',
  })

  await fixture.up.simulator.control('POST', `/contacts/${person}/messages`, {
    to: fixture.channel.number.phoneNumberId,
    type: 'text',
  })

  const [line] = await fixture.log()
  assert.deepEqual(line?.contact, {
    name: 'Ana',
    user_id: line?.contact?.user_id,
    username: 'ana.souza',
    wa_id: person,
    identity_key_hash: 'DF2lS5v2W6x=',
  })
  assert.match(line?.contact?.user_id ?? '', /^BR\./)
  assert.deepEqual(readData(await fixture.events(), 'message.received')[0]?.message.contact, line?.contact)
})

test('details of a contact from several callbacks are merged, also from the status itself', {
  rules: ['message.contact-has-names-and-key-hash'],
}, async (t) => {
  const { deliverMessages, log } = await startInbound(t)
  const status = (name: string, more: object) => buildStatus('wamid.1', name, { recipient_id: undefined, ...more })

  await deliverMessages({ statuses: [status('sent', { recipient_user_id: USER_ID })] })
  await deliverMessages({
    contacts: [{ profile: { name: 'Ana', username: 'ana.souza' }, user_id: USER_ID }],
    statuses: [status('delivered', { recipient_user_id: USER_ID, recipient_parent_user_id: PARENT_ID })],
  })
  await deliverMessages({
    statuses: [status('read', { recipient_user_id: USER_ID, recipient_identity_key_hash: 'h1' })],
  })

  assert.deepEqual((await log())[0]?.contact, {
    name: 'Ana',
    user_id: USER_ID,
    parent_user_id: PARENT_ID,
    username: 'ana.souza',
    identity_key_hash: 'h1',
  })
})

test('the simulated upstream shows another number than the wa_id, and the contact is found', {
  rules: ['message.contact-is-found-by-other-spellings'],
}, async (t) => {
  const fixture = await startInbound(t)
  const path = '/contacts/556384622450'
  await fixture.up.simulator.control('PUT', path, { name: 'Ana', number: '5563984622450' })

  await fixture.up.simulator.control('POST', `${path}/messages`, { to: fixture.channel.number.phoneNumberId })

  const [line] = await fixture.log()
  assert.deepEqual([line?.from, line?.contact?.name, line?.contact?.wa_id], ['5563984622450', 'Ana', '556384622450'])
})
