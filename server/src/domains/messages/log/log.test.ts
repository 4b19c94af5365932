import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AT, buildMetadata, type InboundFixture, iso, startInbound } from '../../inbound/test/fixture.ts'
import { buildEcho, buildStatus, buildText } from '../../inbound/test/samples.ts'
import { newContact, startSending, text, toStatusAndCode } from '../test/fixture.ts'

const MEMBERS = [
  'channel_id',
  'contact',
  'content',
  'context',
  'created_at',
  'delivered_at',
  'direction',
  'error',
  'failed_at',
  'from',
  'id',
  'pricing',
  'read_at',
  'sent_at',
  'status',
  'to',
  'type',
  'upstream_message_id',
]

/** A channel with two inbound messages, and sends that were read, failed, refused, unknown and accepted. */
async function startConversation(t: Parameters<typeof startSending>[0]) {
  const fixture = await startSending(t)
  const { up, channel, fault, send, wait } = fixture
  const to = newContact()
  const receive = (type: string) =>
    up.simulator.control('POST', `/contacts/${to}/messages`, { to: channel.number.phoneNumberId, type })
  await receive('text')
  await receive('image')
  await send({ body: text('read', to) })
  await send({ body: text('failed') })
  await wait(60)
  await fault('error', '/messages', { code: 131009 })
  await send({ body: text('refused') })
  await fault('reset_before', '/messages')
  await send({ body: text('lost') })
  await send({ body: text('accepted') })
  return { ...fixture, to }
}

function describe(entries: { direction: string; status: string }[]): string[] {
  return entries.map(({ direction, status }) => `${direction} ${status}`)
}

test('the log has inbound and outbound messages, newest first, with their statuses', {
  rules: ['message.log-is-newest-first', 'message.entry-is-one-flat-record', 'message.outbound-statuses'],
}, async (t) => {
  const { channel, log, to } = await startConversation(t)

  const entries = await log('')

  assert.deepEqual(describe(entries), [
    'outbound accepted',
    'outbound unknown',
    'outbound failed',
    'outbound failed',
    'outbound read',
    'inbound received',
    'inbound received',
  ])
  const ids = entries.map(({ id }) => id)
  assert.deepEqual(ids, ids.toSorted().reverse())
  for (const entry of entries) assert.deepEqual(Object.keys(entry).sort(), MEMBERS)
  const business = channel.number.display.replace(/\D/g, '')
  const [inbound, outbound] = [entries.at(-1)!, entries.at(-3)!]
  assert.deepEqual([inbound.from, inbound.to], [to, business])
  assert.deepEqual([outbound.from, outbound.to], [business, to])
})

const FILTERS: Record<string, string[]> = {
  'direction=inbound': ['inbound received', 'inbound received'],
  'direction=outbound': [
    'outbound accepted',
    'outbound unknown',
    'outbound failed',
    'outbound failed',
    'outbound read',
  ],
  'status=failed': ['outbound failed', 'outbound failed'],
  'status=unknown': ['outbound unknown'],
  'status=received': ['inbound received', 'inbound received'],
  'direction=inbound&status=received': ['inbound received', 'inbound received'],
  'direction=outbound&status=read': ['outbound read'],
  'direction=inbound&status=read': [],
  'direction=outbound&status=received': [],
  'status=sending': [],
  'status=READ': [],
  'status=': [],
  'status=something-else': [],
  'direction=inbound&status=something-else': [],
  [`status=${'x'.repeat(80)}`]: [],
  'status=%F0%9F%8D%9E%27%3B--': [],
}

test('direction and status filter the log, alone and together, and without a match the page is empty', {
  rules: ['api.pages-have-a-cursor', 'message.filters-select-entries'],
}, async (t) => {
  const { acme, path, log } = await startConversation(t)
  const all = await log()

  for (const [query, expected] of Object.entries(FILTERS)) {
    const { status, body } = await acme.get(`${path}?${query}`)

    assert.equal(status, 200, query)
    assert.deepEqual(describe(body.data.messages), expected, query)
    assert.equal(body.data.next_cursor, null, query)
    for (const entry of body.data.messages) assert.ok(all.some(({ id }) => id === entry.id))
  }
})

const INVALID: Record<string, string[]> = {
  limit: ['0', '101', '-1', '1.5', '1e1', '0x10', 'ten', '', '1&limit=2'],
  direction: ['sideways', '', 'INBOUND', 'inbound&direction=outbound'],
  status: ['x'.repeat(81), 'read&status=sent'],
  cursor: ['x'.repeat(501)],
  page: ['2'],
}

