import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json, JsonObject } from '../json.ts'
import { type Fixture, listStatuses, listValues, readWamid, startFixture } from '../test/harness.ts'

const TEXT = { type: 'text', text: { body: 'oi' } }
const ANA = '5511999990000'

type ChatMessage = JsonObject & { id: string; from: string; status: string }
type Customer = { phone: string; user_id: string; name: string; username: string | null; hides_phone: boolean }
type Chat = { customer: Customer; customers: (Customer & { last_message_at: string })[]; messages: ChatMessage[] }

function setFaults(fixture: Fixture, faults: JsonObject, phoneId = fixture.phoneId): Promise<Json> {
  return fixture.control('PUT', `/numbers/${phoneId}/faults`, faults)
}

function readChat({ control, phoneId }: Fixture, customer = ANA): Promise<Chat> {
  return control<Chat>('GET', `/numbers/${phoneId}/conversation?customer=${customer}`)
}

function write({ control, phoneId }: Fixture, message: JsonObject, customer = ANA): Promise<ChatMessage> {
  return control<ChatMessage>('POST', `/numbers/${phoneId}/customers/${customer}/messages`, message)
}

/** A second registered number of the same account. */
async function addNumber({ control, wabaId }: Fixture): Promise<string> {
  const number = { number: '5511987650000', registered: true }
  return (await control<{ phone_number_id: string }>('POST', `/accounts/${wabaId}/numbers`, number)).phone_number_id
}

function statuses({ receiver }: Fixture): string[] {
  return listStatuses(receiver).map(({ status }) => status)
}

test('a message to a phone that is offline is sent, and delivered and read when the phone is back', async (t) => {
  const fixture = await startFixture(t)
  await fixture.receive()
  await setFaults(fixture, { phone_offline: true })

  await fixture.send(TEXT)
  await fixture.advance(60_000)
  assert.deepEqual(statuses(fixture), ['sent'])
  await setFaults(fixture, { phone_offline: false })
  assert.deepEqual(statuses(fixture), ['sent', 'delivered'])
  await fixture.advance(60_000)
  assert.deepEqual(statuses(fixture), ['sent', 'delivered', 'read'])
})

test('a phone that is offline neither writes nor reads', async (t) => {
  const fixture = await startFixture(t)
  await setFaults(fixture, { phone_offline: true })

  await assert.rejects(write(fixture, TEXT), {
    status: 400,
    message: 'The phone is offline. Set phone_offline to false first.',
  })
  await assert.rejects(fixture.control('POST', `/numbers/${fixture.phoneId}/customers/${ANA}/read`), { status: 400 })
  assert.deepEqual((await readChat(fixture)).messages, [])
})

test('delayed webhooks arrive later, each twice if they are duplicated', async (t) => {
  const fixture = await startFixture(t)
  await setFaults(fixture, { callback_delay_ms: 5_000, duplicate: true })

  await fixture.receive()
  await fixture.advance(4_999)
  assert.equal(fixture.receiver.posts.length, 0)
  await fixture.advance(1)

  assert.equal(fixture.receiver.posts.length, 2)
  assert.deepEqual(fixture.receiver.posts[0]?.raw, fixture.receiver.posts[1]?.raw)
})

test('reordered webhooks arrive last one first', async (t) => {
  const fixture = await startFixture(t)
  await fixture.receive()
  await setFaults(fixture, { reorder: true })

  await fixture.send(TEXT)
  await fixture.advance(60_000)

  assert.deepEqual(statuses(fixture), ['read', 'delivered', 'sent'])
})

test('a number fails with the chosen code, which the chat shows', async (t) => {
  const fixture = await startFixture(t)
  await fixture.receive()
  await setFaults(fixture, { fail_with: 131026 })

  await fixture.send(TEXT)
  await fixture.advance(60_000)

  const [status] = listStatuses(fixture.receiver)
  assert.deepEqual([status?.status, status?.errors?.[0]?.code], ['failed', 131026])
  const last = (await readChat(fixture)).messages.at(-1)
  assert.deepEqual([last?.status, last?.error_code], ['failed', 131026])
})

