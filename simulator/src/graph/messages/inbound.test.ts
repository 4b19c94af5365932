import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Fixture, listValues, readWamid, startFixture } from '../../test/harness.ts'

type Inbound = { id: string; type: string; context?: { id: string; from: string } } & Record<string, unknown>

function lastMessage(fixture: Fixture): Inbound {
  return (fixture.receiver.changes().at(-1)!.value.messages as Inbound[])[0]!
}

const TYPES = [
  'text',
  'image',
  'video',
  'audio',
  'document',
  'sticker',
  'location',
  'contacts',
  'reaction',
  'button',
  'interactive',
  'order',
  'system',
  'edit',
  'revoke',
]

test("an inbound message of every type has an object with the type's name", async (t) => {
  const fixture = await startFixture(t)

  for (const type of TYPES) {
    await fixture.receive({ type })
    const message = lastMessage(fixture)
    assert.equal(message.type, type)
    assert.ok(message[type], type)
    assert.match(message.id, /^wamid\./)
  }
})

test("the control request may have the message's object, context and referral", async (t) => {
  const fixture = await startFixture(t)

  await fixture.receive({
    type: 'location',
    location: { latitude: 1.5, longitude: 2.5 },
    context: { from: '5511987654321', id: 'wamid.x', forwarded: true },
    referral: { source_type: 'ad', ctwa_clid: 'y' },
  })

  const message = lastMessage(fixture)
  assert.deepEqual(message.location, { latitude: 1.5, longitude: 2.5 })
  assert.deepEqual(message.context, { from: '5511987654321', id: 'wamid.x', forwarded: true })
  assert.deepEqual(message.referral, { source_type: 'ad', ctwa_clid: 'y' })
})

test('an unsupported message has error 131051, and media that is too large 131052', async (t) => {
  const fixture = await startFixture(t)

  await fixture.receive({ type: 'unsupported' })
  assert.equal((lastMessage(fixture).errors as [{ code: number }])[0].code, 131051)
  await fixture.receive({ type: 'video', video: { oversized: true } })
  assert.equal((lastMessage(fixture).errors as [{ code: number }])[0].code, 131052)
  assert.equal(lastMessage(fixture).video, undefined)
})

test('a system message has no contacts', async (t) => {
  const fixture = await startFixture(t)

  await fixture.receive({ type: 'system' })

  assert.equal(fixture.receiver.changes().at(-1)?.value.contacts, undefined)
})

test('a reply to a button has the button and the message', async (t) => {
  const fixture = await startFixture(t)
  await fixture.receive()
  const interactive = {
    type: 'button',
    body: { text: 'Confirma?' },
    action: { buttons: [{ type: 'reply', reply: { id: 'yes', title: 'Sim' } }] },
  }
  const messageId = readWamid(await fixture.send({ type: 'interactive', interactive }))

  await fixture.control('POST', '/contacts/5511999990000/replies', { message_id: messageId, choice: 'yes' })

  const message = lastMessage(fixture)
  assert.deepEqual(message.interactive, { type: 'button_reply', button_reply: { id: 'yes', title: 'Sim' } })
  assert.deepEqual(message.context, { from: '5511987654321', id: messageId })
  const other = fixture.control('POST', '/contacts/5511999990000/replies', { message_id: messageId, choice: 'maybe' })
  await assert.rejects(other, /no such button or row in the message/)
  const another = fixture.control('POST', '/contacts/5511999990001/replies', { message_id: messageId, choice: 'yes' })
  await assert.rejects(another, /sent to another person/)
})

test('a reply to a list has the row', async (t) => {
  const fixture = await startFixture(t)
  await fixture.receive()
  const rows = [{ id: 'r1', title: 'Francês', description: 'Quente' }]
  const interactive = {
    type: 'list',
    body: { text: 'Qual?' },
    action: { button: 'Ver', sections: [{ title: 'Pães', rows }] },
  }
  const messageId = readWamid(await fixture.send({ type: 'interactive', interactive }))

  await fixture.control('POST', '/contacts/5511999990000/replies', { message_id: messageId, choice: 'Francês' })

  assert.deepEqual(lastMessage(fixture).interactive, {
    type: 'list_reply',
    list_reply: { id: 'r1', title: 'Francês', description: 'Quente' },
  })
})

test('a reply to a template’s quick reply is a button with the payload that was sent', async (t) => {
  const fixture = await startFixture(t)
  await fixture.graph('POST', `/${fixture.wabaId}/message_templates`, {
    name: 'confirma',
    language: 'pt_BR',
    category: 'UTILITY',
    components: [
      { type: 'BODY', text: 'Confirma a entrega?' },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'QUICK_REPLY', text: 'Sim' },
          { type: 'QUICK_REPLY', text: 'Não' },
          { type: 'URL', text: 'Ver', url: 'https://a.b' },
        ],
      },
    ],
  })
  await fixture.advance(60_000)
  const components = [
    { type: 'button', sub_type: 'quick_reply', index: '0', parameters: [{ type: 'payload', payload: 'P1' }] },
  ]
  const template = { name: 'confirma', language: { code: 'pt_BR' }, components }
  const messageId = readWamid(await fixture.send({ type: 'template', template }))
  const choose = (choice: string) =>
    fixture.control('POST', '/contacts/5511999990000/replies', { message_id: messageId, choice })

  await choose('Sim')
  assert.deepEqual(lastMessage(fixture).button, { payload: 'P1', text: 'Sim' })
  await choose('1')
  assert.deepEqual(lastMessage(fixture).button, { payload: 'Não', text: 'Não' })
  await assert.rejects(choose('Ver'), /no such button or row in the message/)
})

test('a person can stop and resume marketing messages', async (t) => {
  const fixture = await startFixture(t)

  await fixture.control('POST', '/contacts/5511999990000/preferences', { to: fixture.phoneId, value: 'stop' })

  const [value] = listValues(fixture.receiver, 'user_preferences') as [{ user_preferences: [Record<string, unknown>] }]
  assert.equal(value.user_preferences[0].value, 'stop')
  assert.equal(value.user_preferences[0].category, 'marketing_messages')
  assert.equal(typeof value.user_preferences[0].timestamp, 'number')
})

test('Brazilian numbers with and without the ninth digit are one person', async (t) => {
  const fixture = await startFixture(t)
  await fixture.receive({}, '5563984622450')

  await fixture.send({ to: '556384622450', type: 'text', text: { body: 'oi' } })
  await fixture.advance(1_000)

  const statuses = fixture.receiver
    .changes()
    .flatMap(({ value }) => (value.statuses as [{ status: string }] | undefined) ?? [])
  assert.equal(statuses[0]?.status, 'sent')
})
