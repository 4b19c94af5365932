import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startHub } from '../../../../test/hub.ts'
import { listAuditEntries, startHubWithUpstream } from '../../../../test/hub-with-upstream.ts'
import { startReceiver } from '../../../../test/receiver.ts'
import { newId } from '../../../kernel/ids.ts'
import { addEndpoints } from '../../webhooks/test/many-endpoints.ts'
import { addMessage } from './test/log-rows.ts'

const ANA = '5511955500199'
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const NAMES_REVEALED = '/api/v1/audit-log?action=messages.names_revealed'
const HTML = Buffer.from('<html><script>alert(1)</script></html>')

async function startChannel(t: TestContext, env: Record<string, string> = {}) {
  const world = await startHubWithUpstream(t, { env })
  const owner = await world.hub.person()
  const channel = await world.connect(owner)
  const { simulator } = world.up

  /** Writes as a customer, and returns the id of the message in the hub. */
  async function receive(message: Record<string, string | Record<string, string>>): Promise<string> {
    const path = `/contacts/${ANA}/messages`
    await simulator.control('POST', path, { to: channel.number.phoneNumberId, ...message })
    return (await owner.get('/console/messages?limit=1')).body.data.messages[0].id
  }

  async function send(body: object, key = newId()) {
    const headers = { 'idempotency-key': key }
    return owner.post(`/api/v1/channels/${channel.id}/messages`, { to: ANA, ...body }, { headers })
  }
  const wait = (ms: number) => simulator.control('POST', '/clock', { advance_ms: ms })
  return { ...world, owner, channel, receive, send, wait }
}

test('a message shows its statuses with their times, its key, its pricing and its deliveries, and no content', {
  rules: ['log.message-shows-its-history', 'log.message-shows-its-deliveries'],
}, async (t) => {
  const receiver = await startReceiver(t)
  const env = { WEBHOOK_ALLOWED_DESTINATIONS: receiver.destination, BILLING: 'off' }
  const { hub, owner, receive, send, wait } = await startChannel(t, env)
  const created = await owner.post('/api/v1/webhooks', { name: 'agenda', url: receiver.url })
  await receive({ type: 'text' })
  const sent = await send({ type: 'text', text: { body: 'um segredo' } }, 'the-key-of-this-send')
  await wait(60_000)
  await hub.deliver()
  const { id } = sent.body.data.message

  const answer = await owner.get(`/console/messages/${id.toUpperCase()}`)

  assert.equal(answer.status, 200, answer.text)
  assert.ok(!answer.text.includes('segredo'))
  const { message } = answer.body.data
  assert.deepEqual(
    message.timeline.map(({ status }: { status: string }) => status),
    ['accepted', 'sent', 'delivered', 'read'],
  )
  assert.deepEqual(message.idempotency, { key: 'the-key-of-this-send', outcome: 'sent' })
  assert.equal(message.pricing.category, 'service')
  assert.deepEqual([message.has_content, message.has_media], [true, false])
  assert.deepEqual(
    message.deliveries.map(({ event, status, attempts }: Record<string, unknown>) => [event, status, attempts]),
    [
      ['message.sent', 'succeeded', 1],
      ['message.status', 'succeeded', 1],
      ['message.status', 'succeeded', 1],
      ['message.status', 'succeeded', 1],
    ],
  )
  for (const { endpoint, duration_ms, next_attempt_at } of message.deliveries) {
    assert.deepEqual(endpoint, { id: created.body.data.webhook.id, name: 'agenda' })
    assert.ok(duration_ms >= 0)
    assert.equal(next_attempt_at, null)
  }
})

test('a message shows how many more of its deliveries are being queued, and then finds those that were made late', {
  rules: ['fanout.console-shows-those-to-come'],
}, async (t) => {
  const receiver = await startReceiver(t)
  const env = { WEBHOOK_ALLOWED_DESTINATIONS: receiver.destination, BILLING: 'off' }
  const { hub, owner, receive } = await startChannel(t, env)
  const eventTypes = ['message.received']
  await addEndpoints(hub, owner.organizationId, { count: 60, url: receiver.url, eventTypes })
  const id = await receive({ type: 'text' })
  const read = async () => (await owner.get(`/console/messages/${id}`)).body.data.message

  const before = await read()
  await hub.clock.advance('1 hour')
  await hub.deliver()
  const after = await read()

  assert.deepEqual([before.deliveries.length, before.deliveries_being_queued], [0, 60])
  assert.deepEqual([after.deliveries.length, after.deliveries_being_queued], [60, 0])
})

