import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createChannel } from '../../../test/hub-with-upstream.ts'
import { connectWithToken } from '../../../test/relay.ts'
import {
  AT,
  buildCallback,
  buildEntry,
  buildMetadata,
  type Channel,
  type InboundFixture,
  iso,
  readData,
  startInbound,
} from './test/fixture.ts'
import { buildText } from './test/samples.ts'

const BIG = '9007199254740993007'
const TEMPLATE = { message_template_name: 'pedido', message_template_language: 'pt_BR' }

/** The template, phone and account events of a channel. */
async function listChanges(fixture: InboundFixture, channel: Channel = fixture.channel) {
  const events = (await fixture.events(channel)).filter(({ kind }) => /^(template|phone|account)\./.test(kind))
  return events.map((event) => ({ ...event, data: readData([event])[0] }))
}

for (const [field, value, expected] of [
  [
    'message_template_status_update',
    { event: 'REJECTED', message_template_id: 12, ...TEMPLATE, reason: 'SCAM', message_template_category: 'UTILITY' },
    { id: '12', name: 'pedido', language: 'pt_BR', category: 'UTILITY', status: 'REJECTED' },
  ],
  [
    'message_template_quality_update',
    { previous_quality_score: 'GREEN', new_quality_score: 'RED', message_template_id: 12, ...TEMPLATE },
    { id: '12', name: 'pedido', language: 'pt_BR', category: null, status: null },
  ],
  [
    'message_template_components_update',
    { message_template_id: 12, ...TEMPLATE, message_template_element: 'Oi', message_template_buttons: [{ a: 1 }] },
    { id: '12', name: 'pedido', language: 'pt_BR', category: null, status: null },
  ],
  [
    'template_category_update',
    { message_template_id: 12, ...TEMPLATE, previous_category: 'UTILITY', new_category: 'MARKETING' },
    { id: '12', name: 'pedido', language: 'pt_BR', category: 'MARKETING', status: null },
  ],
] as const) {
  test(`${field} becomes a template.status with the template and the change`, {
    rules: ['event.template-changes-become-template-status', 'event.template-data-has-template-and-change'],
  }, async (t) => {
    const fixture = await startInbound(t)

    await fixture.deliver(buildEntry(fixture.channel, field, value))

    const [event, ...others] = await listChanges(fixture)
    assert.deepEqual([event?.kind, event?.occurred_at, others], ['template.status', iso(AT), []])
    assert.deepEqual(event?.data, { template: expected, change: { field, ...value } })
  })
}

for (const [field, value] of [
  ['account_update', { event: 'ACCOUNT_VIOLATION', violation_info: { violation_type: 'SCAM' } }],
  ['account_alerts', { entity_type: 'BUSINESS', entity_id: '1', alert_info: { alert_type: 'OBA_APPROVED' } }],
  ['account_review_update', { decision: 'APPROVED' }],
  ['account_settings_update', { phone_number_settings: { a: 1 } }],
  ['business_capability_update', { max_daily_conversations_per_business: 2000, max_phone_numbers_per_waba: 25 }],
] as const) {
  test(`${field} becomes an account.update with the change`, {
    rules: ['event.account-changes-become-account-update', 'event.account-data-has-the-change'],
  }, async (t) => {
    const fixture = await startInbound(t)

    await fixture.deliver(buildEntry(fixture.channel, field, value))

    const [event, ...others] = await listChanges(fixture)
    assert.deepEqual([event?.kind, event?.occurred_at, others], ['account.update', iso(AT), []])
    assert.deepEqual(event?.data, { change: { field, ...value } })
  })
}

test('errors beside the messages of a change become an account.update with the errors', {
  rules: ['event.change-errors-become-account-update'],
}, async (t) => {
  const fixture = await startInbound(t)
  const { channel } = fixture
  const errors = [{ code: 131042, title: 'Payment issue', error_data: { details: 'No payment method' } }]
  const { metadata } = buildMetadata(channel)

  await fixture.deliverMessages({ errors }, { errors, messages: [buildText('wamid.1')] }, { errors: [] })

  const change = { field: 'messages', metadata, errors }
  const published = await listChanges(fixture)
  assert.deepEqual(
    published.map(({ kind, data }) => [kind, data]),
    [
      ['account.update', { change }],
      ['account.update', { change }],
    ],
  )
  assert.deepEqual(
    (await fixture.log()).map(({ upstream_message_id, error }) => [upstream_message_id, error]),
    [['wamid.1', null]],
  )
})

