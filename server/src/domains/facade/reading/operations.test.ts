import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ORIGIN } from '../../../../test/hub.ts'
import { FILES } from '../../media/test/files.ts'
import {
  createTemplate,
  type FacadeFixture,
  newContact,
  postForm,
  startFacade,
  startRelayedFacade,
  toStatusAndCode,
} from '../test/fixture.ts'

/** The upstream's response to the channel's upstream token, without the hub. */
async function readDirectly({ up, channel }: FacadeFixture, path: string): Promise<string> {
  const headers = { authorization: `Bearer ${channel.number.accessToken}` }
  const answer = await fetch(`${up.simulator.url}/v25.0/${path}`, { headers })
  return answer.text()
}

test("the channel's number is returned byte for byte as the upstream returns it, with or without a version", {
  rules: ['facade.version-prefix-is-dropped', 'facade.adds-the-upstream-token', 'facade.reads-the-own-number'],
}, async (t) => {
  const fixture = await startFacade(t)
  const { client, channel, upstreamCalls } = fixture
  const { phoneNumberId } = channel.number
  const whole = await readDirectly(fixture, phoneNumberId)
  const some = await readDirectly(fixture, `${phoneNumberId}?fields=id,status,throughput`)
  const before = (await upstreamCalls()).length

  const answers = [
    await client.get(`/upstream/${phoneNumberId}`),
    await client.get(`/upstream/v19.0/${phoneNumberId}`),
    await client.get(`/upstream/${phoneNumberId}?fields=id,status,throughput`),
  ]

  assert.deepEqual(
    answers.map(({ status, text }) => [status, text]),
    [
      [200, whole],
      [200, whole],
      [200, some],
    ],
  )
  for (const { headers } of answers) assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
  for (const request of (await upstreamCalls()).slice(before)) {
    assert.equal(request.token_in, 'bearer')
    assert.equal((request as unknown as { version: string }).version, 'v25.0')
  }
})

test("the channel's account is read with its five plain fields, or with the requested ones", {
  rules: ['facade.reads-the-own-account', 'facade.account-fields-are-an-allowlist'],
}, async (t) => {
  const fixture = await startFacade(t)
  const { client, waba, upstreamCalls, channel } = fixture

  const five = await client.get(waba)
  const two = await client.get(`${waba}?fields=name,currency`)
  const empty = await client.get(`${waba}?fields=`)

  assert.deepEqual(Object.keys(five.body).sort(), ['account_review_status', 'currency', 'id', 'name', 'timezone_id'])
  assert.equal(five.body.id, channel.number.wabaId)
  assert.deepEqual(Object.keys(two.body).sort(), ['currency', 'id', 'name'])
  assert.equal(empty.text, five.text)
  assert.deepEqual(
    (await upstreamCalls()).map(({ params }) => params.fields),
    [
      'id,name,currency,timezone_id,account_review_status',
      'name,currency',
      'id,name,currency,timezone_id,account_review_status',
    ],
  )
})

test('the cost report is grouped by day, category and country, in each notation of its lists', {
  rules: ['facade.pricing-analytics-shows-costs'],
}, async (t) => {
  const fixture = await startFacade(t)
  const { client, phone, waba, up, upstreamCalls } = fixture
  const to = newContact()
  await up.simulator.control('POST', `/contacts/${to}/messages`, {
    to: fixture.channel.number.phoneNumberId,
    type: 'text',
  })
  await client.post(`${phone}/messages`, { to, type: 'text', text: { body: 'Olá' } })
  const clock = await up.simulator.control<{ now: string }>('POST', '/clock', { advance_seconds: 60 })
  const end = Math.floor(Date.parse(clock.now) / 1000) + 86_400
  const report = (lists: string) =>
    client.get(
      `${waba}?fields=${encodeURIComponent(`id,pricing_analytics.start(${end - 3 * 86_400}).end(${end}).granularity(DAILY)${lists}`)}`,
    )

  const answers = [
    await report('.dimensions(PRICING_CATEGORY,COUNTRY).metric_types(COST,VOLUME)'),
    await report('.dimensions([PRICING_CATEGORY,COUNTRY]).metric_types([COST,VOLUME])'),
    await report('.dimensions(["PRICING_CATEGORY","COUNTRY"]).metric_types(["COST","VOLUME"])'),
  ]

  const [point] = answers[0]?.body.pricing_analytics.data[0].data_points ?? []
  assert.equal(point.end - point.start, 86_400)
  assert.deepEqual([point.country, point.pricing_category, point.volume], ['BR', 'SERVICE', 1])
  assert.equal(typeof point.cost, 'number')
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
  const fields = (await upstreamCalls()).flatMap(({ params }) => (params.fields === undefined ? [] : [params.fields]))
  assert.equal(new Set(fields).size, 1)
})

