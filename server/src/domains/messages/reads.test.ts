import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { bearer } from '../../../test/hub.ts'
import { newId } from '../../kernel/ids.ts'
import { newContact, newKey, startSending, text, toStatusAndCode } from './test/fixture.ts'

async function startReads(t: TestContext, options: Parameters<typeof startSending>[1] = {}) {
  const fixture = await startSending(t, options)
  const { up, channel, log, acme } = fixture
  const base = `/api/v1/channels/${channel.id}/messages`

  /** A person writes to the channel; returns the log entry. */
  async function receive(from = newContact(), more: object = {}) {
    const body = { to: channel.number.phoneNumberId, type: 'text', ...more }
    await up.simulator.control('POST', `/contacts/${from}/messages`, body)
    const [entry] = await log('limit=1')
    assert.ok(entry?.direction === 'inbound')
    return entry
  }

  const list = async (query: string) => (await log(query)).map(({ id }) => id)
  const receipts = async () => (await fixture.sendRequests()).filter(({ params }) => params.status === 'read')
  return { ...fixture, base, receive, list, receipts, other: () => fixture.hub.organization(), acme }
}

test('a message is shown by its id as the log has it, also to the token of its channel', {
  rules: ['message.can-be-read-by-id'],
}, async (t) => {
  const { acme, base, channel, send, receive, newest, hub } = await startReads(t)
  await send()
  const sent = await newest()
  const received = await receive()
  const token = (await acme.post(`/api/v1/channels/${channel.id}/regenerate-token`)).body.data.token

  for (const entry of [sent, received]) {
    const shown = await acme.get(`${base}/${entry.id}`)
    assert.deepEqual([shown.status, shown.body.data.message], [200, entry])
    const upper = await hub.anonymous.with(bearer(token)).get(`${base}/${entry.id.toUpperCase()}`)
    assert.deepEqual(upper.body.data.message, entry)
  }
  assert.deepEqual(toStatusAndCode(await acme.get(`${base}/${newId()}`)), [404, 'NOT_FOUND'])
  assert.deepEqual(toStatusAndCode(await acme.get(`${base}/1`)), [400, 'INVALID_REQUEST'])
})

test("another organization's message, and one of another channel, are 404 to show and to mark as read", {
  rules: ['message.foreign-one-is-404'],
}, async (t) => {
  const { acme, connect, base, receive, receipts, other } = await startReads(t)
  const [entry, outsider] = [await receive(), await other()]
  const second = await connect(acme)
  const foreign = await connect(outsider)

  for (const [who, channelId] of [
    [outsider, base.split('/')[4]],
    [outsider, foreign.id],
    [acme, second.id],
  ] as const) {
    const path = `/api/v1/channels/${channelId}/messages/${entry.id}`
    assert.deepEqual(toStatusAndCode(await who.get(path)), [404, 'NOT_FOUND'])
    assert.deepEqual(toStatusAndCode(await who.post(`${path}/read`, {})), [404, 'NOT_FOUND'])
  }
  assert.deepEqual(await receipts(), [])
})

test('a received message is marked as read, with the typing indicator if it is wanted', {
  rules: ['message.mark-as-read-may-show-typing'],
}, async (t) => {
  const { acme, base, receive, receipts } = await startReads(t)
  const { id, upstream_message_id } = await receive()

  const answers = [
    await acme.post(`${base}/${id}/read`),
    await acme.post(`${base}/${id}/read`, { typing: false }),
    await acme.post(`${base}/${id}/read`, { typing: true }),
  ]

  for (const { status, body, text: answer } of answers) {
    assert.equal(status, 200, answer)
    assert.deepEqual(body.data.message, { id, upstream_message_id, read: true })
  }
  const receipt = { messaging_product: 'whatsapp', status: 'read', message_id: upstream_message_id }
  assert.deepEqual(
    (await receipts()).map(({ params }) => params),
    [receipt, receipt, { ...receipt, typing_indicator: { type: 'text' } }],
  )
})

test('a read receipt of what was sent, or of an erased message, is 404, and what the upstream refuses is its error', {
  rules: ['message.read-receipt-of-outbound-is-404'],
}, async (t) => {
  const { hub, acme, base, send, newest, receive, receipts, fault } = await startReads(t)
  const owner = await hub.person({ organizationId: acme.organizationId, role: 'owner' })
  await send()
  const sent = await newest()
  const [number, kept] = [newContact(), await receive()]
  const erased = await receive(number)
  await owner.post(`/console/organizations/${acme.organizationId}/erasures`, { phone: number })
  for (let minutes = 0; minutes < 5; minutes++) {
    await hub.clock.advance('1 minute')
    await hub.context.erasureWorker.runAll()
  }

  for (const { id } of [sent, erased]) {
    assert.deepEqual(toStatusAndCode(await acme.post(`${base}/${id}/read`, {})), [404, 'NOT_FOUND'])
  }
  assert.deepEqual(await receipts(), [])
  assert.deepEqual(toStatusAndCode(await acme.post(`${base}/${kept.id}/read`, { typing: 'yes' })), [
    400,
    'INVALID_REQUEST',
  ])
  await fault('error', '/messages', { code: 131009 })
  assert.deepEqual(toStatusAndCode(await acme.post(`${base}/${kept.id}/read`, {})), [400, 'UPSTREAM_REJECTED'])
})

