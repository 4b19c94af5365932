import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Fixture, listValues, START, startFixture, VERIFY_TOKEN } from '../../test/harness.ts'
import { startReceiver } from '../../test/receiver.ts'

const DAY_SECONDS = 86_400

test('an account node has its default fields or the requested ones', async (t) => {
  const fixture = await startFixture(t)

  const whole = await fixture.graph('GET', `/${fixture.wabaId}`)
  const part = await fixture.graph('GET', `/${fixture.wabaId}?fields=currency,account_review_status`)

  assert.deepEqual(Object.keys(whole.body).sort(), ['id', 'message_template_namespace', 'name', 'timezone_id'])
  assert.deepEqual(part.body, { currency: 'BRL', account_review_status: 'APPROVED', id: fixture.wabaId })
})

test('lists numbers newest first, with the requested fields', async (t) => {
  const fixture = await startFixture(t)
  const added = await fixture.control<{ phone_number_id: string }>('POST', `/accounts/${fixture.wabaId}/numbers`, {})

  const { body } = await fixture.graph('GET', `/v25.0/${fixture.wabaId}/phone_numbers?fields=status`)

  assert.deepEqual(body.data, [
    { status: 'PENDING', id: added.phone_number_id },
    { status: 'CONNECTED', id: fixture.phoneId },
  ])
})

async function sendMixture(fixture: Fixture): Promise<void> {
  await fixture.receive()
  await fixture.receive({}, '16505550001')
  for (const to of ['5511999990000', '5511999990000', '16505550001', '55119131026']) {
    await fixture.send({ to, type: 'text', text: { body: 'oi' } })
  }
  await fixture.graph('POST', `/${fixture.wabaId}/message_templates`, {
    name: 'promo',
    language: 'pt_BR',
    category: 'MARKETING',
    components: [{ type: 'BODY', text: 'Pão em dobro' }],
  })
  await fixture.advance(10_000)
  await fixture.send({
    to: '5511999990002',
    type: 'template',
    template: { name: 'promo', language: { code: 'pt_BR' } },
  })
  await fixture.advance(10_000)
}

test('the cost report counts delivered messages by day and by the requested dimensions', async (t) => {
  const fixture = await startFixture(t)
  await sendMixture(fixture)
  const start = START.getTime() / 1_000 - DAY_SECONDS
  const range = `start(${start}).end(${start + 2 * DAY_SECONDS}).granularity(DAILY)`
  const report = async (modifiers: string) => {
    const fields = `id,name,pricing_analytics.${range}${modifiers}`
    const { status, body } = await fixture.graph('GET', `/${fixture.wabaId}?fields=${fields}`)
    assert.equal(status, 200, JSON.stringify(body))
    const { data } = body.pricing_analytics as unknown as { data: [{ data_points: Record<string, unknown>[] }] }
    return data[0].data_points
  }

  const whole = await report('')
  assert.equal(whole.length, 1)
  assert.equal(whole[0]?.volume, 4)
  assert.equal(whole[0]?.start, start + DAY_SECONDS)
  for (const dimensions of [
    '(PRICING_CATEGORY,COUNTRY)',
    '([PRICING_CATEGORY,COUNTRY])',
    '(["PRICING_CATEGORY","COUNTRY"])',
  ]) {
    const points = await report(`.dimensions${dimensions}.metric_types(VOLUME)`)
    assert.deepEqual(
      points.map(({ pricing_category, country, volume, cost }) => [pricing_category, country, volume, cost]),
      [
        ['SERVICE', 'BR', 2, undefined],
        ['SERVICE', 'US', 1, undefined],
        ['MARKETING', 'BR', 1, undefined],
      ],
    )
  }
  const costs = await report('.dimensions(PRICING_TYPE).metric_types(COST)')
  assert.deepEqual(
    costs.map(({ pricing_type, cost }) => [pricing_type, cost]),
    [
      ['FREE_CUSTOMER_SERVICE', 0],
      ['REGULAR', 0.0625],
    ],
  )
})

test('a cost report needs start, end and granularity, and refuses unknown names', async (t) => {
  const fixture = await startFixture(t)
  const now = START.getTime() / 1_000
  const ask = async (modifiers: string) =>
    (await fixture.graph('GET', `/${fixture.wabaId}?fields=pricing_analytics${modifiers}`)).body.error?.code
  const missing = await fixture.graph(
    'GET',
    `/${fixture.wabaId}?fields=pricing_analytics.end(${now}).granularity(DAILY)`,
  )
  assert.match(missing.body.error.message, /The parameter start is required/)

  assert.equal(await ask(`.start(${now - 60}).end(${now}).granularity(DAILY)`), undefined)
  for (const wrong of [
    '',
    `.start(${now - 60}).end(${now})`,
    `.end(${now}).granularity(DAILY)`,
    `.start(${now}).end(${now - 60}).granularity(DAILY)`,
    `.start(${now - 60}).end(${now}).granularity(WEEKLY)`,
    `.start(${now - 60}).end(${now}).granularity(DAILY).dimensions(COLOR)`,
    `.start(${now - 60}).end(${now}).granularity(DAILY).metric_types(LOVE)`,
    `.start(${now - 60}).end(${now}).granularity(DAILY).mood(good)`,
    `.start(yesterday).end(${now}).granularity(DAILY)`,
    `.start(${now - 367 * DAY_SECONDS}).end(${now}).granularity(DAILY)`,
  ]) {
    assert.equal(await ask(wrong), 100, wrong)
  }
})