test('a limit outside 1 to 100, an invalid direction, a status of 81 characters and an unknown parameter are 400', async (t) => {
  const { acme, path } = await startSending(t)

  for (const [name, values] of Object.entries(INVALID)) {
    for (const value of values) {
      const answer = await acme.get(`${path}?${name}=${value}`)

      assert.deepEqual(toStatusAndCode(answer), [400, 'INVALID_REQUEST'], `${name}=${value}`)
      assert.equal(answer.body.error.details.issues[0].path, `/${name}`)
    }
  }
})

test('the log shows no raw payload of the upstream and no secret', {
  rules: ['message.log-holds-no-raw-payload'],
}, async (t) => {
  const { hub, up, acme, channel, path, to } = await startConversation(t)
  await up.simulator.control('POST', '/webhooks', {
    waba_id: channel.number.wabaId,
    phone_number_id: channel.number.phoneNumberId,
    field: 'messages',
    value: {
      messaging_product: 'whatsapp',
      metadata: { display_phone_number: channel.number.display, phone_number_id: channel.number.phoneNumberId },
      messages: [
        { id: 'wamid.odd', from: to, timestamp: '1790000000', type: 'text', text: { body: 'x' }, raw_only: 7 },
      ],
    },
  })

  const page = await acme.get(`${path}?limit=100`)

  const [newest] = page.body.data.messages
  assert.deepEqual(newest.content, { body: 'x' })
  const { simulator } = up
  const { access_token: sealed } = (await hub.sql`select access_token from channels where id = ${channel.id}`)[0]!
  const secrets = [
    channel.number.accessToken,
    simulator.appSecret,
    simulator.verifyToken,
    acme.key,
    channel.token,
    sealed,
  ]
  for (const text of [...secrets, 'raw_only', 'messaging_product', 'phone_number_id', 'fbtrace_id', 'opaque', 'EAA']) {
    assert.ok(!page.text.includes(text), text)
  }
})

test('a log without messages is an empty page', { rules: ['api.success-is-one-data-member'] }, async (t) => {
  const { acme, path } = await startSending(t)

  const { body } = await acme.get(path)

  assert.deepEqual(body, { data: { messages: [], next_cursor: null } })
})

test("a channel's log has its own messages only", async (t) => {
  const { acme, connect, send, log } = await startSending(t)
  const sibling = await connect(acme)
  await send()

  const other = await acme.get(`/api/v1/channels/${sibling.id}/messages`)

  assert.deepEqual(other.body.data.messages, [])
  assert.equal((await log()).length, 1)
})

/** The id, time and type of each log entry, newest first. */
async function readLog({ acme, channel }: InboundFixture): Promise<[name: string, createdAt: string, type: string][]> {
  const { body } = await acme.get(`/api/v1/channels/${channel.id}/messages`)
  return body.data.messages.map((entry: Record<string, string>) => {
    return [entry.upstream_message_id, entry.created_at, entry.type]
  })
}

test("the log is in the order in which the hub received the messages, and shows the upstream's times", {
  rules: ['message.log-follows-arrival'],
}, async (t) => {
  const fixture = await startInbound(t)

  await fixture.deliverMessages({ messages: [buildText('wamid.1', { timestamp: String(AT + 60) })] })
  await fixture.deliverMessages({ messages: [buildText('wamid.2', { timestamp: String(AT) })] })
  await fixture.deliverMessages({ messages: [buildText('wamid.3', { timestamp: String(AT + 30) })] })

  assert.deepEqual(await readLog(fixture), [
    ['wamid.3', iso(AT + 30), 'text'],
    ['wamid.2', iso(AT), 'text'],
    ['wamid.1', iso(AT + 60), 'text'],
  ])
})

test('a placeholder keeps its position when its echo fills it', async (t) => {
  const fixture = await startInbound(t)
  const echo = buildEcho(fixture.channel.digits, 'wamid.mine', { timestamp: String(AT + 50) })
  const change = { field: 'smb_message_echoes', value: { ...buildMetadata(fixture.channel), message_echoes: [echo] } }

  await fixture.deliverMessages({ statuses: [buildStatus('wamid.mine', 'sent', { timestamp: String(AT + 60) })] })
  await fixture.deliverMessages({ messages: [buildText('wamid.theirs', { timestamp: String(AT) })] })
  const before = await readLog(fixture)
  await fixture.deliver({ id: fixture.channel.number.wabaId, changes: [change] })

  const theirs = ['wamid.theirs', iso(AT), 'text']
  assert.deepEqual(before, [theirs, ['wamid.mine', iso(AT + 60), 'unknown']])
  assert.deepEqual(await readLog(fixture), [theirs, ['wamid.mine', iso(AT + 50), 'text']])
})
