import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listAuditEntries } from '../../../../test/hub-with-upstream.ts'
import { readData } from '../../inbound/test/fixture.ts'
import { startSecondHub } from '../../messages/test/fixture.ts'
import { parseRateCards } from '../rates/rate-card.ts'
import { startCosts } from '../test/fixture.ts'
import { listReached } from './thresholds.ts'

/** Ten messages cost 1.00. */
const rateCards = [
  { currency: 'BRL', valid_from: '2020-01-01', rates: [{ country: '*', category: 'marketing', amount: '0.1' }] },
]

type Fixture = Awaited<ReturnType<typeof startCosts>>
type Budgeted = Pick<Fixture['channel'], 'id' | 'owner'>

async function setBudget({ owner, id }: Budgeted, monthly_budget: number | null) {
  const answer = await owner.patch(`/api/v1/channels/${id}`, { monthly_budget })
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.body.data.channel.monthly_budget, monthly_budget)
}

async function priceMany({ price }: Fixture, count: number, status: Parameters<Fixture['price']>[0] = {}) {
  for (let sent = 0; sent < count; sent++) await price(status)
}

async function settle({ fold, hub }: Fixture): Promise<void> {
  await fold()
  await hub.context.budgets.check()
}

/** The percent and the amount of each announcement. */
async function listAnnounced(fixture: Fixture, of: Budgeted = fixture.channel): Promise<[number, number][]> {
  const data = readData(await fixture.events(of), 'cost.budget_reached')
  return data.map(({ percent, amount }) => [percent, amount])
}

test('80 and 100 percent of the monthly budget of a channel are announced once each', {
  rules: ['cost.budget-publishes-80-and-100-percent', 'cost.budget-publishes-each-once'],
}, async (t) => {
  const fixture = await startCosts(t, { rateCards })
  const { channel, hub } = fixture
  await setBudget(channel, 100)

  await priceMany(fixture, 7)
  await settle(fixture)
  const below = await listAnnounced(fixture)
  await priceMany(fixture, 1)
  await settle(fixture)
  const most = await listAnnounced(fixture)
  await priceMany(fixture, 3)
  await settle(fixture)
  await priceMany(fixture, 3)
  await settle(fixture)

  assert.deepEqual(
    [below, most, await listAnnounced(fixture)],
    [
      [],
      [[80, 80]],
      [
        [80, 80],
        [100, 110],
      ],
    ],
  )
  const [event] = (await fixture.events()).filter(({ kind }) => kind === 'cost.budget_reached')
  const { channel: shown } = (await channel.owner.get(`/api/v1/channels/${channel.id}`)).body.data
  assert.deepEqual(JSON.parse(`${event?.body}`).data, {
    channel: {
      id: channel.id,
      name: shown.name,
      external_id: null,
      status: 'active',
      phone_number_id: channel.number.phoneNumberId,
      waba_id: channel.number.wabaId,
      display_phone_number: shown.display_phone_number,
      verified_name: shown.verified_name,
      coexistence: false,
    },
    percent: 80,
    amount: 80,
    currency: 'BRL',
  })
  assert.equal((await hub.sql`select 1 from cost_checks`).length, 0)
})

test('both are announced if one step passes both, and a new month begins at nothing', {
  rules: ['cost.budget-publishes-80-and-100-percent', 'cost.budget-publishes-each-once'],
}, async (t) => {
  const fixture = await startCosts(t, { rateCards })
  await setBudget(fixture.channel, 100)

  await priceMany(fixture, 12)
  await settle(fixture)
  const first = await listAnnounced(fixture)
  await fixture.hub.clock.advanceToNext('month')
  const nextMonth = String(fixture.hub.clock.now().getTime() / 1000 + 3600).replace(/\..*/, '')
  await priceMany(fixture, 8, { more: { timestamp: nextMonth } })
  await settle(fixture)
  // A late status of the month before, which has announced everything.
  await priceMany(fixture, 1)
  await settle(fixture)

  assert.deepEqual(first, [
    [80, 120],
    [100, 120],
  ])
  assert.deepEqual(await listAnnounced(fixture), [...first, [80, 80]])
})

