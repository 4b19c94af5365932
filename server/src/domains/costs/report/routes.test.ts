import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { bearer } from '../../../../test/hub.ts'
import { buildMessagesEntry } from '../../inbound/test/fixture.ts'
import { buildStatus, buildText } from '../../inbound/test/samples.ts'
import { parseRateCards } from '../rates/rate-card.ts'
import { PRICING, startCosts } from '../test/fixture.ts'
import { createCostReports } from './service.ts'

test('a message counts once, at its first status with a price, by channel, category, country and day', {
  rules: ['cost.message-counts-once', 'cost.report-groups-messages'],
}, async (t) => {
  const { price, count, read, acme, channel, connectAnother, toDate, fold, month } = await startCosts(t)
  const second = await connectAnother({ owner: acme })
  await price()
  await price({ day: 4, pricing: { category: 'utility' } })
  await price({ day: 4, to: '351912345678', of: second })
  await price({ day: 5, to: '351912345678', pricing: { type: 'free_customer_service', category: 'service' } })

  for (const settle of [async () => undefined, fold]) {
    await settle()
    assert.deepEqual(await count('channel'), { [channel.id]: 3, [second.id]: 1 })
    assert.deepEqual(await count('category'), { marketing: 2, utility: 1, service: 1 })
    assert.deepEqual(await count('country'), { BR: 2, PT: 2 })
    assert.deepEqual(await count('day'), { [toDate(3)]: 1, [toDate(4)]: 2, [toDate(5)]: 1 })
    assert.deepEqual(await count('day', `channel_id=${second.id}`), { [toDate(4)]: 1 })
    assert.deepEqual(await count('channel', `channel_id=${second.id}`), { [second.id]: 1 })
    const { groups, ...report } = await read('group_by=channel')
    assert.deepEqual(report, {
      since: `${month}-01`,
      until: toDate(19),
      group_by: 'channel',
      currency: null,
      rate_card_from: null,
      total: { messages: 4, charged: 3, without_rate: 3, cost: null },
    })
    assert.deepEqual(groups[1], {
      key: second.id,
      name: 'Padaria',
      messages: 1,
      charged: 1,
      without_rate: 1,
      cost: null,
      categories: [{ category: 'marketing', messages: 1, charged: 1, without_rate: 1, cost: null }],
    })
  }
})

test('repeated and later statuses add nothing, also when they arrive together', {
  rules: ['cost.message-counts-once'],
}, async (t) => {
  const { send, deliver, channel, read, buildPriced } = await startCosts(t)
  const { wamid } = await send()
  const statuses = ['sent', 'delivered', 'read', 'sent'].map((status) => buildPriced({ wamid, more: { status } }))

  await deliver(buildMessagesEntry(channel, { statuses: [buildStatus(wamid, 'failed')] }))
  await deliver(buildMessagesEntry(channel, { statuses }))
  for (const status of statuses) await deliver(buildMessagesEntry(channel, { statuses: [status] }))

  assert.equal((await read()).total.messages, 1)
})

test('concurrent callbacks with statuses of one message count it once', {
  rules: ['cost.message-counts-once'],
}, async (t) => {
  const { send, deliver, channel, read, buildPriced, fold } = await startCosts(t)
  const wamids = [(await send()).wamid, `wamid.${randomUUID()}`]
  const callbacks = wamids.flatMap((wamid) =>
    ['sent', 'delivered', 'read', 'played'].flatMap((status, index) =>
      // Another time makes it another change, which is not recognized as a repeat.
      [3, 4].map((day) => buildPriced({ wamid, day: day + index, more: { status } })),
    ),
  )

  await Promise.all([
    ...callbacks.map((status) => deliver(buildMessagesEntry(channel, { statuses: [status] }))),
    ...callbacks.map(() => fold()),
  ])

  assert.equal((await read()).total.messages, 2)
})

