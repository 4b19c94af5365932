import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Bench, START, startBench, VERIFY_TOKEN, valuesOf } from '../test/harness.ts'
import { startReceiver } from '../test/receiver.ts'

const DAY_SECONDS = 86_400

test('an account has its default fields, or those asked for', async (t) => {
  const bench = await startBench(t)

  const whole = await bench.graph('GET', `/${bench.wabaId}`)
  const part = await bench.graph('GET', `/${bench.wabaId}?fields=currency,account_review_status`)

  assert.deepEqual(Object.keys(whole.body).sort(), ['id', 'message_template_namespace', 'name', 'timezone_id'])
  assert.deepEqual(part.body, { currency: 'BRL', account_review_status: 'APPROVED', id: bench.wabaId })
})

test('numbers are listed newest first, with the fields asked for', async (t) => {
  const bench = await startBench(t)
  const added = await bench.control<{ phone_number_id: string }>('POST', `/accounts/${bench.wabaId}/numbers`, {})

  const { body } = await bench.graph('GET', `/v25.0/${bench.wabaId}/phone_numbers?fields=status`)

  assert.deepEqual(body.data, [
    { status: 'PENDING', id: added.phone_number_id },
    { status: 'CONNECTED', id: bench.phoneId },
  ])
})

async function sendMixture(bench: Bench): Promise<void> {
  await bench.receive()
  await bench.receive({}, '16505550001')
  for (const to of ['5511999990000', '5511999990000', '16505550001', '55119131026']) {
    await bench.send({ to, type: 'text', text: { body: 'oi' } })
  }
  await bench.graph('POST', `/${bench.wabaId}/message_templates`, {
    name: 'promo',
    language: 'pt_BR',
    category: 'MARKETING',
    components: [{ type: 'BODY', text: 'Pão em dobro' }],
  })
  await bench.advance(10_000)
  await bench.send({ to: '5511999990002', type: 'template', template: { name: 'promo', language: { code: 'pt_BR' } } })
  await bench.advance(10_000)
}

