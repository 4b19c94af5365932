import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { waitForHeldRequests } from '../../../test/held-requests.ts'
import { createChannel, listAuditEntries, startHubWithUpstream } from '../../../test/hub-with-upstream.ts'

const TEMPLATE = {
  name: 'pedido_pronto',
  language: 'pt_BR',
  category: 'UTILITY',
  components: [
    { type: 'BODY', text: 'Olá {{1}}, seu pedido está pronto.', example: { body_text: [['Ana']] } },
    { type: 'FOOTER', text: 'Padaria' },
  ],
}

async function startChannel(t: TestContext) {
  const setup = await startHubWithUpstream(t, { env: { UPSTREAM_TIMEOUT_MS: '2000' } })
  const acme = await setup.hub.organization()
  const channel = await setup.connect(acme)
  return { ...setup, acme, channel, path: `/api/v1/channels/${channel.id}/templates` }
}

test('a template is created upstream as given, returned with its id, and recorded', {
  rules: ['template.creation-is-201', 'template.lists-those-of-the-account'],
}, async (t) => {
  const { acme, channel, path, requests } = await startChannel(t)
  const body = { ...TEMPLATE, parameter_format: 'POSITIONAL', message_send_ttl_seconds: 600 }

  const answer = await acme.post(path, body)

  assert.equal(answer.status, 201)
  const { id, ...rest } = answer.body.data.template
  assert.match(id, /^9\d{16}$/)
  assert.deepEqual(rest, { status: 'PENDING', category: 'UTILITY' })
  const [asked] = await requests('/message_templates')
  assert.deepEqual([asked?.path, asked?.token_in], [`/${channel.number.wabaId}/message_templates`, 'bearer'])
  assert.deepEqual(asked?.params, body)
  const [entry] = await listAuditEntries(acme, id)
  assert.deepEqual([entry?.action, entry?.actor.id], ['template.created', acme.keyId])
  assert.deepEqual(entry?.details, { channel_id: channel.id, name: 'pedido_pronto', language: 'pt_BR' })
  assert.equal(entry?.request_id, answer.headers.get('x-request-id'))
})

test('a category is case-insensitive, and a language may have a region', async (t) => {
  const { acme, path } = await startChannel(t)

  const lower = await acme.post(path, { ...TEMPLATE, category: 'marketing', language: 'en' })
  const mixed = await acme.post(path, { ...TEMPLATE, category: 'Utility', language: 'fil' })

  assert.deepEqual([lower.status, mixed.status], [201, 201])
})

test("an upstream refusal is 400 with the upstream's details, and is not recorded", {
  rules: ['send.refusal-is-repeated'],
}, async (t) => {
  const { acme, path, channel } = await startChannel(t)
  await acme.post(path, TEMPLATE)

  const answer = await acme.post(path, TEMPLATE)

  assert.deepEqual([answer.status, answer.body.error.code], [400, 'UPSTREAM_REJECTED'])
  const { fbtrace_id, reason, parameters, ...details } = answer.body.error.details
  assert.deepEqual([reason, parameters], ['upstream_refused', { title: details.title }])
  assert.deepEqual(details, {
    code: 100,
    error_subcode: 2388024,
    title: 'Content in this language already exists',
    details: 'There is already pt_BR content for this name.',
  })
  assert.match(fbtrace_id, /^A\w{22}$/)
  assert.ok(!answer.text.includes(channel.number.accessToken))
  const log = await acme.get('/api/v1/audit-log?action=template.created')
  assert.equal(log.body.data.entries.length, 1)
})

const INVALID_CHANGES: [string, object][] = [
  ['no name', { name: undefined }],
  ['a name in capitals', { name: 'Pedido' }],
  ['an empty name', { name: '' }],
  ['a name of 513 characters', { name: 'a'.repeat(513) }],
  ['a name that is a number', { name: 7 }],
  ['no language', { language: undefined }],
  ['an invalid language', { language: 'portuguese!' }],
  ['no category', { category: undefined }],
  ['an unknown category', { category: 'TRANSACTIONAL' }],
  ['no components', { components: undefined }],
  ['components that are not an array', { components: {} }],
  ['a component without a type', { components: [{ text: 'Oi' }] }],
  ['a component that is a string', { components: ['Oi'] }],
  ['an unknown parameter_format', { parameter_format: 'MIXED' }],
  ['a lifetime that is a string', { message_send_ttl_seconds: '600' }],
  ['a lifetime above thirty days', { message_send_ttl_seconds: 2_592_001 }],
  ['an unknown property', { allow_category_change: true }],
]