test('messages without a price, inbound ones and echoes are not counted', {
  rules: ['cost.message-counts-once'],
}, async (t) => {
  const { send, deliver, deliverMessages, channel, read } = await startCosts(t)
  const { wamid } = await send()

  await deliver(buildMessagesEntry(channel, { statuses: [buildStatus(wamid, 'sent')] }))
  await deliver(buildMessagesEntry(channel, { statuses: [buildStatus(wamid, 'delivered', { pricing: 'PMP' })] }))
  await deliverMessages({ messages: [buildText('wamid.in')] })

  assert.equal((await read()).total.messages, 0)
})

test('a price in the older form, and one of a form to come, is counted as far as it is understood', {
  rules: ['cost.report-groups-messages'],
}, async (t) => {
  const { deliver, channel, read, count, buildPriced } = await startCosts(t)
  const statuses = [
    { billable: true, pricing_model: 'CBP', category: 'marketing' },
    { billable: false, pricing_model: 'CBP', category: 'marketing' },
    { type: 'regular', category: 'a_new_one' },
    { type: 1, category: { of: 'another form' } },
    {},
  ].map((pricing) => ({ ...buildPriced(), pricing }))

  await deliver(buildMessagesEntry(channel, { statuses }))

  assert.deepEqual(await count('category'), { marketing: 2, unknown: 2, a_new_one: 1 })
  assert.equal((await read()).total.charged, 4)
})

test('the country is that of the number, of the member of a group, else of the user id', {
  rules: ['cost.country-comes-from-the-calling-code'],
}, async (t) => {
  const { deliver, channel, count, buildPriced } = await startCosts(t)
  const hidden = { recipient_id: undefined, recipient_user_id: 'MX.1a2b3c' }
  const ofGroup = {
    recipient_type: 'group',
    recipient_id: '3512345678-1600',
    recipient_participant_id: '4915112345678',
  }
  const statuses = [
    buildPriced({ to: '12425550123' }),
    buildPriced({ more: hidden }),
    buildPriced({ more: ofGroup }),
    buildPriced({ more: { recipient_id: undefined } }),
  ]

  await deliver(buildMessagesEntry(channel, { statuses }))

  assert.deepEqual(await count('country'), { BS: 1, MX: 1, DE: 1, unknown: 1 })
})

test('volumes are of their organization alone', { rules: ['cost.report-is-the-organizations'] }, async (t) => {
  const { price, read, hub, channel, fold } = await startCosts(t)
  const other = await hub.organization()
  await price()

  for (const settle of [async () => undefined, fold]) {
    await settle()
    for (const groupBy of ['channel', 'category', 'country', 'day']) {
      const report = await read(`group_by=${groupBy}`, other)
      assert.deepEqual([report.groups, report.total.messages], [[], 0])
    }
    const foreign = await other.get(`/api/v1/usage/costs?channel_id=${channel.id}`)
    assert.deepEqual([foreign.status, foreign.body.error.code], [404, 'NOT_FOUND'])
  }
})

test('since is included, until is not, and a time means its whole day', {
  rules: ['cost.period-is-at-most-400-days'],
}, async (t) => {
  const { price, count, read, toDate, month } = await startCosts(t)
  for (const day of [3, 4, 5]) await price({ day })
  const [third, fourth, fifth] = [3, 4, 5].map(toDate) as [string, string, string]

  assert.deepEqual(await count('day', `since=${fourth}`), { [fourth]: 1, [fifth]: 1 })
  assert.deepEqual(await count('day', `since=${third}&until=${fifth}`), { [third]: 1, [fourth]: 1 })
  const times = `since=${third}T23:59:00Z&until=${fourth}T00:00:00.001Z`
  assert.deepEqual(await count('day', times), { [third]: 1, [fourth]: 1 })
  const offset = encodeURIComponent(`${fourth}T02:00:00+03:00`)
  assert.deepEqual(await count('day', `since=${offset}&until=${fourth}`), { [third]: 1 })
  const { since, until } = await read(`until=${month}-01`)
  assert.deepEqual([since.slice(8), until], ['01', `${month}-01`])
  assert.ok(since < until)
})