test('faults of a number concern no other number of its account, and are off by default', async (t) => {
  const fixture = await startFixture(t)
  const other = await addNumber(fixture)
  await setFaults(
    fixture,
    { phone_offline: true, callback_delay_ms: 60_000, duplicate: true, reorder: true, fail_with: 131026 },
    other,
  )

  await fixture.receive()
  await fixture.send(TEXT)
  await fixture.advance(10_000)

  assert.deepEqual(statuses(fixture), ['sent', 'delivered', 'read'])
  assert.equal(fixture.receiver.posts.length, 4)
  const own = await fixture.control<JsonObject>('GET', `/numbers/${fixture.phoneId}/faults`)
  const { failure_codes: codes, ...faults } = own
  assert.ok(Array.isArray(codes) && codes.includes(131026))
  assert.deepEqual(faults, {
    phone_offline: false,
    callback_delay_ms: 0,
    duplicate: false,
    reorder: false,
    fail_with: null,
  })
})

test('invalid faults are refused and change nothing', async (t) => {
  const fixture = await startFixture(t)
  await setFaults(fixture, { duplicate: true })

  for (const faults of [
    { callback_delay_ms: -1 },
    { callback_delay_ms: 60_001 },
    { fail_with: 100 },
    { phone_offline: 'yes' },
  ]) {
    await assert.rejects(setFaults(fixture, faults), { status: 400 }, JSON.stringify(faults))
  }
  const faults = await fixture.control<{ duplicate: boolean }>('GET', `/numbers/${fixture.phoneId}/faults`)
  assert.equal(faults.duplicate, true)
})

test('a customer shows a name to one number, and another to the rest', async (t) => {
  const fixture = await startFixture(t)
  const other = await addNumber(fixture)
  await fixture.control('PUT', `/numbers/${fixture.phoneId}/customers/${ANA}`, { name: 'Ana Beatriz' })

  await write(fixture, TEXT)
  await fixture.control('POST', `/numbers/${other}/customers/${ANA}/messages`, TEXT)

  const names = listValues(fixture.receiver, 'messages').map((value) => {
    return (value.contacts as [{ profile: { name: string } }])[0].profile.name
  })
  assert.deepEqual(names, ['Ana Beatriz', 'Contact 0000'])
  assert.equal((await readChat(fixture)).customer.name, 'Ana Beatriz')
})

test('a customer with a username hides the phone number from one number, and shows it again', async (t) => {
  const fixture = await startFixture(t)
  const other = await addNumber(fixture)
  const path = `/numbers/${fixture.phoneId}/customers/${ANA}`

  await fixture.control('PUT', path, { username: 'ana.beatriz', hides_phone: true })
  await write(fixture, TEXT)
  await fixture.control('POST', `/numbers/${other}/customers/${ANA}/messages`, TEXT)
  const hidden = await readChat(fixture)
  await fixture.control('PUT', path, { username: null, hides_phone: false })
  await write(fixture, TEXT)

  const userId = await fixture.readUserId()
  const seen = listValues(fixture.receiver, 'messages').map((value) => {
    const [{ profile, wa_id }] = value.contacts as [{ profile: { username?: string }; wa_id?: string }]
    const [{ from, from_user_id }] = value.messages as [{ from?: string; from_user_id: string }]
    return [profile.username, wa_id, from, from_user_id]
  })
  assert.deepEqual(seen, [
    ['ana.beatriz', undefined, undefined, userId],
    [undefined, ANA, ANA, userId],
    [undefined, ANA, ANA, userId],
  ])
  const { last_message_at: _, ...listed } = hidden.customers[0]!
  const customer = { phone: ANA, user_id: userId, name: 'Contact 0000', username: 'ana.beatriz', hides_phone: true }
  assert.deepEqual([hidden.customer, listed], [customer, customer])
  assert.deepEqual((await readChat(fixture)).customer, { ...customer, username: null, hides_phone: false })
})