test('a budget that is set or lowered when the costs are there is announced, and one of null never is', {
  rules: ['cost.budget-publishes-80-and-100-percent'],
}, async (t) => {
  const fixture = await startCosts(t, { rateCards })
  const { channel, acme, hub, connectAnother } = fixture
  const other = await connectAnother({ owner: acme })
  await priceMany(fixture, 9)
  await priceMany(fixture, 9, { of: other })
  await settle(fixture)

  await setBudget(channel, 1000)
  await settle(fixture)
  const large = await listAnnounced(fixture)
  await setBudget(channel, 100)
  await hub.context.budgets.check()
  await setBudget(channel, null)
  await priceMany(fixture, 9)
  await settle(fixture)

  assert.deepEqual([large, await listAnnounced(fixture)], [[], [[80, 90]]])
  assert.deepEqual(await listAnnounced(fixture, other), [])
  const entries = (await listAuditEntries(acme, channel.id)).filter(({ action }) => action === 'channel.updated')
  const changes = entries.map(({ details }) => (details.changes as Record<string, unknown>).monthly_budget)
  assert.deepEqual(changes, [
    { from: null, to: 1000 },
    { from: 1000, to: 100 },
    { from: 100, to: null },
  ])
})

test('a budget is a whole number of minor units, or null', {
  rules: ['cost.budget-publishes-80-and-100-percent'],
}, async (t) => {
  const { channel, acme } = await startCosts(t)

  for (const monthly_budget of [0, -1, 1.5, '100', true, 1_000_000_000_001]) {
    const answer = await acme.patch(`/api/v1/channels/${channel.id}`, { monthly_budget })
    assert.deepEqual([answer.status, answer.body.error.code], [400, 'INVALID_REQUEST'], String(monthly_budget))
  }
  assert.equal((await acme.get(`/api/v1/channels/${channel.id}`)).body.data.channel.monthly_budget, null)
})

test('several processes that check at once announce each part once', {
  rules: ['cost.budget-publishes-each-once'],
}, async (t) => {
  const fixture = await startCosts(t, { rateCards })
  const { up, hub, acme, channel, connectAnother } = fixture
  const installation = { rateCards: parseRateCards(JSON.stringify(rateCards)) }
  const second = await startSecondHub(t, up, { installation, hasTimers: false })
  const channels = [channel, await connectAnother({ owner: acme }), await connectAnother()]
  for (const each of channels) {
    await setBudget(each, 100)
    await priceMany(fixture, 10, { of: each })
  }

  for (let round = 0; round < 3; round++) {
    await Promise.all([
      ...channels.map((of) => fixture.price({ of })),
      ...[hub, second, hub, second].map(async ({ context }) => {
        await context.costVolumes.fold()
        await context.budgets.check()
      }),
    ])
  }
  await settle(fixture)

  for (const each of channels) {
    assert.deepEqual((await listAnnounced(fixture, each)).map(([percent]) => percent).sort(), [100, 80])
  }
})

test('without a rate card no budget is announced, and no check stays behind', {
  rules: ['cost.budget-publishes-80-and-100-percent'],
}, async (t) => {
  const fixture = await startCosts(t)
  await setBudget(fixture.channel, 1)
  await priceMany(fixture, 2)

  await settle(fixture)

  assert.deepEqual(await listAnnounced(fixture), [])
  const left = await fixture.sql`select 1 from cost_checks where organization_id = ${fixture.acme.organizationId}`
  assert.equal(left.length, 0)
})

test('a part is reached exactly at its share of the budget', () => {
  const toAmount = (text: string) => BigInt(text) * 10n ** 10n

  assert.deepEqual(listReached(toAmount('79'), 100, 2), [])
  assert.deepEqual(listReached(toAmount('80') - 1n, 100, 2), [])
  assert.deepEqual(listReached(toAmount('80'), 100, 2), [80])
  assert.deepEqual(listReached(toAmount('100') - 1n, 100, 2), [80])
  assert.deepEqual(listReached(toAmount('100'), 100, 2), [80, 100])
})