test('a field or modifier outside the allowed ones is 400 INVALID_FIELD_MODIFIER without an upstream call', {
  rules: [
    'facade.dimensions-phone-is-400',
    'facade.field-modifiers-are-an-allowlist',
    'facade.account-fields-are-an-allowlist',
  ],
}, async (t) => {
  const { client, waba, upstreamCalls } = await startFacade(t)
  const report = 'pricing_analytics.start(1).end(2).granularity(DAILY)'

  for (const fields of [
    'owner_business_info',
    'phone_numbers{id}',
    'name.limit(1)',
    `${report}.phone_numbers(1)`,
    `${report}{data}`,
    `${report}.dimensions(PHONE)`,
    `${report}.dimensions(["COUNTRY","PHONE"])`,
    `${report}.tiers(x)`,
    'id,',
  ]) {
    const answer = await client.get(`${waba}?fields=${encodeURIComponent(fields)}`)
    assert.deepEqual(toStatusAndCode(answer), [400, 'INVALID_FIELD_MODIFIER'], fields)
  }
  assert.deepEqual(await upstreamCalls(), [])
})

test('fields of numbers, profiles and templates are plain names of known lists', {
  rules: ['facade.other-fields-are-plain-names'],
}, async (t) => {
  const { client, phone, waba, upstreamCalls } = await startFacade(t)
  const lists = [phone, `${phone}/whatsapp_business_profile`, `${waba}/message_templates`]

  for (const path of lists) {
    const unknown = await client.get(`${path}?fields=id,owner`)
    const braces = await client.get(`${path}?fields=id,name%7Bid%7D`)
    const modifier = await client.get(`${path}?fields=id.limit(1)`)
    assert.deepEqual(toStatusAndCode(unknown), [400, 'INVALID_REQUEST'])
    assert.equal(unknown.body.error.details.issues[0].path, '/fields')
    assert.deepEqual(
      [braces, modifier].map(toStatusAndCode),
      [braces, modifier].map(() => [400, 'INVALID_FIELD_MODIFIER']),
    )
  }
  assert.deepEqual(toStatusAndCode(await client.get(`${phone}?fields=certificate`)), [400, 'INVALID_REQUEST'])
  assert.deepEqual(await upstreamCalls(), [])
})

test('an unknown or repeated query parameter is 400 without an upstream call', async (t) => {
  const { client, phone, waba, upstreamCalls } = await startFacade(t)

  for (const path of [
    `${phone}?fields=id&fields=status`,
    `${phone}?limit=1`,
    `${phone}?method=delete`,
    `${phone}?ids=1,2`,
    `${phone}?fields=id&field%73=id`,
    `${waba}?metadata=1`,
    `${waba}/message_templates?limit=1&limit=2`,
    `${waba}/message_templates?appsecret_proof=x`,
    `${waba}/message_templates?summary=total_count`,
    `${phone}?=`,
  ]) {
    assert.deepEqual(toStatusAndCode(await client.get(path)), [400, 'INVALID_REQUEST'], path)
  }
  assert.deepEqual(await upstreamCalls(), [])
})

test('the profile is read by both of its edge names, with and without messaging_product', {
  rules: ['facade.changes-the-profile', 'facade.messaging-product-may-stand-anywhere', 'facade.reads-the-own-profile'],
}, async (t) => {
  const { client, phone, upstreamCalls } = await startFacade(t)

  const one = await client.get(`${phone}/whatsapp_business_profile?fields=about,vertical`)
  const query = 'fields=about,vertical&messaging_product=whatsapp'
  const other = await client.get(`${phone}/messaging_business_profile?${query}`)

  assert.equal(one.body.data[0].messaging_product, 'whatsapp')
  assert.equal(other.text, one.text)
  for (const { path } of await upstreamCalls()) assert.match(path, /\/whatsapp_business_profile$/)
})

test("the account's templates are read page by page, through links to the hub without a token", {
  rules: [
    'facade.paging-links-lead-to-the-hub',
    'config.public-url-is-the-base-of-links',
    'facade.reads-the-own-templates',
  ],
}, async (t) => {
  const fixture = await startFacade(t)
  const { client, channel, waba } = fixture
  const ids = []
  for (const name of ['one', 'two', 'three']) ids.unshift(await createTemplate(fixture, name))

  const first = await client.get(`${waba}/message_templates?limit=2&fields=id,name&status=PENDING,APPROVED`)
  const { next } = first.body.paging
  const second = await client.get(next.replace(ORIGIN, ''))
  const back = await client.get(second.body.paging.previous.replace(ORIGIN, ''))

  const address = `${ORIGIN}/upstream/${channel.number.wabaId}/message_templates?`
  assert.ok(next.startsWith(address), next)
  assert.deepEqual([...new URL(next).searchParams.keys()].sort(), ['after', 'fields', 'limit', 'status'])
  const seen = [...first.body.data, ...second.body.data].map(({ id }) => id)
  assert.deepEqual(seen, ids)
  assert.equal(second.body.paging.next, undefined)
  assert.deepEqual(back.body.data, first.body.data)
  for (const { text } of [first, second, back]) assert.doesNotMatch(text, /access_token|127\.0\.0\.1/)
})