test('a message names the endpoints that were paused at the time of its events, and no other', {
  rules: ['log.names-paused-endpoints'],
}, async (t) => {
  const receiver = await startReceiver(t)
  const env = { WEBHOOK_ALLOWED_DESTINATIONS: receiver.destination, BILLING: 'off' }
  const { hub, owner, receive } = await startChannel(t, env)
  const create = async (name: string, body: object = {}) =>
    (await owner.post('/api/v1/webhooks', { name, url: receiver.url, ...body })).body.data.webhook.id
  const setStatus = (id: string, status: string) => owner.patch(`/api/v1/webhooks/${id}`, { status })
  const [erp, quality] = [await create('erp'), await create('quality', { event_types: ['phone.quality'] })]
  await create('crm')
  const read = async (id: string) => (await owner.get(`/console/messages/${id}`)).body.data.message.paused_endpoints

  const before = await receive({ type: 'text' })
  await hub.clock.advance('20 minutes')
  await setStatus(erp, 'paused')
  await setStatus(quality, 'paused')
  await hub.clock.advance('1 minute')
  const during = await receive({ type: 'text' })
  await hub.clock.advance('20 minutes')
  const open = await read(during)
  await setStatus(erp, 'active')
  await hub.clock.advance('1 minute')
  const after = await receive({ type: 'text' })

  assert.deepEqual(open, [{ id: erp, name: 'erp' }])
  assert.deepEqual(await Promise.all([before, during, after].map(read)), [[], [{ id: erp, name: 'erp' }], []])
})

test('a delivery that failed shows when it is attempted again', {
  rules: ['log.message-shows-its-deliveries'],
}, async (t) => {
  const receiver = await startReceiver(t)
  const env = { WEBHOOK_ALLOWED_DESTINATIONS: receiver.destination, BILLING: 'off' }
  const { hub, owner, receive } = await startChannel(t, env)
  await owner.post('/api/v1/webhooks', { name: 'crm', url: receiver.url })
  receiver.answer(500)
  const id = await receive({ type: 'text' })
  await hub.deliver()

  const { message } = (await owner.get(`/console/messages/${id}`)).body.data

  assert.equal(message.deliveries.length, 1)
  const [delivery] = message.deliveries
  assert.deepEqual([delivery.event, delivery.status, delivery.attempts], ['message.received', 'retry', 1])
  assert.ok(delivery.next_attempt_at > delivery.created_at)
})

test('an error of the upstream is explained, and a send of unknown outcome says so', {
  rules: ['log.message-shows-its-history'],
}, async (t) => {
  const { owner, send, wait, fault, liftFaults } = await startChannel(t)
  const late = await send({ type: 'text', text: { body: 'tarde' } })
  await wait(60_000)
  await fault('reset_after', '/messages')
  const lost = await send({ type: 'text', text: { body: 'perdido' } })
  await liftFaults()
  const refused = await send({ type: 'template', template: { name: 'absent', language: { code: 'pt_BR' } } })

  const read = async (id: string) => (await owner.get(`/console/messages/${id}`)).body.data.message
  const failed = await read(late.body.data.message.id)
  const unknown = await read(lost.body.error.details.message_id)
  const [{ id: refusedId }] = (await owner.get('/console/messages?error_code=132001')).body.data.messages

  assert.equal(failed.error.code, 131047)
  assert.match(failed.error.explanation, /24 hours/)
  assert.equal(failed.timeline.at(-1).status, 'failed')
  assert.deepEqual([unknown.status, unknown.idempotency.outcome], ['unknown', 'unknown'])
  assert.equal(refused.status, 400)
  assert.equal((await read(refusedId)).idempotency.outcome, 'refused')
})