test('an invalid template is 400 and is not sent upstream', async (t) => {
  const { acme, path, requests } = await startChannel(t)

  for (const [what, change] of INVALID_CHANGES) {
    const answer = await acme.post(path, { ...TEMPLATE, ...change })

    assert.deepEqual([answer.status, answer.body.error.code], [400, 'INVALID_REQUEST'], what)
    assert.ok(answer.body.error.details.issues.length > 0, what)
  }
  assert.deepEqual(await requests('/message_templates'), [])
})

test('upstream throttling is 429 with Retry-After', async (t) => {
  const { acme, path, fault } = await startChannel(t)
  await fault('throttle', '/message_templates', { code: 80007, times: null })

  const answers = [await acme.post(path, TEMPLATE), await acme.get(path)]

  for (const answer of answers) {
    assert.deepEqual([answer.status, answer.body.error.code], [429, 'RATE_LIMITED'])
    assert.ok(Number(answer.headers.get('retry-after')) > 0)
    assert.equal(answer.body.error.details.code, 80007)
  }
})

for (const [what, kind, more] of [
  ['is down', 'http', { status: 503 }],
  ['hangs', 'hang_before', {}],
  ['resets the connection', 'reset_before', {}],
  ['sends incomplete JSON', 'garbled_after', {}],
  ['reports a transient error', 'error', { code: 2 }],
] as const) {
  test(`an upstream that ${what} is 502, and the channel stays active`, async (t) => {
    const { acme, path, channel, fault, up } = await startChannel(t)
    await fault(kind, '/message_templates', { times: null, ...more })

    const answers = [await acme.post(path, TEMPLATE), await acme.get(path)]
    await waitForHeldRequests(up)

    for (const answer of answers) {
      assert.deepEqual([answer.status, answer.body.error.code], [502, 'UPSTREAM_UNAVAILABLE'])
      assert.deepEqual(Object.keys(answer.body.error.details), ['reason', 'parameters'])
    }
    assert.equal((await acme.get(`/api/v1/channels/${channel.id}`)).body.data.channel.status, 'active')
  })
}

test('a pending or disconnected channel is CHANNEL_NOT_CONNECTED, and a degraded one works', {
  rules: ['send.unconnected-channel-is-400'],
}, async (t) => {
  const { acme, path, channel, move } = await startChannel(t)
  const pending = await createChannel(acme)
  const pendingPath = `/api/v1/channels/${pending.id}/templates`

  const refused = [await acme.get(pendingPath), await acme.post(pendingPath, TEMPLATE)]
  await move(acme, channel, 'FLAGGED')
  const degraded = await acme.get(path)
  await move(acme, channel, 'BANNED')
  refused.push(await acme.get(path), await acme.post(path, TEMPLATE))

  assert.equal(degraded.status, 200)
  for (const { status, body } of refused) {
    assert.deepEqual([status, body.error.code], [400, 'CHANNEL_NOT_CONNECTED'])
  }
})

test('a channel token creates only with templates:write, and only on its own channel', {
  rules: ['token.reaches-messages-media-and-templates', 'token.needs-the-scope-of-the-route'],
}, async (t) => {
  const { hub, acme, path, channel } = await startChannel(t)
  const other = await createChannel(acme)
  const full = await hub.channelToken(acme.organizationId, channel.id, ['templates:write'])
  const narrow = await hub.channelToken(acme.organizationId, channel.id, ['messages:send'])

  const created = await full.post(path, TEMPLATE)
  const refused = await narrow.post(path, { ...TEMPLATE, name: 'other' })
  const foreign = await full.post(`/api/v1/channels/${other.id}/templates`, TEMPLATE)

  assert.equal(created.status, 201)
  assert.deepEqual([refused.status, refused.body.error.details.scope], [403, 'templates:write'])
  assert.equal(foreign.status, 404)
  const [entry] = await listAuditEntries(acme, created.body.data.template.id)
  assert.deepEqual([entry?.actor.type, entry?.actor.id], ['channel_token', full.id])
})