test('the documented filters of the template list are forwarded', async (t) => {
  const fixture = await startFacade(t)
  const { client, waba, upstreamCalls } = fixture
  await createTemplate(fixture, 'one')
  await createTemplate(fixture, 'two')
  const before = (await upstreamCalls()).length
  const filters = {
    name: 'one',
    name_or_content: 'one',
    content: 'pronto',
    category: 'UTILITY',
    language: '["pt_BR"]',
    status: 'PENDING',
    source: 'MANUAL',
    since: '1',
    until: '9999999999',
    quality_score: 'UNKNOWN',
  }

  const { body } = await client.get(`${waba}/message_templates?name=one`)
  for (const [name, value] of Object.entries(filters)) {
    const answer = await client.get(`${waba}/message_templates?${name}=${encodeURIComponent(value)}`)
    assert.equal(answer.status, 200, name)
  }

  assert.deepEqual(
    body.data.map(({ name }: { name: string }) => name),
    ['one'],
  )
  const [, ...requests] = (await upstreamCalls()).slice(before)
  assert.deepEqual(
    requests.map(({ params }) => Object.keys(params)),
    Object.keys(filters).map((name) => [name]),
  )
})

test('a page of templates may be larger than other responses', async (t) => {
  const { relay, client, waba } = await startRelayedFacade(t)
  const template = { id: '1', name: 'x', components: [{ type: 'BODY', text: 'x'.repeat(1000) }] }
  const body = { data: Array.from({ length: 3000 }, () => template) }

  const catching = relay.catch('/message_templates')
  const reading = client.get(`${waba}/message_templates?limit=3000`)
  ;(await catching).answer(200, JSON.stringify(body))

  assert.equal((await reading).body.data.length, 3000)
})

test('integers beyond 2^53 keep their digits', async (t) => {
  const { relay, client, waba } = await startRelayedFacade(t)
  const text =
    '{"data":[{"id":"1","number":90071992547409931234,"price":1.10}],"paging":{"cursors":{"after":"x"},"next":"https://graph.facebook.com/?after=x"}}'

  const catching = relay.catch('/message_templates')
  const reading = client.get(`${waba}/message_templates`)
  ;(await catching).answer(200, text)

  assert.match((await reading).text, /"number":90071992547409931234,"price":1\.10\}/)
})

test('a media node is returned as from the upstream, except that its URL points to the hub', {
  rules: [
    'facade.media-url-leads-to-the-hub',
    'config.public-url-is-the-base-of-links',
    'media.belongs-to-its-channel',
  ],
}, async (t) => {
  const fixture = await startFacade(t)
  const { client, phone, channel } = fixture
  const { bytes, name } = FILES.pdf!
  const { id } = (await postForm(client, `${phone}/media`, [{ bytes, name }])).body
  const node = JSON.parse(await readDirectly(fixture, id))

  const answer = await client.get(`/upstream/v25.0/${id}`)
  const named = await client.get(`/upstream/${id}?phone_number_id=${channel.number.phoneNumberId}`)
  const foreign = await client.get(`/upstream/${id}?phone_number_id=123`)

  assert.deepEqual(answer.body, { ...node, url: `${ORIGIN}/upstream/${id}/content` })
  assert.equal(named.text, answer.text)
  assert.deepEqual(toStatusAndCode(foreign), [404, 'NOT_FOUND'])
})

test('a file that a contact sent to the channel belongs to the channel', {
  rules: ['media.belongs-to-its-channel'],
}, async (t) => {
  const { client, up, channel, hub } = await startFacade(t)
  await up.simulator.control('POST', `/contacts/${newContact()}/messages`, {
    to: channel.number.phoneNumberId,
    type: 'image',
  })
  const [row] = await hub.sql<{ media_id: string }[]>`
    select media_id from channel_media where channel_id = ${channel.id}`

  const node = await client.get(`/upstream/${row?.media_id}`)
  const content = await client.get(`/upstream/${row?.media_id}/content`)

  assert.equal(node.body.id, row?.media_id)
  assert.equal(content.status, 200)
})

test('a file that the upstream has deleted is 404, both its node and its bytes', {
  rules: ['facade.foreign-id-is-404'],
}, async (t) => {
  const { client, phone, up } = await startFacade(t)
  const { bytes, name } = FILES.pdf!
  const { id } = (await postForm(client, `${phone}/media`, [{ bytes, name }])).body
  await up.simulator.control('POST', '/clock', { advance_seconds: 31 * 86_400 })

  assert.deepEqual(toStatusAndCode(await client.get(`/upstream/${id}`)), [404, 'NOT_FOUND'])
  assert.deepEqual(toStatusAndCode(await client.get(`/upstream/${id}/content`)), [404, 'NOT_FOUND'])
})
