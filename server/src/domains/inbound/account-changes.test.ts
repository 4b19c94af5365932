import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textMessage } from './test/samples.ts'
import { AT, type Channel, callbackOf, dataOf, iso, type Scene, startInbound, telling } from './test/scene.ts'

const BIG = '9007199254740993007'
const TEMPLATE = { message_template_name: 'pedido', message_template_language: 'pt_BR' }

/** The events of a channel that are neither about messages nor about its connection. */
async function changesOf(scene: Scene, channel: Channel = scene.channel) {
  const events = (await scene.events(channel)).filter(({ kind }) => /^(template|phone|account)\./.test(kind))
  return events.map((event) => ({ ...event, data: dataOf([event])[0] }))
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
    rules: ['D8-13', 'D9-04'],
  }, async (t) => {
    const scene = await startInbound(t)

    await scene.deliver(telling(scene.channel, field, value))

    const [event, ...others] = await changesOf(scene)
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
  test(`${field} becomes an account.update with the change`, { rules: ['D8-15', 'D9-06'] }, async (t) => {
    const scene = await startInbound(t)

    await scene.deliver(telling(scene.channel, field, value))

    const [event, ...others] = await changesOf(scene)
    assert.deepEqual([event?.kind, event?.occurred_at, others], ['account.update', iso(AT), []])
    assert.deepEqual(event?.data, { change: { field, ...value } })
  })
}

for (const [field, kind, value] of [
  ['phone_number_quality_update', 'phone.quality', { event: 'ONBOARDING', current_limit: 'TIER_2K' }],
  ['phone_number_name_update', 'phone.quality', { decision: 'REJECTED', requested_verified_name: 'Padaria 2' }],
  ['security', 'account.update', { event: 'PIN_CHANGED', requester: '1' }],
] as const) {
  test(`${field} reaches the one number of the account that it names by its digits`, {
    rules: ['D8-14', 'D8-15', 'D9-05'],
  }, async (t) => {
    const scene = await startInbound(t)
    const sister = await scene.another({ wabaId: scene.channel.number.wabaId })
    const change = { ...value, display_phone_number: sister.number.display }

    await scene.deliver(telling(sister, field, change))

    const [event, ...others] = await changesOf(scene, sister)
    assert.deepEqual([event?.kind, others], [kind, []])
    assert.deepEqual(event?.data.change, { field, ...change })
    assert.deepEqual(await changesOf(scene), [])
    assert.deepEqual(await scene.raws(), [])
  })
}

test('a phone.quality names the number', { rules: ['D9-05'] }, async (t) => {
  const scene = await startInbound(t)
  const { digits, number } = scene.channel

  await scene.deliver(
    telling(scene.channel, 'phone_number_quality_update', { display_phone_number: digits, event: 'x' }),
  )

  const [event] = await changesOf(scene)
  const expected = { phone_number_id: number.phoneNumberId, display_phone_number: digits, verified_name: null }
  assert.deepEqual(event?.data.number, expected)
})

test('an approved name becomes the channel’s, and a refused one does not', async (t) => {
  const scene = await startInbound(t)
  const decide = (decision: string, requested_verified_name: string) => {
    const value = { display_phone_number: scene.channel.digits, decision, requested_verified_name }
    return scene.deliver(telling(scene.channel, 'phone_number_name_update', value))
  }
  const shown = async () => (await scene.acme.get(`/api/v1/channels/${scene.channel.id}`)).body.data.channel

  await decide('APPROVED', 'Padaria Sol')
  const approved = await shown()
  await decide('REJECTED', 'Padaria Lua')
  await decide('DEFERRED', 'Padaria Mar')

  assert.deepEqual([approved.verified_name, approved.status], ['Padaria Sol', 'active'])
  assert.equal((await shown()).verified_name, 'Padaria Sol')
  assert.deepEqual(
    (await changesOf(scene)).map(({ data }) => data.number.verified_name),
    ['Padaria Sol', null, null],
  )
})

test('an alert about one number reaches that number', async (t) => {
  const scene = await startInbound(t)
  const sister = await scene.another({ wabaId: scene.channel.number.wabaId })
  const value = { entity_type: 'PHONE_NUMBER', entity_id: sister.number.phoneNumberId, alert_info: {} }

  await scene.deliver(telling(scene.channel, 'account_alerts', value))

  assert.deepEqual([(await changesOf(scene)).length, (await changesOf(scene, sister)).length], [0, 1])
})