test('an account that is not subscribed sends no webhooks until the app subscribes', async (t) => {
  const fixture = await startFixture(t)
  const path = `/v25.0/${fixture.wabaId}/subscribed_apps`

  await fixture.control('PATCH', `/accounts/${fixture.wabaId}`, { subscribed: false })
  assert.deepEqual((await fixture.graph('GET', path)).body, { data: [] })
  await fixture.receive()
  assert.equal(fixture.receiver.posts.length, 0)
  assert.deepEqual((await fixture.graph('POST', path)).body, { success: true })
  const { body } = await fixture.graph('GET', path)
  const [{ whatsapp_business_api_data: app }] = body.data as unknown as [{ whatsapp_business_api_data: { id: string } }]
  assert.equal(app.id, fixture.simulator.appId)
  await fixture.receive()
  assert.equal(fixture.receiver.posts.length, 1)
})

test('an account with a callback of its own sends messages and calls there, and templates and quality to the app', async (t) => {
  const fixture = await startFixture(t)
  const [own, ofNumber] = [await startReceiver(VERIFY_TOKEN), await startReceiver(VERIFY_TOKEN)]
  t.after(() => Promise.all([own.close(), ofNumber.close()]))
  const path = `/v25.0/${fixture.wabaId}/subscribed_apps`
  const subscribe = (url: string, verify_token: string | undefined = VERIFY_TOKEN) =>
    fixture.graph('POST', path, { override_callback_uri: url, verify_token })
  const post = (field: string) =>
    fixture.control('POST', '/webhooks', {
      waba_id: fixture.wabaId,
      phone_number_id: fixture.phoneId,
      field,
      value: {},
    })
  const readOverride = async () => {
    const [listed] = (await fixture.graph('GET', path)).body.data as unknown as [{ override_callback_uri?: string }]
    return listed.override_callback_uri
  }
  const countPosts = () => [own, ofNumber, fixture.receiver].map(({ posts }) => posts.length)

  assert.deepEqual((await subscribe(own.url)).body, { success: true })
  assert.equal(await readOverride(), own.url)
  await fixture.receive()
  for (const field of ['calls', 'history', 'smb_message_echoes', 'smb_app_state_sync']) await post(field)
  assert.deepEqual(countPosts(), [5, 0, 0])
  for (const field of ['message_template_status_update', 'account_update', 'phone_number_quality_update', 'flows'])
    await post(field)
  assert.deepEqual(countPosts(), [5, 0, 4])

  const configuration = { override_callback_uri: ofNumber.url, verify_token: VERIFY_TOKEN }
  await fixture.graph('POST', `/${fixture.phoneId}`, { webhook_configuration: configuration })
  await fixture.receive()
  assert.deepEqual(countPosts(), [5, 1, 4])
  const { body } = await fixture.graph('GET', `/${fixture.phoneId}?fields=webhook_configuration`)
  assert.deepEqual(body.webhook_configuration, {
    phone_number: ofNumber.url,
    whatsapp_business_account: own.url,
    application: fixture.receiver.url,
  })
  await fixture.graph('POST', `/${fixture.phoneId}`, { webhook_configuration: { override_callback_uri: '' } })

  assert.equal((await subscribe(own.url, 'wrong')).body.error.code, 2200)
  assert.equal((await subscribe(own.url, '')).body.error.code, 100)
  assert.equal((await subscribe(`${own.url}${'a'.repeat(200)}`)).body.error.code, 100)
  await fixture.receive()
  assert.deepEqual(countPosts(), [6, 1, 4])
  await fixture.graph('POST', path)
  assert.equal(await readOverride(), undefined)
  await fixture.receive()
  assert.deepEqual(countPosts(), [6, 1, 5])
})