test('a period that is none is refused with a sentence', { rules: ['cost.period-is-at-most-400-days'] }, async (t) => {
  const { acme } = await startCosts(t)

  for (const [query, message] of [
    ['since=2026-02-30', /^`since` must be a day such as/],
    ['since=yesterday', /^`since` must be a day such as/],
    ['until=2026-11', /^`until` must be a day such as/],
    ['until=9999-01-01', /^`until` must be a day such as/],
    ['since=2026-11-02&until=2026-11-02', /must be before/],
    ['since=2026-11-03&until=2026-11-02', /must be before/],
    ['since=2024-01-01&until=2026-01-01', /at most 400 days/],
    ['group_by=template', /./],
    ['format=xml', /./],
    ['channel_id=1', /./],
    ['channel=1', /./],
  ] as const) {
    const answer = await acme.get(`/api/v1/usage/costs?${query}`)
    assert.deepEqual([answer.status, answer.body.error.code], [400, 'INVALID_REQUEST'], query)
    assert.match(answer.body.error.message, message, query)
  }
})

test('a report is CSV on request, by the header or by the parameter', {
  rules: ['cost.csv-is-safe-for-spreadsheets'],
}, async (t) => {
  const { price, acme, channel, month } = await startCosts(t)
  await acme.patch(`/api/v1/channels/${channel.id}`, { name: '=Padaria, "São João"' })
  await price()
  const accept = { headers: { accept: 'text/csv' } }

  const byHeader = await acme.get('/api/v1/usage/costs?group_by=channel', accept)
  const byParameter = await acme.get('/api/v1/usage/costs?group_by=channel&format=csv')
  const json = await acme.get('/api/v1/usage/costs?group_by=day&format=json', accept)

  const name = `"'=Padaria, ""São João"""`
  for (const { status, headers, text } of [byHeader, byParameter]) {
    assert.equal(status, 200, text)
    assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8')
    assert.equal(headers.get('content-disposition'), `attachment; filename=costs-${month}-01.csv`)
    assert.equal(
      text,
      `channel_id,channel_name,messages,charged,without_rate,cost,currency\r\n${channel.id},${name},1,1,1,,\r\n`,
    )
  }
  assert.equal(json.body.data.costs.total.messages, 1)
})

test('costs need billing:read', { rules: ['cost.report-is-the-organizations'] }, async (t) => {
  const { acme, hub } = await startCosts(t)
  const keys = await Promise.all(
    ['billing:read', 'messages:read'].map(async (scope) => {
      const { body } = await acme.post('/api/v1/api-keys', { name: scope, scopes: [scope] })
      return hub.anonymous.with(bearer(body.data.secret)).get('/api/v1/usage/costs')
    }),
  )

  assert.deepEqual(
    keys.map(({ status }) => status),
    [200, 403],
  )
})

test('volumes older than 400 days are deleted, and the rest is kept', {
  rules: ['cost.volumes-are-kept-400-days'],
}, async (t) => {
  const { price, sql, fold, hub, toDate, acme } = await startCosts(t)
  const old = buildOld(toDate(18))
  await price()
  await price({ more: { timestamp: String(Date.parse(old) / 1000) } })
  await fold()

  await hub.context.costVolumes.deleteOld()

  const days = await sql`select distinct day::text from cost_totals where organization_id = ${acme.organizationId}`
  assert.deepEqual(
    days.map(({ day }) => day),
    [toDate(3)],
  )
})

function buildOld(today: string): string {
  return new Date(Date.parse(today) - 401 * 86_400_000).toISOString()
}