test('each further filter of the log selects its messages, also together with others', {
  rules: ['message.filters-select-entries'],
}, async (t) => {
  const { hub, send, wait, receive, list, newest } = await startReads(t)
  const [ana, key] = ['5511976543210', newKey()]
  await send({ key, body: text('x', ana) })
  await wait(60)
  const sent = await newest()
  await hub.clock.advance('1 hour')
  const since = hub.clock.now().toISOString()
  const [received, image] = [await receive(ana), await receive(undefined, { type: 'image' })]
  const userId = received.contact?.user_id
  const all = [image.id, received.id, sent.id]
  const cases: [string, string[]][] = [
    [`person=${ana}`, [received.id, sent.id]],
    ['person=551176543210', [received.id, sent.id]],
    [`person=${userId}`, [received.id, sent.id]],
    [`person=${ana}&direction=outbound`, [sent.id]],
    [`person=${ana}&status=received`, [received.id]],
    ['type=image', [image.id]],
    [`type=text&person=${ana}`, [received.id, sent.id]],
    ['type=sticker', []],
    [`since=${since}`, [image.id, received.id]],
    [`until=${since}`, [sent.id]],
    [`upstream_message_id=${encodeURIComponent(sent.upstream_message_id ?? '')}`, [sent.id]],
    [`upstream_message_id=${encodeURIComponent(sent.upstream_message_id ?? '')}&direction=inbound`, []],
    [`upstream_message_id=${encodeURIComponent(received.upstream_message_id ?? '')}&idempotency_key=${key}`, []],
    ['upstream_message_id=wamid.absent', []],
    [`idempotency_key=${key}`, [sent.id]],
    [`idempotency_key=${key}&person=${ana}`, [sent.id]],
    [`idempotency_key=${key}&person=5511900009999`, []],
    [`idempotency_key=${key}&since=${since}`, []],
    ['idempotency_key=another-key', []],
    ['type=text&status=lost', []],
    ['since=2020-01-01T00:00:00Z', all],
  ]

  for (const [query, expected] of cases) assert.deepEqual(await list(query), expected, query)
})

test('pages of a search go on where the one before ended, and a cursor belongs to its filters', {
  rules: ['message.filters-select-entries'],
}, async (t) => {
  const { acme, base, receive, channel } = await startReads(t)
  const from = newContact()
  const ids = []
  for (let n = 0; n < 5; n++) ids.push((await receive(from)).id)

  for (const filter of [`person=${from}`, 'type=text', `person=${from}&type=text`, 'since=2020-01-01T00:00:00Z']) {
    const found = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const { status, body, text: answer } = await acme.get(`${base}?${filter}&limit=2${cursor && `&cursor=${cursor}`}`)
      assert.equal(status, 200, answer)
      found.push(...body.data.messages.map(({ id }: { id: string }) => id))
      const next: string | null = body.data.next_cursor
      if (next !== null) {
        assert.equal((await acme.get(`${base}?limit=2&cursor=${next}`)).status, 400)
        assert.equal((await acme.get(`${base}?${filter}&direction=inbound&cursor=${next}`)).status, 400)
      }
      cursor = next
    }
    assert.deepEqual(found, ids.toReversed(), `${filter} of ${channel.id}`)
  }
})

test('invalid filters of the log are 400', { rules: ['message.filters-select-entries'] }, async (t) => {
  const { acme, base } = await startReads(t)

  for (const query of [
    'person=x',
    'person=',
    'type=',
    'since=yesterday',
    'until=1',
    'idempotency_key=short',
    'name=ana',
  ]) {
    assert.deepEqual(toStatusAndCode(await acme.get(`${base}?${query}`)), [400, 'INVALID_REQUEST'], query)
  }
})

test("another organization finds none of a channel's messages", {
  rules: ['message.foreign-one-is-404'],
}, async (t) => {
  const { connect, send, receive, newest, other } = await startReads(t)
  const [from, key, outsider] = [newContact(), newKey(), await other()]
  await send({ key })
  const { upstream_message_id: wamid } = await newest()
  await receive(from)
  const own = await connect(outsider)

  for (const query of [
    `person=${from}`,
    'type=text',
    `upstream_message_id=${encodeURIComponent(wamid ?? '')}`,
    `idempotency_key=${key}`,
  ]) {
    const page = await outsider.get(`/api/v1/channels/${own.id}/messages?${query}`)
    assert.deepEqual([page.status, page.body.data.messages], [200, []], query)
  }
})