for (const [field, kind, value] of [
  ['phone_number_quality_update', 'phone.quality', { event: 'ONBOARDING', current_limit: 'TIER_2K' }],
  ['phone_number_name_update', 'phone.quality', { decision: 'REJECTED', requested_verified_name: 'Padaria 2' }],
  ['security', 'account.update', { event: 'PIN_CHANGED', requester: '1' }],
] as const) {
  test(`${field} is published to the channel with the number's digits only`, {
    rules: [
      'event.number-changes-become-phone-quality',
      'event.account-changes-become-account-update',
      'event.phone-quality-data-has-the-number',
    ],
  }, async (t) => {
    const fixture = await startInbound(t)
    const sibling = await fixture.connectAnother({ wabaId: fixture.channel.number.wabaId })
    const change = { ...value, display_phone_number: sibling.number.display }

    await fixture.deliver(buildEntry(sibling, field, change))

    const [event, ...others] = await listChanges(fixture, sibling)
    assert.deepEqual([event?.kind, others], [kind, []])
    assert.deepEqual(event?.data.change, { field, ...change })
    assert.deepEqual(await listChanges(fixture), [])
    assert.deepEqual(await fixture.rawEvents(), [])
  })
}

test("phone.quality has the number with the channel's own facts", {
  rules: ['event.phone-quality-data-has-the-number'],
}, async (t) => {
  const fixture = await startInbound(t)
  const { digits, id } = fixture.channel

  await fixture.deliver(
    buildEntry(fixture.channel, 'phone_number_quality_update', { display_phone_number: digits, event: 'x' }),
  )

  const [event] = await listChanges(fixture)
  const channel = (await fixture.acme.get(`/api/v1/channels/${id}`)).body.data.channel
  const { phone_number_id, display_phone_number, verified_name, quality_rating } = channel
  assert.deepEqual(event?.data.number, { phone_number_id, display_phone_number, verified_name, quality_rating })
  assert.ok([phone_number_id, display_phone_number, verified_name, quality_rating].every(Boolean))
})

test("an approved name becomes the channel's verified name, and a refused one does not", async (t) => {
  const fixture = await startInbound(t)
  const decide = (decision: string, requested_verified_name: string) => {
    const value = { display_phone_number: fixture.channel.digits, decision, requested_verified_name }
    return fixture.deliver(buildEntry(fixture.channel, 'phone_number_name_update', value))
  }
  const shown = async () => (await fixture.acme.get(`/api/v1/channels/${fixture.channel.id}`)).body.data.channel

  await decide('APPROVED', 'Padaria Sol')
  const approved = await shown()
  await decide('REJECTED', 'Padaria Lua')
  await decide('DEFERRED', 'Padaria Mar')

  assert.deepEqual([approved.verified_name, approved.status], ['Padaria Sol', 'active'])
  assert.equal((await shown()).verified_name, 'Padaria Sol')
  assert.deepEqual(
    (await listChanges(fixture)).map(({ data }) => data.number.verified_name),
    ['Padaria Sol', 'Padaria Sol', 'Padaria Sol'],
  )
})

test("an alert about a number is published to that number's channel only", async (t) => {
  const fixture = await startInbound(t)
  const sibling = await fixture.connectAnother({ wabaId: fixture.channel.number.wabaId })
  const value = { entity_type: 'PHONE_NUMBER', entity_id: sibling.number.phoneNumberId, alert_info: {} }

  await fixture.deliver(buildEntry(fixture.channel, 'account_alerts', value))

  assert.deepEqual([(await listChanges(fixture)).length, (await listChanges(fixture, sibling)).length], [0, 1])
})

test('a change of an account is published once to each of its connected channels, in any organization', {
  rules: ['event.account-change-reaches-each-channel'],
}, async (t) => {
  const fixture = await startInbound(t)
  const sibling = await fixture.connectAnother({ wabaId: fixture.channel.number.wabaId })
  const unrelated = await fixture.connectAnother()
  const pending = await fixture.acme.post('/api/v1/channels', { name: 'New' })

  await fixture.deliver(buildEntry(fixture.channel, 'account_review_update', { decision: 'APPROVED' }))

  assert.notEqual(sibling.owner.organizationId, fixture.acme.organizationId)
  for (const channel of [fixture.channel, sibling]) {
    const [event, ...others] = await listChanges(fixture, channel)
    assert.deepEqual([event?.kind, others], ['account.update', []])
    assert.equal(JSON.parse(`${event?.body}`).channel_id, channel.id)
    assert.equal((await fixture.rawEvents(channel)).length, 1)
  }
  for (const id of [unrelated.id, pending.body.data.channel.id]) {
    const kinds = (await fixture.events({ id })).map(({ kind }) => kind)
    assert.ok(
      kinds.every((kind) => kind.startsWith('channel.')),
      kinds.join(),
    )
    assert.deepEqual(await fixture.rawEvents({ id }), [])
  }
})

