import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Client } from '../../../test/client.ts'
import { startHub } from '../../../test/hub.ts'
import {
  createChannel,
  type HubWithUpstream,
  listEvents,
  startHubWithUpstream,
} from '../../../test/hub-with-upstream.ts'

const ANA = { phone: '5511955500199', name: 'Ana Beatriz' }
const OLA = { type: 'text', text: { body: 'Vocês ainda têm pão de queijo?' } }
const NO_FAULTS = { phone_offline: false, callback_delay_ms: 0, duplicate: false, reorder: false, fail_with: null }
const DELIVERED_MS = 1_000
const READ_MS = 60_000

/** A person with a channel that is connected by the sandbox. */
async function startPhone(t: TestContext) {
  const world = await startHubWithUpstream(t)
  return { ...world, ...(await addOwner(world)) }
}

async function addOwner({ hub }: Pick<HubWithUpstream, 'hub'>) {
  const owner = await hub.person()
  const { id } = await createChannel(owner, { name: 'Pão da Vila' })
  const connected = await owner.post(`/console/sandbox/channels/${id}/connect`)
  assert.equal(connected.status, 200, connected.text)
  return { owner, id, path: `/console/sandbox/channels/${id}`, channel: connected.body.data.channel }
}

async function write(owner: Client, path: string, message: object = OLA, customer: object = ANA) {
  const written = await owner.post(`${path}/messages`, { customer, message })
  assert.equal(written.status, 201, written.text)
  return written.body.data.message
}

async function send(owner: Client, id: string, message: object = { type: 'text', text: { body: 'Temos sim' } }) {
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const sent = await owner.post(`/api/v1/channels/${id}/messages`, { to: ANA.phone, ...message }, { headers })
  assert.equal(sent.status, 202, sent.text)
  return sent.body.data.message
}