test('revealing returns the content with every digit, and leaves an entry without it', {
  rules: ['log.reveal-needs-messages-read', 'log.each-look-is-audited'],
}, async (t) => {
  const hub = await startHub(t)
  const owner = await hub.person()
  const viewer = await hub.person({ organizationId: owner.organizationId, role: 'viewer' })
  const content = '{"body":"um segredo","n":12345678901234567890}'
  const id = await addMessage(hub, owner.organizationId, { content, contact: '{"name":"Ana","user_id":null}' })

  const revealed = await viewer.post(`/console/messages/${id}/reveal`)

  assert.equal(revealed.status, 200, revealed.text)
  assert.ok(revealed.text.includes('"body":"um segredo"') && revealed.text.includes('12345678901234567890'))
  assert.equal(revealed.body.data.contact_name, 'Ana')
  const [entry, ...others] = await listAuditEntries(owner, id)
  assert.deepEqual(others, [])
  assert.equal(entry?.action, 'message.revealed')
  assert.equal(entry?.actor.id, viewer.userId)
  assert.ok(!JSON.stringify(entry).includes('segredo'))
})

test('the people of messages are revealed by name, with one entry that names the messages', {
  rules: ['log.each-look-is-audited', 'log.names-are-those-that-a-search-finds'],
}, async (t) => {
  const hub = await startHub(t)
  const [owner, other] = [await hub.person(), await hub.person()]
  const channelId = newId()
  const add = (row: Parameters<typeof addMessage>[2]) => addMessage(hub, owner.organizationId, { channelId, ...row })
  const old = new Date(hub.clock.now().getTime() - 30 * 86_400_000)
  const named = await add({
    direction: 'inbound',
    at: old,
    sender: ANA,
    contact: `{"name":"Ana","user_id":"BR.1349","wa_id":"${ANA}"}`,
  })
  const byNumber = await add({ recipient: ANA })
  const byUsername = await add({ recipient: 'BR.77', contact: '{"name":null,"user_id":"BR.77","username":"bia"}' })
  const unnamed = await add({ recipient: '5511955500188' })
  const foreign = await addMessage(hub, other.organizationId, { contact: '{"name":"Eva","user_id":"BR.5"}' })
  const message_ids = [named.toUpperCase(), byNumber, byUsername, unnamed, foreign, newId()]

  const revealed = await owner.post('/console/messages/names', { message_ids })

  assert.equal(revealed.status, 200, revealed.text)
  const names = new Map(
    revealed.body.data.names.map((one: { message_id: string; name: string }) => [one.message_id, one.name]),
  )
  const expected = new Map<string, string | null>([
    [named, 'Ana'],
    [byNumber, 'Ana'],
    [byUsername, 'bia'],
    [unnamed, null],
  ])
  assert.deepEqual(names, expected)
  const { entries } = (await owner.get(NAMES_REVEALED)).body.data
  assert.equal(entries.length, 1)
  const [entry] = entries
  assert.deepEqual(new Set(entry.details.message_ids), new Set(expected.keys()))
  assert.ok(!JSON.stringify(entry.details).includes('Ana'))
})

test('names of messages that the organization does not have are not revealed, and leave no entry', {
  rules: ['message.foreign-one-is-404'],
}, async (t) => {
  const hub = await startHub(t)
  const [owner, other] = [await hub.person(), await hub.person()]
  const id = await addMessage(hub, owner.organizationId, { contact: '{"name":"Ana","user_id":"BR.1"}' })

  const revealed = await other.post('/console/messages/names', { message_ids: [id] })
  const refused = await other.post('/console/messages/names', { message_ids: [] })

  assert.deepEqual([revealed.status, revealed.body.data], [200, { names: [] }])
  assert.deepEqual([refused.status, refused.body.error.code], [400, 'INVALID_REQUEST'])
  assert.deepEqual((await other.get(NAMES_REVEALED)).body.data.entries, [])
})