test('a disconnected channel gets the changes of its account, its templates and its number', {
  rules: ['event.account-change-reaches-disconnected'],
}, async (t) => {
  const fixture = await startInbound(t)
  const { channel } = fixture
  await fixture.deliver(buildEntry(channel, 'account_update', { event: 'ACCOUNT_DELETED' }))
  const before = await listChanges(fixture)
  const named = { display_phone_number: channel.digits, decision: 'APPROVED', requested_verified_name: 'Padaria Sol' }

  await fixture.deliver(buildEntry(channel, 'account_review_update', { decision: 'APPROVED' }))
  await fixture.deliver(buildEntry(channel, 'message_template_status_update', { event: 'APPROVED' }))
  await fixture.deliver(buildEntry(channel, 'phone_number_name_update', named))
  await fixture.deliverMessages({ messages: [buildText('wamid.1')] })

  const published = (await listChanges(fixture)).slice(before.length).map(({ kind }) => kind)
  assert.deepEqual(published, ['account.update', 'template.status', 'phone.quality'])
  assert.equal((await fixture.rawEvents()).length, 5)
  const shown = (await fixture.acme.get(`/api/v1/channels/${channel.id}`)).body.data.channel
  assert.deepEqual([shown.status, shown.verified_name], ['disconnected', 'Padaria Sol'])
  assert.equal((await fixture.log()).length, 1)
})

test('a channel that lost its number to another channel gets no more changes of its account', {
  rules: ['event.account-change-reaches-disconnected'],
}, async (t) => {
  const fixture = await startInbound(t)
  const { channel } = fixture
  await fixture.deliver(buildEntry(channel, 'account_update', { event: 'ACCOUNT_DELETED' }))
  const before = await listChanges(fixture)
  const rival = await fixture.hub.organization()
  const { id } = await createChannel(rival)
  assert.equal((await connectWithToken(rival, id, channel.number)).status, 200)

  await fixture.deliver(buildEntry(channel, 'account_review_update', { decision: 'APPROVED' }))

  assert.deepEqual(await listChanges(fixture), before)
  assert.equal((await listChanges(fixture, { ...channel, id })).length, 1)
})

test("a partner event is published to the account in its value, not to its entry's account", async (t) => {
  const fixture = await startInbound(t)
  const other = await fixture.connectAnother()
  const value = { event: 'PARTNER_APP_INSTALLED', waba_info: { waba_id: other.number.wabaId, owner_business_id: '1' } }

  await fixture.deliver({ id: fixture.channel.number.wabaId, time: AT, changes: [{ field: 'account_update', value }] })
  await fixture.deliver({ id: '102290129340398', time: AT, changes: [{ field: 'account_update', value }] })

  assert.deepEqual(await listChanges(fixture), [])
  assert.equal((await listChanges(fixture, other)).length, 2)
})

test('an id beyond 2^53 keeps its digits in the event and in the raw change, as text or as a number', {
  rules: ['callback.large-ids-survive'],
}, async (t) => {
  const fixture = await startInbound(t)
  const { wabaId } = fixture.channel.number
  const change = (id: string) =>
    `{"field":"message_template_status_update","value":{"event":"APPROVED","message_template_id":${id}}}`
  const body = `{"object":"o","entry":[{"id":"${wabaId}","changes":[${change(BIG)},${change(`"${BIG}"`)}]}]}`

  const answer = await fixture.post(body)

  assert.equal(answer.status, 200)
  for (const { data } of await listChanges(fixture)) {
    assert.equal(data.template.id, BIG)
    assert.equal(data.change.message_template_id, BIG)
  }
  const raws = (await fixture.rawEvents()).map(String)
  assert.deepEqual(raws.sort(), [change(BIG), change(`"${BIG}"`)].map(toRaw).sort())
  function toRaw(one: string): string {
    return `{"object":"o","entry":[{"id":"${wabaId}","changes":[${one}]}]}`
  }
})

test('an account is found by an id that is a number beyond 2^53', async (t) => {
  const fixture = await startInbound(t)
  await fixture.sql`update channel_numbers set waba_id = ${BIG} where channel_id = ${fixture.channel.id}`

  await fixture.post(`{"entry":[{"id":${BIG},"changes":[{"field":"account_review_update","value":{"decision":"x"}}]}]}`)

  assert.equal((await listChanges(fixture)).length, 1)
})

test("a member `field` in a value does not replace the change's field", async (t) => {
  const fixture = await startInbound(t)

  await fixture.post(buildCallback(buildEntry(fixture.channel, 'account_alerts', { field: 5, alert_info: {} })))

  assert.deepEqual((await listChanges(fixture))[0]?.data, { change: { field: 'account_alerts', alert_info: {} } })
})