test('a message to the user id of a customer who hides the phone number reaches their phone', async (t) => {
  const fixture = await startFixture(t)
  await fixture.control('PUT', `/numbers/${fixture.phoneId}/customers/${ANA}`, { username: 'ana', hides_phone: true })
  await write(fixture, TEXT)

  const sent = readWamid(await fixture.send({ ...TEXT, to: undefined, recipient: await fixture.readUserId() }))
  await fixture.advance(1_000)

  const last = (await readChat(fixture)).messages.at(-1)
  assert.deepEqual([last?.id, last?.status], [sent, 'delivered'])
})

test('a username that no person can have is refused', async (t) => {
  const fixture = await startFixture(t)
  for (const username of ['ab', 'a'.repeat(36), 'a b', 'ação', 7]) {
    const put = fixture.control('PUT', `/numbers/${fixture.phoneId}/customers/${ANA}`, { username })
    await assert.rejects(put, { status: 400 }, String(username))
  }
})

test('the chat has the messages of both sides, the newest last, with their ticks', async (t) => {
  const fixture = await startFixture(t)
  const { id } = await write(fixture, TEXT)
  const sent = readWamid(await fixture.send({ ...TEXT, context: { message_id: id } }))
  await fixture.advance(1_000)
  await fixture.graph('POST', `/v25.0/${fixture.phoneId}/messages`, {
    messaging_product: 'whatsapp',
    status: 'read',
    message_id: id,
  })

  const { messages, customers } = await readChat(fixture)

  assert.deepEqual(
    messages.map((message) => [message.id, message.from, message.text, message.status, message.reply_to]),
    [
      [id, 'customer', 'oi', 'read', null],
      [sent, 'business', 'oi', 'delivered', id],
    ],
  )
  assert.deepEqual(
    customers.map(({ phone }) => phone),
    [ANA],
  )
})

test('the chat has the last hundred messages, and the last fifty customers', async (t) => {
  const fixture = await startFixture(t)
  for (let i = 0; i < 101; i++) await write(fixture, { type: 'text', text: { body: String(i) } })
  for (let i = 0; i < 50; i++) await write(fixture, TEXT, `551188888${1000 + i}`)

  const { messages, customers } = await readChat(fixture)

  assert.equal(messages.length, 100)
  assert.deepEqual([messages[0]?.text, messages.at(-1)?.text], ['1', '100'])
  assert.equal(customers.length, 50)
  assert.equal(customers[0]?.phone, '5511888881049')
})

test('a customer who opens the chat reads what was delivered', async (t) => {
  const fixture = await startFixture(t)
  await fixture.receive()
  await fixture.send(TEXT)
  await fixture.advance(1_000)

  await fixture.control('POST', `/numbers/${fixture.phoneId}/customers/${ANA}/read`)

  assert.deepEqual(statuses(fixture), ['sent', 'delivered', 'read'])
})

const BUTTONS = {
  type: 'interactive',
  interactive: {
    type: 'button',
    header: { type: 'text', text: 'Pedido' },
    body: { text: 'Quando?' },
    footer: { text: 'Até 19h' },
    action: { buttons: [{ type: 'reply', reply: { id: 'now', title: 'Agora' } }] },
  },
}
const LIST = {
  type: 'interactive',
  interactive: {
    type: 'list',
    body: { text: 'Escolha' },
    action: { button: 'Ver', sections: [{ title: 'Pães', rows: [{ id: 'p1', title: 'Queijo' }] }] },
  },
}