test('the cost report counts what was delivered, by day and by the dimensions asked for', async (t) => {
  const bench = await startBench(t)
  await sendMixture(bench)
  const start = START.getTime() / 1_000 - DAY_SECONDS
  const range = `start(${start}).end(${start + 2 * DAY_SECONDS}).granularity(DAILY)`
  const report = async (modifiers: string) => {
    const fields = `id,name,pricing_analytics.${range}${modifiers}`
    const { status, body } = await bench.graph('GET', `/${bench.wabaId}?fields=${fields}`)
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
  const bench = await startBench(t)
  const now = START.getTime() / 1_000
  const ask = async (modifiers: string) =>
    (await bench.graph('GET', `/${bench.wabaId}?fields=pricing_analytics${modifiers}`)).body.error?.code
  const missing = await bench.graph('GET', `/${bench.wabaId}?fields=pricing_analytics.end(${now}).granularity(DAILY)`)
  assert.match(missing.body.error.message, /The parameter start is required/)

  assert.equal(await ask(`.start(${now - 60}).end(${now}).granularity(DAILY)`), undefined)
  for (const wrong of [
    '',
    `.start(${now - 60}).end(${now})`,
    `.end(${now}).granularity(DAILY)`,
    `.start(${now}).end(${now - 60}).granularity(DAILY)`,
    `.start(${now - 60}).end(${now}).granularity(WEEKLY)`,
    `.start(${now - 60}).end(${now}).granularity(DAILY).dimensions(COLOUR)`,
    `.start(${now - 60}).end(${now}).granularity(DAILY).metric_types(LOVE)`,
    `.start(${now - 60}).end(${now}).granularity(DAILY).mood(good)`,
    `.start(yesterday).end(${now}).granularity(DAILY)`,
    `.start(${now - 367 * DAY_SECONDS}).end(${now}).granularity(DAILY)`,
  ]) {
    assert.equal(await ask(wrong), 100, wrong)
  }
})

test('an account that is not subscribed sends no webhooks until the app subscribes', async (t) => {
  const bench = await startBench(t)
  const path = `/v25.0/${bench.wabaId}/subscribed_apps`

  await bench.control('PATCH', `/accounts/${bench.wabaId}`, { subscribed: false })
  assert.deepEqual((await bench.graph('GET', path)).body, { data: [] })
  await bench.receive()
  assert.equal(bench.receiver.posts.length, 0)
  assert.deepEqual((await bench.graph('POST', path)).body, { success: true })
  const { body } = await bench.graph('GET', path)
  const [{ whatsapp_business_api_data: app }] = body.data as unknown as [{ whatsapp_business_api_data: { id: string } }]
  assert.equal(app.id, bench.simulator.appId)
  await bench.receive()
  assert.equal(bench.receiver.posts.length, 1)
})

test('the app sets its own callback with its own token, after the challenge', async (t) => {
  const bench = await startBench(t)
  const own = await startReceiver(VERIFY_TOKEN)
  t.after(() => own.close())
  const path = (token: string, fields: string) =>
    `/${bench.simulator.appId}/subscriptions?object=whatsapp_business_account&callback_url=${encodeURIComponent(own.url)}&verify_token=${token}&fields=${fields}`
  const asApp = { authorization: `Bearer ${bench.appToken}` }

  assert.equal((await bench.graph('POST', path(VERIFY_TOKEN, 'messages'))).body.error.code, 15)
  assert.equal((await bench.graph('POST', path('wrong', 'messages'), undefined, asApp)).body.error.code, 2200)
  assert.equal((await bench.graph('POST', path(VERIFY_TOKEN, 'messages'), undefined, asApp)).status, 200)
  for (const missing of ['object', 'callback_url', 'verify_token']) {
    const url = new URL(path(VERIFY_TOKEN, 'messages'), 'http://x')
    url.searchParams.delete(missing)
    const { body: refused } = await bench.graph('POST', url.pathname + url.search, undefined, asApp)
    assert.match(refused.error.message, new RegExp(missing))
  }
  await bench.receive()
  await bench.control('POST', `/accounts/${bench.wabaId}/events`, { event: 'restrict' })
  assert.deepEqual(
    own.changes().map(({ field }) => field),
    ['messages'],
  )
})

const EVENTS: [event: string, told: string][] = [
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

test('whatever befalls an account is told, with the partner as the entry of partner-app events', async (t) => {
  for (const [event, told] of EVENTS) {
    const bench = await startBench(t)
    await bench.control('POST', `/accounts/${bench.wabaId}/events`, { event })
    const entry = bench.receiver.posts[0]?.body.entry[0]
    assert.equal(entry?.changes[0]?.value.event, told)
    assert.equal(entry?.id === bench.wabaId, event !== 'uninstall', event)
    assert.equal(typeof entry?.time, 'number')
  }
})

test('a partner that was removed no longer sees the account nor hears of it, nor does debug_token list it', async (t) => {
  const bench = await startBench(t)

  await bench.control('POST', `/accounts/${bench.wabaId}/events`, { event: 'remove' })

  bench.receiver.posts.length = 0
  await bench.receive()
  assert.equal(bench.receiver.posts.length, 0)
  assert.equal((await bench.graph('GET', `/${bench.wabaId}`)).body.error.error_subcode, 33)
  assert.equal((await bench.send({ text: { body: 'oi' } })).body.error.error_subcode, 33)
  const { body } = await bench.graph('GET', `/debug_token?input_token=${bench.token}`)
  const { granular_scopes: scopes } = body.data as unknown as { granular_scopes: { target_ids: string[] }[] }
  assert.ok(scopes.every((scope) => scope.target_ids.length === 0))
})

test('quality and name changes name the number by its digits only', async (t) => {
  const bench = await startBench(t)

  await bench.control('PATCH', `/numbers/${bench.phoneId}`, { quality: 'RED', status: 'FLAGGED' })
  await bench.control('PATCH', `/numbers/${bench.phoneId}`, { verified_name: 'Padaria Nova', decision: 'APPROVED' })

  const [quality] = valuesOf(bench.receiver, 'phone_number_quality_update')
  assert.equal(quality?.display_phone_number, '5511987654321')
  assert.equal(quality?.event, 'FLAGGED')
  assert.equal(quality?.phone_number_id, undefined)
  assert.equal(valuesOf(bench.receiver, 'phone_number_name_update')[0]?.requested_verified_name, 'Padaria Nova')
  const { body } = await bench.graph('GET', `/${bench.phoneId}?fields=quality_rating,status,verified_name`)
  assert.deepEqual([body.quality_rating, body.status, body.verified_name], ['RED', 'FLAGGED', 'Padaria Nova'])
})