test('the app token sets the callback of the app after the challenge', async (t) => {
  const fixture = await startFixture(t)
  const own = await startReceiver(VERIFY_TOKEN)
  t.after(() => own.close())
  const path = (token: string, fields: string) =>
    `/${fixture.simulator.appId}/subscriptions?object=whatsapp_business_account&callback_url=${encodeURIComponent(own.url)}&verify_token=${token}&fields=${fields}`
  const asApp = { authorization: `Bearer ${fixture.appToken}` }

  assert.equal((await fixture.graph('POST', path(VERIFY_TOKEN, 'messages'))).body.error.code, 15)
  assert.equal((await fixture.graph('POST', path('wrong', 'messages'), undefined, asApp)).body.error.code, 2200)
  assert.equal((await fixture.graph('POST', path(VERIFY_TOKEN, 'messages'), undefined, asApp)).status, 200)
  for (const missing of ['object', 'callback_url', 'verify_token']) {
    const url = new URL(path(VERIFY_TOKEN, 'messages'), 'http://x')
    url.searchParams.delete(missing)
    const { body: refused } = await fixture.graph('POST', url.pathname + url.search, undefined, asApp)
    assert.match(refused.error.message, new RegExp(missing))
  }
  await fixture.receive()
  await fixture.control('POST', `/accounts/${fixture.wabaId}/events`, { event: 'restrict' })
  assert.deepEqual(
    own.changes().map(({ field }) => field),
    ['messages'],
  )
})

const EVENTS: [event: string, expected: string][] = [
  ['restrict', 'ACCOUNT_RESTRICTION'],
  ['violate', 'ACCOUNT_VIOLATION'],
  ['schedule_ban', 'DISABLED_UPDATE'],
  ['ban', 'DISABLED_UPDATE'],
  ['reinstate', 'DISABLED_UPDATE'],
  ['remove', 'PARTNER_REMOVED'],
  ['disconnect', 'PARTNER_REMOVED'],
  ['uninstall', 'PARTNER_APP_UNINSTALLED'],
  ['offboard', 'ACCOUNT_OFFBOARDED'],
  ['reconnect', 'ACCOUNT_RECONNECTED'],
  ['delete', 'ACCOUNT_DELETED'],
]

test('every account event sends its webhook, with the partner as the entry of partner-app events', async (t) => {
  for (const [event, expected] of EVENTS) {
    const fixture = await startFixture(t)
    await fixture.control('POST', `/accounts/${fixture.wabaId}/events`, { event })
    const entry = fixture.receiver.posts[0]?.body.entry[0]
    assert.equal(entry?.changes[0]?.value.event, expected)
    assert.equal(entry?.id === fixture.wabaId, event !== 'uninstall', event)
    assert.equal(typeof entry?.time, 'number')
  }
})

test('a removed partner cannot read the account, gets no webhooks, and debug_token does not list it', async (t) => {
  const fixture = await startFixture(t)

  await fixture.control('POST', `/accounts/${fixture.wabaId}/events`, { event: 'remove' })

  fixture.receiver.posts.length = 0
  await fixture.receive()
  assert.equal(fixture.receiver.posts.length, 0)
  assert.equal((await fixture.graph('GET', `/${fixture.wabaId}`)).body.error.error_subcode, 33)
  assert.equal((await fixture.send({ text: { body: 'oi' } })).body.error.error_subcode, 33)
  const { body } = await fixture.graph('GET', `/debug_token?input_token=${fixture.token}`)
  const { granular_scopes: scopes } = body.data as unknown as { granular_scopes: { target_ids: string[] }[] }
  assert.ok(scopes.every((scope) => scope.target_ids.length === 0))
})

test('a raised throughput is reported once, without the new level', async (t) => {
  const fixture = await startFixture(t)

  for (const throughput of ['HIGH', 'HIGH', 'STANDARD']) {
    await fixture.control('PATCH', `/numbers/${fixture.phoneId}`, { throughput })
  }

  const updates = listValues(fixture.receiver, 'phone_number_quality_update')
  assert.deepEqual(
    updates.map(({ event, throughput }) => [event, throughput]),
    [['THROUGHPUT_UPGRADE', undefined]],
  )
})

test('quality and name updates identify the number only by its digits', async (t) => {
  const fixture = await startFixture(t)

  await fixture.control('PATCH', `/numbers/${fixture.phoneId}`, { quality: 'RED', status: 'FLAGGED' })
  await fixture.control('PATCH', `/numbers/${fixture.phoneId}`, { verified_name: 'Padaria Nova', decision: 'APPROVED' })

  const [quality] = listValues(fixture.receiver, 'phone_number_quality_update')
  assert.equal(quality?.display_phone_number, '5511987654321')
  assert.equal(quality?.event, 'FLAGGED')
  assert.equal(quality?.phone_number_id, undefined)
  assert.equal(listValues(fixture.receiver, 'phone_number_name_update')[0]?.requested_verified_name, 'Padaria Nova')
  const { body } = await fixture.graph('GET', `/${fixture.phoneId}?fields=quality_rating,status,verified_name`)
  assert.deepEqual([body.quality_rating, body.status, body.verified_name], ['RED', 'FLAGGED', 'Padaria Nova'])
})