test('the chat shows buttons and rows, and the customer chooses one of their own chat', async (t) => {
  const fixture = await startFixture(t)
  await fixture.receive()
  const buttons = readWamid(await fixture.send(BUTTONS))
  const list = readWamid(await fixture.send(LIST))

  const { messages } = await readChat(fixture)
  const choice = await write(fixture, { type: 'button_reply', button_reply: { message_id: buttons, id: 'now' } })
  const row = await write(fixture, { type: 'list_reply', list_reply: { message_id: list, id: 'p1' } })

  const [shown, rows] = messages.slice(-2)
  assert.deepEqual([shown?.header, shown?.text, shown?.footer], ['Pedido', 'Quando?', 'Até 19h'])
  assert.deepEqual(shown?.buttons, [{ type: 'reply', id: 'now', title: 'Agora', url: null }])
  assert.deepEqual(rows?.list, {
    button: 'Ver',
    sections: [{ title: 'Pães', rows: [{ id: 'p1', title: 'Queijo', description: null }] }],
  })
  assert.deepEqual([choice.text, choice.reply_to], ['Agora', buttons])
  assert.deepEqual([row.text, row.reply_to], ['Queijo', list])
  const foreign = { type: 'button_reply', button_reply: { message_id: buttons, id: 'now' } }
  await assert.rejects(write(fixture, foreign, '5511888880000'), { status: 404 })
  const reaction = { type: 'reaction', reaction: { message_id: buttons, emoji: '👍' } }
  assert.deepEqual((await write(fixture, reaction)).reaction, { message_id: buttons, emoji: '👍' })
  await assert.rejects(write(fixture, reaction, '5511888880000'), { status: 404 })
})

test('the chat shows a template with its parameters and quick replies', async (t) => {
  const fixture = await startFixture(t)
  const created = await fixture.graph('POST', `/v25.0/${fixture.wabaId}/message_templates`, {
    name: 'pedido',
    language: 'pt_BR',
    category: 'UTILITY',
    components: [
      { type: 'BODY', text: 'Olá {{1}}, o pedido saiu.', example: { body_text: [['Ana']] } },
      { type: 'FOOTER', text: 'Pão da Vila' },
      { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Estou a caminho' }] },
    ],
  })
  await fixture.advance(10_000)
  const components = [{ type: 'body', parameters: [{ type: 'text', text: 'Ana' }] }]
  const template = { name: 'pedido', language: { code: 'pt_BR' }, components }
  const id = readWamid(await fixture.send({ type: 'template', template }))

  const { messages } = await readChat(fixture)
  const choice = await write(fixture, { type: 'button_reply', button_reply: { message_id: id, id: '0' } })

  assert.equal(created.status, 200)
  assert.deepEqual([messages[0]?.text, messages[0]?.footer], ['Olá Ana, o pedido saiu.', 'Pão da Vila'])
  assert.deepEqual(messages[0]?.buttons, [{ type: 'reply', id: '0', title: 'Estou a caminho', url: null }])
  assert.deepEqual([choice.type, choice.text], ['button', 'Estou a caminho'])
})

test('a review ends for a template of the account of the number, and for no other', async (t) => {
  const fixture = await startFixture(t)
  const { body } = await fixture.graph('POST', `/v25.0/${fixture.wabaId}/message_templates`, {
    name: 'aviso',
    language: 'pt_BR',
    category: 'UTILITY',
    components: [{ type: 'BODY', text: 'Chegou.' }],
  })
  const foreign = await fixture.control<{ numbers: { phone_number_id: string }[] }>('POST', '/accounts', {
    numbers: [{}],
  })
  const path = (phoneId = '') => `/numbers/${phoneId}/templates/${body.id}/review`
  const review = { result: 'REJECTED', reason: 'SCAM' }

  await assert.rejects(fixture.control('POST', path(foreign.numbers[0]?.phone_number_id), review), { status: 404 })
  const reviewed = await fixture.control<JsonObject>('POST', path(fixture.phoneId), review)

  assert.deepEqual([reviewed.status, reviewed.reason], ['REJECTED', 'SCAM'])
  const updates = listValues(fixture.receiver, 'message_template_status_update')
  assert.deepEqual(
    updates.map(({ event, reason }) => [event, reason]),
    [['REJECTED', 'SCAM']],
  )
})