test('concurrent folds count every message once, in every report', {
  rules: ['cost.report-groups-messages'],
}, async (t) => {
  const { acme, channel, sql, toDate, read, fold } = await startCosts(t)
  await sql`
    insert into cost_deltas (organization_id, channel_id, day, category, type, country, volume)
    select ${acme.organizationId}, ${channel.id}, ${toDate(3)}, ${PRICING.category}, ${PRICING.type}, 'BR', 1
    from generate_series(1, 5000)`

  const seen = await Promise.all([
    ...Array.from({ length: 4 }, () => fold().then(() => 5000)),
    ...['channel', 'day', 'country', 'category'].map(async (by) => (await read(`group_by=${by}`)).total.messages),
  ])

  assert.deepEqual([...new Set(seen)], [5000])
  assert.equal((await sql`select 1 from cost_deltas`).length, 0)
  for (const by of ['channel', 'day']) assert.equal((await read(`group_by=${by}`)).total.messages, 5000)
})

const RATES = [
  { country: 'BR', category: 'marketing', amount: 0.0625 },
  { country: '*', category: 'marketing', amount: '0.1' },
  { country: '*', category: 'utility', amount: '0.0068' },
]

test('with a rate card each group and the total have their estimate, exactly', {
  rules: ['cost.rate-card-gives-exact-sums'],
}, async (t) => {
  const rateCards = [{ currency: 'BRL', valid_from: '2020-01-01', rates: RATES }]
  const { price, read, acme, fold } = await startCosts(t, { rateCards })
  for (const to of ['5511987654321', '5511987654322', '351912345678']) await price({ to })
  await price({ pricing: { category: 'utility' }, day: 4 })
  await price({ pricing: { category: 'authentication' }, day: 4 })
  await price({ pricing: { type: 'free_entry_point' }, day: 5 })

  for (const settle of [async () => undefined, fold]) {
    await settle()
    const { groups, total, currency, rate_card_from } = await read('group_by=country')
    assert.deepEqual([currency, rate_card_from], ['BRL', '2020-01-01'])
    assert.deepEqual(
      groups[0].categories.map(({ category, cost }: { category: string; cost: string }) => [category, cost]),
      [
        ['marketing', '0.125'],
        ['authentication', '0.00'],
        ['utility', '0.0068'],
      ],
    )
    assert.deepEqual(total, { messages: 6, charged: 5, without_rate: 1, cost: '0.2318' })
    assert.deepEqual(
      groups.map(({ key, cost }: { key: string; cost: string }) => [key, cost]),
      [
        ['BR', '0.1318'],
        ['PT', '0.10'],
      ],
    )
    const days = await read('group_by=day')
    assert.deepEqual(
      days.groups.map(({ cost, without_rate }: { cost: string; without_rate: number }) => [cost, without_rate]),
      [
        ['0.225', 0],
        ['0.0068', 1],
        ['0.00', 0],
      ],
    )
  }
  const { text } = await acme.get('/api/v1/usage/costs?group_by=category&format=csv')
  assert.match(text, /^category,messages,charged,without_rate,cost,currency\r\nmarketing,4,3,0,0\.225,BRL\r\n/)
})

test('a rate card is valid from its day until the next one', {
  rules: ['cost.rate-is-by-country-and-category'],
}, async (t) => {
  const { price, sql, hub, acme, toDate } = await startCosts(t)
  for (const day of [3, 4, 5, 6]) await price({ day })
  const cards = [
    { currency: 'BRL', valid_from: toDate(4), rates: [{ country: '*', category: 'marketing', amount: 1 }] },
    { currency: 'BRL', valid_from: toDate(6), rates: [{ country: '*', category: 'marketing', amount: 100 }] },
  ]
  const rateCards = parseRateCards(JSON.stringify(cards))
  const reports = createCostReports({ sql, now: hub.clock.now, rateCards })

  const { groups } = await reports.read(acme.organizationId, { group_by: 'day' })
  const { total } = await reports.read(acme.organizationId, { group_by: 'channel' })

  assert.deepEqual(
    groups.map(({ cost }) => cost),
    ['0.00', '1.00', '1.00', '100.00'],
  )
  assert.deepEqual(total, { messages: 4, charged: 4, without_rate: 1, cost: '102.00' })
})
