import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CHANNEL_TOKEN_SCOPES } from '../../auth/scopes.ts'
import { newContact, TEMPLATE } from '../test/fixture.ts'
import { createGraphClient, startGraph, toGraphCodes } from '../test/graph.ts'

type Graph = Awaited<ReturnType<typeof startGraph>>

async function startWithTemplates(t: Parameters<typeof startGraph>[0]): Promise<Graph> {
  const fixture = await startGraph(t)
  for (const category of ['MARKETING', 'UTILITY']) {
    const draft = { ...TEMPLATE, name: category.toLowerCase(), category }
    const { id } = (await fixture.client.post(`${fixture.waba}/message_templates`, draft)).body
    await fixture.up.simulator.control('POST', `/templates/${id}`, { status: 'APPROVED' })
  }
  return fixture
}

function buildMessage(to: string, name = 'marketing', more: object = {}) {
  return {
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to,
    type: 'template',
    template: { name, language: { code: 'pt_BR' } },
    ...more,
  }
}

test('a marketing message is logged, recorded as message.sent and settled by its statuses like any other', {
  rules: ['graph.marketing-message-is-a-message'],
}, async (t) => {
  const fixture = await startWithTemplates(t)
  const { client, phone, log, listEventMessages, up, upstreamCalls, hub } = fixture
  const to = newContact()

  const answer = await client.post(
    `${phone}/marketing_messages`,
    buildMessage(to, 'marketing', { product_policy: 'STRICT', message_activity_sharing: false, access_token: 'x' }),
  )

  assert.equal(answer.status, 200, answer.text)
  const [{ id: wamid }] = answer.body.messages
  const [entry] = await log()
  assert.deepEqual([entry?.upstream_message_id, entry?.status, entry?.type], [wamid, 'accepted', 'template'])
  const [event] = await listEventMessages('message.sent')
  assert.equal(event?.id, entry?.id)
  const call = (await upstreamCalls()).at(-1)
  assert.match(call?.path ?? '', /\/marketing_messages$/)
  assert.deepEqual(
    [call?.params.biz_opaque_callback_data, call?.params.product_policy, call?.params.access_token],
    [entry?.id, 'STRICT', undefined],
  )
  await up.simulator.control('POST', '/clock', { advance_ms: 60_000 })
  await hub.runJobs()
  assert.equal((await log())[0]?.status, 'read')
})

test('a marketing message whose outcome is unknown is 135000 with the id of the message, and a status settles it', {
  rules: ['graph.marketing-message-is-a-message'],
}, async (t) => {
  const fixture = await startWithTemplates(t)
  const { client, phone, fault, log, listEventMessages, up, hub } = fixture
  await fault('error_after', '/marketing_messages', { code: 131000 })

  const answer = await client.post(`${phone}/marketing_messages`, buildMessage(newContact()))

  assert.deepEqual(toGraphCodes(answer), [400, 135000])
  const [entry] = await log()
  assert.equal(entry?.status, 'unknown')
  assert.ok(answer.body.error.error_data.details.includes(entry?.id))
  assert.deepEqual(await listEventMessages('message.sent'), [])
  await up.simulator.control('POST', '/clock', { advance_ms: 60_000 })
  await hub.runJobs()
  assert.equal((await log())[0]?.status, 'read')
  assert.equal((await listEventMessages('message.sent')).length, 1)
})

for (const [what, name, more, code] of [
  ['a template that is not of marketing', 'utility', {}, 132018],
  ['a text', 'marketing', { type: 'text', text: { body: 'x' } }, 134100],
] as const) {
  test(`a marketing message with ${what} is refused with ${code} and logged as failed`, {
    rules: ['graph.upstream-refusal-keeps-its-error', 'graph.marketing-message-is-a-message'],
  }, async (t) => {
    const { client, phone, log } = await startWithTemplates(t)

    const answer = await client.post(`${phone}/marketing_messages`, buildMessage(newContact(), name, more))

    assert.deepEqual(toGraphCodes(answer), [400, code])
    assert.equal((await log())[0]?.status, 'failed')
  })
}

test('an account without the Marketing Messages API is 131055', {
  rules: ['graph.upstream-refusal-keeps-its-error'],
}, async (t) => {
  const { client, phone, up, channel } = await startWithTemplates(t)
  const path = `/accounts/${channel.number.wabaId}`
  await up.simulator.control('PATCH', path, { marketing_messages: false })

  const answer = await client.post(`${phone}/marketing_messages`, buildMessage(newContact()))

  assert.deepEqual(toGraphCodes(answer), [400, 131055])
})

test('marketing messages need messages:send and the own number, and do not exist at /upstream', {
  rules: ['graph.further-calls-need-their-scope'],
}, async (t) => {
  const fixture = await startGraph(t)
  const { client, phone, withScopes, hub, connect, log } = fixture
  const other = await hub.organization()
  const foreign = await createGraphClient(fixture, other.organizationId, await connect(other))
  const poor = await withScopes(CHANNEL_TOKEN_SCOPES.filter((scope) => scope !== 'messages:send'))
  const message = buildMessage(newContact())

  assert.deepEqual(toGraphCodes(await poor.post(`${phone}/marketing_messages`, message)), [403, 10])
  assert.deepEqual(toGraphCodes(await client.post(`${foreign.phone}/marketing_messages`, message)), [400, 100, 33])
  const upstream = await client.post(`${phone.replace('/graph', '/upstream')}/marketing_messages`, message)
  assert.equal(upstream.status, 404)
  assert.deepEqual(await log(), [])
})