async function readChat(owner: Client, path: string) {
  const answer = await owner.get(`${path}/conversation?customer=${ANA.phone}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}

function advance({ up }: Pick<HubWithUpstream, 'up'>, ms: number) {
  return up.simulator.control('POST', '/clock', { advance_ms: ms })
}

async function readLog(owner: Client, id: string): Promise<{ status: string; direction: string; error: unknown }[]> {
  return (await owner.get(`/api/v1/channels/${id}/messages`)).body.data.messages
}

test('a hub with a real upstream has no sandbox', { rules: ['sandbox.routes-need-the-simulator'] }, async (t) => {
  const hub = await startHub(t)
  const owner = await hub.person()
  const { id } = await createChannel(owner)

  const answers = await Promise.all([
    owner.get('/console/sandbox'),
    owner.post(`/console/sandbox/channels/${id}/connect`),
    owner.get(`/console/sandbox/channels/${id}/conversation`),
    owner.get(`/console/sandbox/channels/${id}/faults`),
    owner.put(`/console/sandbox/channels/${id}/faults`, NO_FAULTS),
    owner.post(`/console/sandbox/channels/${id}/messages`, { customer: ANA, message: OLA }),
    owner.post(`/console/sandbox/channels/${id}/read`, { customer: { phone: ANA.phone } }),
    owner.post(`/console/sandbox/channels/${id}/quality`, { rating: 'RED' }),
    owner.post(`/console/sandbox/channels/${id}/revoke-token`),
    owner.post(`/console/sandbox/channels/${id}/templates/1/review`, { result: 'APPROVED' }),
  ])

  for (const { status, body } of answers) assert.deepEqual([status, body.error.code], [404, 'NOT_FOUND'])
})

test('on hold the sandbox connects no channel', { rules: ['hold.sends-are-503'] }, async (t) => {
  const { hub } = await startHubWithUpstream(t)
  const { hold } = hub.context
  const owner = await hub.person()
  const { id } = await createChannel(owner)

  await hold.set('operator')
  const refused = await owner.post(`/console/sandbox/channels/${id}/connect`)
  const { channel } = (await owner.get(`/api/v1/channels/${id}`)).body.data
  await hold.release()
  const connected = await owner.post(`/console/sandbox/channels/${id}/connect`)

  assert.deepEqual([refused.status, refused.body.error.details.reason], [503, 'held'])
  assert.deepEqual([channel.status, connected.status], ['pending', 200])
})

test('the sandbox connects a pending channel to a new number, and a disconnected one to its own again', {
  rules: ['sandbox.connect-gives-a-simulated-number', 'sandbox.revocation-affects-one-channel'],
}, async (t) => {
  const world = await startPhone(t)
  const { hub, owner, id, path, channel } = world
  assert.deepEqual((await owner.get('/console/sandbox')).body, { data: { available: true } })
  assert.deepEqual([channel.status, channel.verified_name], ['active', 'Pão da Vila'])
  const other = await addOwner(world)

  const revoked = await owner.post(`${path}/revoke-token`)
  await hub.context.health.check({ organizationId: owner.organizationId, id })
  const lost = await owner.get(`/api/v1/channels/${id}`)
  const again = await owner.post(`${path}/connect`)

  assert.equal(revoked.status, 200, revoked.text)
  assert.equal(lost.body.data.channel.status, 'disconnected')
  assert.equal(again.body.data.channel.status, 'active')
  assert.equal(again.body.data.channel.phone_number_id, channel.phone_number_id)
  await write(other.owner, other.path)
  await send(other.owner, other.id)
  const audited = await owner.get('/api/v1/audit-log?action=channel.connected')
  assert.equal(audited.body.data.entries.length, 2)
})

test('a channel without a number is CHANNEL_NOT_CONNECTED', {
  rules: ['sandbox.foreign-channel-is-404'],
}, async (t) => {
  const { hub } = await startHubWithUpstream(t)
  const owner = await hub.person()
  const { id } = await createChannel(owner)

  const answer = await owner.get(`/console/sandbox/channels/${id}/conversation`)

  assert.deepEqual([answer.status, answer.body.error.code], [400, 'CHANNEL_NOT_CONNECTED'])
})

test("a customer's message reaches the hub by a callback, and the reply reaches the phone", {
  rules: [
    'sandbox.conversation-has-100-messages',
    'sandbox.customer-writes-by-callback',
    'sandbox.read-marks-the-chat',
  ],
}, async (t) => {
  const world = await startPhone(t)
  const { hub, owner, id, path } = world

  const written = await write(owner, path)
  await send(owner, id)
  await advance(world, DELIVERED_MS)
  const delivered = await readChat(owner, path)
  const read = await owner.post(`${path}/read`, { customer: { phone: ANA.phone } })

  const [received] = (await listEvents(hub.sql, id)).filter(({ kind }) => kind === 'message.received')
  assert.ok(JSON.stringify(received).includes('Ana Beatriz'))
  const { user_id: userId, ...customer } = delivered.customer
  assert.match(userId, /^BR\.[0-9]+$/)
  assert.deepEqual(customer, { ...ANA, username: null, hides_phone: false })
  assert.deepEqual(
    delivered.messages.map((m: Record<string, unknown>) => [m.from, m.text, m.status]),
    [
      ['customer', OLA.text.body, 'delivered'],
      ['business', 'Temos sim', 'delivered'],
    ],
  )
  assert.equal(delivered.messages[0].id, written.id)
  assert.deepEqual(read.body, { data: { read: 1 } })
  assert.deepEqual(
    (await readLog(owner, id)).map(({ direction, status }) => [direction, status]),
    [
      ['outbound', 'read'],
      ['inbound', 'received'],
    ],
  )
})

test('the conversation goes back in steps, from a message of its own', {
  rules: ['sandbox.conversation-goes-back-in-steps'],
}, async (t) => {
  const { owner, path } = await startPhone(t)
  const other = { phone: '5511955500177', name: 'Bruno Lima' }
  for (const body of ['um', 'dois', 'três']) await write(owner, path, { type: 'text', text: { body } })
  const { id: foreign } = await write(owner, path, OLA, other)
  const read = (query: string) => owner.get(`${path}/conversation?customer=${ANA.phone}&${query}`)
  const texts = (answer: Awaited<ReturnType<typeof read>>) =>
    answer.body.data.messages.map(({ text }: { text: string }) => text)

  const last = await read('limit=1')
  const earlier = await read(`limit=5&before=${last.body.data.messages[0].id}`)
  const refused = await Promise.all([read(`before=${foreign}`), read('limit=0'), read('limit=101')])

  assert.deepEqual([texts(last), texts(earlier)], [['três'], ['um', 'dois']])
  for (const { status, body } of refused) assert.deepEqual([status, body.error.code], [400, 'INVALID_REQUEST'])
})

test('a customer with a username writes with a hidden number, and is answered by user id', {
  rules: ['sandbox.customer-may-hide-the-number'],
}, async (t) => {
  const world = await startPhone(t)
  const { owner, id, path } = world
  const other = await addOwner(world)

  await write(owner, path, OLA, { ...ANA, username: 'ana.beatriz' })
  await write(owner, path, OLA, { phone: ANA.phone })
  await write(other.owner, other.path)
  const { customer, customers } = await readChat(owner, path)
  const received = await owner.get(`/api/v1/channels/${id}/messages`)
  const sent = await owner.post(
    `/api/v1/channels/${id}/contacts/${customer.user_id}/messages`,
    { type: 'text', text: { body: 'Temos sim' } },
    { headers: { 'idempotency-key': crypto.randomUUID() } },
  )
  await advance(world, DELIVERED_MS)

  assert.equal(sent.status, 202, sent.text)
  for (const { from, contact } of received.body.data.messages) {
    assert.deepEqual(
      [from, contact.wa_id, contact.username, contact.user_id],
      [null, undefined, 'ana.beatriz', customer.user_id],
    )
  }
  assert.deepEqual([customer.username, customer.hides_phone], ['ana.beatriz', true])
  assert.deepEqual([customers.length, customers[0].user_id, customers[0].hides_phone], [1, customer.user_id, true])
  const { messages } = await readChat(owner, path)
  assert.deepEqual([messages.at(-1).text, messages.at(-1).status], ['Temos sim', 'delivered'])
  const foreign = await readChat(other.owner, other.path)
  assert.deepEqual([foreign.customer.username, foreign.customer.hides_phone], [null, false])
})

test('a customer whose username is removed shows the number again', {
  rules: ['sandbox.customer-may-hide-the-number'],
}, async (t) => {
  const { owner, id, path } = await startPhone(t)
  await write(owner, path, OLA, { ...ANA, username: 'ana.beatriz' })

  await write(owner, path, OLA, { phone: ANA.phone, username: null })

  const [last, first] = (await owner.get(`/api/v1/channels/${id}/messages`)).body.data.messages
  assert.deepEqual([last.from, first.from], [ANA.phone, null])
  const { customer } = await readChat(owner, path)
  assert.deepEqual([customer.username, customer.hides_phone], [null, false])
})

test('a customer presses a button and reacts in their own chat, and in no other', {
  rules: ['sandbox.customer-answers-own-chat-only'],
}, async (t) => {
  const world = await startPhone(t)
  const { owner, id, path } = world
  const other = await addOwner(world)
  await write(owner, path)
  await write(other.owner, other.path)
  const action = { buttons: [{ type: 'reply', reply: { id: 'now', title: 'Agora' } }] }
  const interactive = { type: 'button', body: { text: 'Quando?' }, action }
  const { upstream_message_id: wamid } = await send(owner, id, { type: 'interactive', interactive })
  const choice = { type: 'button_reply', button_reply: { message_id: wamid, id: 'now' } }
  const reaction = { type: 'reaction', reaction: { message_id: wamid, emoji: '👍' } }

  const chosen = await write(owner, path, choice)
  await write(owner, path, reaction)
  const refused = await Promise.all(
    [choice, reaction].map((message) => other.owner.post(`${other.path}/messages`, { customer: ANA, message })),
  )
  const unknown = await owner.post(`${path}/messages`, {
    customer: ANA,
    message: { type: 'button_reply', button_reply: { message_id: wamid, id: 'never' } },
  })

  assert.deepEqual([chosen.text, chosen.reply_to], ['Agora', wamid])
  for (const { status } of refused) assert.equal(status, 404)
  assert.deepEqual([unknown.status, unknown.body.error.code], [400, 'INVALID_REQUEST'])
})

test('a customer sends every type that the phone offers', async (t) => {
  const { owner, id, path } = await startPhone(t)
  const png = Buffer.from('89504e470d0a1a0a', 'hex').toString('base64')
  const messages = [
    { type: 'image', image: { caption: 'O cardápio', mime_type: 'image/png', data_base64: png } },
    ...['video', 'document', 'audio', 'sticker', 'location'].map((type) => ({ type })),
    { type: 'location', location: { latitude: -23.5, longitude: -46.6, name: 'Sé' } },
  ]

  for (const message of messages) await write(owner, path, message)

  const log = (await owner.get(`/api/v1/channels/${id}/messages`)).body.data.messages
  assert.deepEqual(
    log.map(({ type }: { type: string }) => type),
    messages.map(({ type }) => type).toReversed(),
  )
  const { messages: shown } = await readChat(owner, path)
  assert.deepEqual([shown[0].text, shown[0].media.mime_type], ['O cardápio', 'image/png'])
  assert.deepEqual(shown.at(-1).location, { latitude: -23.5, longitude: -46.6, name: 'Sé', address: null })
})

test("another organization sees nothing of a channel's customers, and its faults do not reach it", {
  rules: ['sandbox.foreign-channel-is-404', 'sandbox.numbers-are-separate'],
}, async (t) => {
  const world = await startPhone(t)
  const { owner, id, path } = world
  const other = await addOwner(world)
  const faults = { phone_offline: true, callback_delay_ms: 60_000, duplicate: true, reorder: true, fail_with: 131026 }
  await write(owner, path)

  const foreign = await Promise.all([
    other.owner.get(`${path}/conversation`),
    other.owner.get(`${path}/faults`),
    other.owner.put(`${path}/faults`, faults),
    other.owner.post(`${path}/messages`, { customer: ANA, message: OLA }),
    other.owner.post(`${path}/revoke-token`),
    other.owner.post(`${path}/connect`),
  ])
  const own = await other.owner.put(`${other.path}/faults`, faults)
  await send(owner, id)
  await advance(world, READ_MS)

  for (const { status, body } of foreign) assert.deepEqual([status, body.error.code], [404, 'NOT_FOUND'])
  assert.deepEqual(own.body.data.faults, faults)
  assert.deepEqual((await owner.get(`${path}/faults`)).body.data.faults, NO_FAULTS)
  assert.equal((await readLog(owner, id))[0]?.status, 'read')
  const chat = await readChat(other.owner, other.path)
  assert.deepEqual([chat.customers, chat.messages], [[], []])
  assert.notEqual(chat.customer.name, ANA.name)
})

test('while the phone is offline messages are only sent, and the customer neither writes nor reads', {
  rules: ['sandbox.offline-phone-delivers-nothing'],
}, async (t) => {
  const world = await startPhone(t)
  const { owner, id, path } = world
  await write(owner, path)
  await owner.put(`${path}/faults`, { ...NO_FAULTS, phone_offline: true })

  await send(owner, id)
  await advance(world, READ_MS)
  const refused = await Promise.all([
    owner.post(`${path}/messages`, { customer: ANA, message: OLA }),
    owner.post(`${path}/read`, { customer: { phone: ANA.phone } }),
  ])
  const offline = (await readLog(owner, id))[0]?.status
  await owner.put(`${path}/faults`, NO_FAULTS)
  await advance(world, READ_MS)

  for (const { status, body } of refused) assert.deepEqual([status, body.error.code], [400, 'INVALID_REQUEST'])
  assert.equal(offline, 'sent')
  assert.equal((await readLog(owner, id))[0]?.status, 'read')
})

test('messages fail with the chosen code, in order or not and twice over', async (t) => {
  const world = await startPhone(t)
  const { owner, id, path } = world
  await write(owner, path)

  await owner.put(`${path}/faults`, { ...NO_FAULTS, duplicate: true, reorder: true })
  await send(owner, id)
  await advance(world, READ_MS)
  await owner.put(`${path}/faults`, { ...NO_FAULTS, fail_with: 131026 })
  await send(owner, id)
  await advance(world, READ_MS)
  const unknown = await owner.put(`${path}/faults`, { ...NO_FAULTS, fail_with: 100 })

  const [failed, read] = await readLog(owner, id)
  assert.equal(failed?.status, 'failed')
  assert.ok(JSON.stringify(failed?.error).includes('131026'))
  assert.equal(read?.status, 'read')
  assert.deepEqual([unknown.status, unknown.body.error.code], [400, 'INVALID_REQUEST'])
})

test('a red rating flags the number, and a green one ends that', {
  rules: ['sandbox.red-rating-flags-the-number'],
}, async (t) => {
  const { owner, id, path } = await startPhone(t)
  const readStatus = async () => (await owner.get(`/api/v1/channels/${id}`)).body.data.channel.status

  await owner.post(`${path}/quality`, { rating: 'RED' })
  const flagged = await readStatus()
  await owner.post(`${path}/quality`, { rating: 'GREEN' })

  assert.equal(flagged, 'degraded')
  assert.equal(await readStatus(), 'active')
})

test('a review approves or rejects a template of the channel, and of no other account', {
  rules: ['sandbox.review-is-for-own-templates'],
}, async (t) => {
  const world = await startPhone(t)
  const { owner, id, path } = world
  const other = await addOwner(world)
  const components = [{ type: 'BODY', text: 'O pedido saiu.' }]
  const template = { name: 'pedido', language: 'pt_BR', category: 'UTILITY', components }
  const created = await owner.post(`/api/v1/channels/${id}/templates`, template)
  const { id: templateId } = created.body.data.template
  const review = { result: 'REJECTED', reason: 'INVALID_FORMAT' }

  const foreign = await other.owner.post(`${other.path}/templates/${templateId}/review`, review)
  const rejected = await owner.post(`${path}/templates/${templateId}/review`, review)
  const approved = await owner.post(`${path}/templates/${templateId}/review`, { result: 'APPROVED' })

  assert.deepEqual([foreign.status, foreign.body.error.code], [404, 'NOT_FOUND'])
  const { status, reason } = rejected.body.data.template
  assert.deepEqual([status, reason], ['REJECTED', 'INVALID_FORMAT'])
  assert.equal(approved.body.data.template.status, 'APPROVED')
  const listed = await owner.get(`/api/v1/channels/${id}/templates`)
  assert.equal(listed.body.data.templates[0].status, 'APPROVED')
})

test('a viewer sees the phone and changes nothing', { rules: ['sandbox.viewer-changes-nothing'] }, async (t) => {
  const { hub, owner, path } = await startPhone(t)
  const viewer = await hub.person({ organizationId: owner.organizationId, role: 'viewer' })

  assert.equal((await viewer.get(`${path}/conversation`)).status, 200)
  assert.equal((await viewer.get(`${path}/faults`)).status, 200)
  const refused = await Promise.all([
    viewer.put(`${path}/faults`, NO_FAULTS),
    viewer.post(`${path}/messages`, { customer: ANA, message: OLA }),
    viewer.post(`${path}/revoke-token`),
  ])
  for (const { status } of refused) assert.equal(status, 403)
})

test('hostile customers, messages and templates are refused', async (t) => {
  const { owner, path } = await startPhone(t)
  const customers = ['', '../../faults', '0', '5511/..', '55119555001991234', 5511955500199, null]
  const messages = [
    { type: 'system' },
    { type: 'text' },
    { type: 'text', text: { body: '' } },
    { type: 'text', text: { body: 'x', extra: 1 } },
    { type: 'image', image: { data_base64: '<svg>' } },
    { type: 'location', location: { latitude: 91, longitude: 0 } },
  ]

  for (const phone of customers) {
    const { status } = await owner.post(`${path}/messages`, { customer: { phone }, message: OLA })
    assert.equal(status, 400, String(phone))
  }
  for (const username of ['', 'ab', 'a'.repeat(36), '../faults', 'ação', 7]) {
    const { status } = await owner.post(`${path}/messages`, { customer: { ...ANA, username }, message: OLA })
    assert.equal(status, 400, String(username))
  }
  for (const message of messages) {
    const { status } = await owner.post(`${path}/messages`, { customer: ANA, message })
    assert.equal(status, 400, JSON.stringify(message))
  }
  const escaped = await owner.post(`${path}/templates/..%2F..%2Ffaults/review`, { result: 'APPROVED' })
  assert.equal(escaped.status, 404)
})