test('without messages:read nothing is revealed or exported', {
  rules: ['log.reveal-needs-messages-read'],
}, async (t) => {
  const hub = await startHub(t)
  const owner = await hub.person()
  const id = await addMessage(hub, owner.organizationId)
  const { organizationId } = owner
  const initiator = { actor: { type: 'user' as const, id: owner.userId, name: 'Ana' }, ip: null, requestId: null }
  const principal = { organizationId, scopes: [], initiator, channelId: null, session: null }
  const { consoleLog, messageFiles, messageExports } = hub.context
  const refusal = { code: 'INSUFFICIENT_SCOPE' }

  await assert.rejects(consoleLog.reveal(principal, id), refusal)
  await assert.rejects(consoleLog.revealNames(principal, [id]), refusal)
  await assert.rejects(messageFiles.open(principal, id, AbortSignal.timeout(1000)), refusal)
  await assert.rejects(messageExports.start(principal, { format: 'csv', content: false }), refusal)
  assert.deepEqual(await listAuditEntries(owner, id), [])
})

test("another organization's message is neither shown nor revealed, and leaves no entry", {
  rules: ['message.foreign-one-is-404'],
}, async (t) => {
  const hub = await startHub(t)
  const [owner, other] = [await hub.person(), await hub.person()]
  const id = await addMessage(hub, owner.organizationId)

  const answers = await Promise.all([
    other.get(`/console/messages/${id}`),
    other.post(`/console/messages/${id}/reveal`),
    other.get(`/console/messages/${id}/media`),
  ])

  for (const { status, body } of answers) assert.deepEqual([status, body.error.code], [404, 'NOT_FOUND'])
  assert.deepEqual(await listAuditEntries(owner, id), [])
  assert.deepEqual(await listAuditEntries(other, id), [])
})

test('an image is shown by what its bytes are, every other file is a download, and each look is recorded', {
  rules: ['log.each-look-is-audited', 'log.files-never-run'],
}, async (t) => {
  const { owner, receive } = await startChannel(t)
  const asImage = (bytes: Buffer, mime_type: string) =>
    receive({ type: 'image', image: { data_base64: bytes.toString('base64'), mime_type } })
  const [png, html, svg] = [
    await asImage(PNG, 'text/html'),
    await asImage(HTML, 'image/png'),
    await asImage(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml'),
  ]
  const read = async (id: string) => {
    const { status, headers } = await owner.get(`/console/messages/${id}/media`)
    const names = ['content-type', 'content-disposition', 'x-content-type-options', 'content-security-policy']
    return [status, ...names.map((name) => headers.get(name))]
  }
  const csp = "sandbox; default-src 'none'; frame-ancestors 'none'"

  assert.deepEqual(await read(png), [200, 'image/png', 'inline', 'nosniff', csp])
  for (const id of [html, svg]) {
    const [status, type, disposition, ...rest] = await read(id)
    assert.deepEqual([status, type, ...rest], [200, 'application/octet-stream', 'nosniff', csp])
    assert.match(String(disposition), /^attachment; filename=\d+\.bin$/)
  }
  const [entry] = await listAuditEntries(owner, png)
  assert.deepEqual([entry?.action, entry?.details.part], ['message.revealed', 'media'])
})

test('a message without a file, or with one of another channel, has no media', {
  rules: ['log.files-never-run'],
}, async (t) => {
  const { hub, owner, channel, receive } = await startChannel(t)
  const text = await receive({ type: 'text' })
  const own = await receive({ type: 'image' })
  const [row] = await hub.sql<{ content: { id: string } }[]>`select content from messages where id = ${own}`
  const other = await hub.person()
  const content = JSON.stringify({ id: row?.content.id })
  const stolen = await addMessage(hub, other.organizationId, { type: 'image', content })
  const linked = await addMessage(hub, owner.organizationId, {
    channelId: channel.id,
    type: 'image',
    content: '{"link":"http://127.0.0.1/"}',
  })

  const answers = await Promise.all([
    owner.get(`/console/messages/${text}/media`),
    other.get(`/console/messages/${stolen}/media`),
    owner.get(`/console/messages/${linked}/media`),
  ])

  for (const { status } of answers) assert.equal(status, 404)
  assert.equal((await owner.get(`/console/messages/${own}`)).body.data.message.has_media, true)
})