test('a change of an account reaches each of its connected channels once, whosever they are, and no other', {
  rules: ['D8-17'],
}, async (t) => {
  const scene = await startInbound(t)
  const sister = await scene.another({ wabaId: scene.channel.number.wabaId })
  const stranger = await scene.another()
  const pending = await scene.acme.post('/api/v1/channels', { name: 'New' })

  await scene.deliver(telling(scene.channel, 'account_review_update', { decision: 'APPROVED' }))

  assert.notEqual(sister.owner.organizationId, scene.acme.organizationId)
  for (const told of [scene.channel, sister]) {
    const [event, ...others] = await changesOf(scene, told)
    assert.deepEqual([event?.kind, others], ['account.update', []])
    assert.equal(JSON.parse(`${event?.body}`).channel_id, told.id)
    assert.equal((await scene.raws(told)).length, 1)
  }
  for (const id of [stranger.id, pending.body.data.channel.id]) {
    const kinds = (await scene.events({ id })).map(({ kind }) => kind)
    assert.ok(
      kinds.every((kind) => kind.startsWith('channel.')),
      kinds.join(),
    )
    assert.deepEqual(await scene.raws({ id }), [])
  }
})

test('a disconnected channel hears no more of its account, and still all that is about its number', async (t) => {
  const scene = await startInbound(t)
  const { channel } = scene
  await scene.deliver(telling(channel, 'account_update', { event: 'ACCOUNT_DELETED' }))
  const before = await changesOf(scene)
  const named = { display_phone_number: channel.digits, decision: 'APPROVED', requested_verified_name: 'Padaria Sol' }

  await scene.deliver(telling(channel, 'account_review_update', { decision: 'APPROVED' }))
  await scene.deliver(telling(channel, 'message_template_status_update', { event: 'APPROVED' }))
  await scene.deliver(telling(channel, 'phone_number_name_update', named))
  await scene.say({ messages: [textMessage('wamid.1')] })

  const heard = (await changesOf(scene)).slice(before.length).map(({ kind }) => kind)
  assert.deepEqual(heard, ['phone.quality'])
  const shown = (await scene.acme.get(`/api/v1/channels/${channel.id}`)).body.data.channel
  assert.deepEqual([shown.status, shown.verified_name], ['disconnected', 'Padaria Sol'])
  assert.equal((await scene.log()).length, 1)
})

test('a partner’s event reaches the account that it names, and not the one it comes under', async (t) => {
  const scene = await startInbound(t)
  const other = await scene.another()
  const value = { event: 'PARTNER_APP_INSTALLED', waba_info: { waba_id: other.number.wabaId, owner_business_id: '1' } }

  await scene.deliver({ id: scene.channel.number.wabaId, time: AT, changes: [{ field: 'account_update', value }] })
  await scene.deliver({ id: '102290129340398', time: AT, changes: [{ field: 'account_update', value }] })

  assert.deepEqual(await changesOf(scene), [])
  assert.equal((await changesOf(scene, other)).length, 2)
})

test('an id beyond 2^53 is exact in the event and in the raw change, as text or as a number', {
  rules: ['D8-09'],
}, async (t) => {
  const scene = await startInbound(t)
  const { wabaId } = scene.channel.number
  const change = (id: string) =>
    `{"field":"message_template_status_update","value":{"event":"APPROVED","message_template_id":${id}}}`
  const body = `{"object":"o","entry":[{"id":"${wabaId}","changes":[${change(BIG)},${change(`"${BIG}"`)}]}]}`

  const answer = await scene.post(body)

  assert.equal(answer.status, 200)
  for (const { data } of await changesOf(scene)) {
    assert.equal(data.template.id, BIG)
    assert.equal(data.change.message_template_id, BIG)
  }
  const raws = (await scene.raws()).map(String)
  assert.deepEqual(raws.sort(), [change(BIG), change(`"${BIG}"`)].map(rawOf).sort())
  function rawOf(one: string): string {
    return `{"object":"o","entry":[{"id":"${wabaId}","changes":[${one}]}]}`
  }
})

test('an account whose id is a number beyond 2^53 is found', async (t) => {
  const scene = await startInbound(t)
  await scene.sql`update channel_numbers set waba_id = ${BIG} where channel_id = ${scene.channel.id}`

  await scene.post(`{"entry":[{"id":${BIG},"changes":[{"field":"account_review_update","value":{"decision":"x"}}]}]}`)

  assert.equal((await changesOf(scene)).length, 1)
})

test('a member of a value that is called field does not hide the name of the field', async (t) => {
  const scene = await startInbound(t)

  await scene.post(callbackOf(telling(scene.channel, 'account_alerts', { field: 5, alert_info: {} })))

  assert.deepEqual((await changesOf(scene))[0]?.data, { change: { field: 'account_alerts', alert_info: {} } })
})
