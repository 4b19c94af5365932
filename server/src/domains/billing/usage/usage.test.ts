import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Client } from '../../../../test/client.ts'
import { bearer } from '../../../../test/hub.ts'
import { startReceiver } from '../../../../test/receiver.ts'
import { newContact, text } from '../../messages/test/fixture.ts'
import { SUBSCRIPTION_STATUSES } from '../plans/entitlement.ts'
import { type Fixture, startBilling } from '../test/fixture.ts'
import { computeUsagePeriod } from './period.ts'

type Channel = Awaited<ReturnType<Fixture['connect']>>

async function readUsage(owner: Client) {
  return (await owner.get('/api/v1/usage')).body.data.usage
}

async function readCounters(owner: Client) {
  const { messages_sent, messages_received, deliveries } = await readUsage(owner)
  return { messages_sent, messages_received, deliveries }
}

function send(owner: Client, { id }: { id: string }, key = randomUUID(), to = newContact()) {
  return owner.post(`/api/v1/channels/${id}/messages`, text('Olá', to), { headers: { 'idempotency-key': key } })
}

async function receive(fixture: Fixture, channel: Channel): Promise<void> {
  const to = channel.number.phoneNumberId
  await fixture.control('POST', `/contacts/${newContact()}/messages`, { to, type: 'text', text: { body: 'Oi' } })
  await fixture.control('POST', '/clock', { advance_seconds: 5 })
}

/** Runs the job after the deltas are old enough to be folded. */
async function fold(fixture: Fixture): Promise<void> {
  await fixture.hub.clock.advance('11 minutes')
  await fixture.hub.context.usage.fold()
}

async function countDeltas(fixture: Fixture, { organizationId }: { organizationId: string }): Promise<number> {
  return (await fixture.hub.sql`select 1 from usage_deltas where organization_id = ${organizationId}`).length
}

const NONE = { messages_sent: 0, messages_received: 0, deliveries: 0 }

test('usage of a new organization has the period, the current channels and endpoints, and counters of 0', {
  rules: ['billing.usage-counts-a-period', 'billing.subscription-is-managed-by-a-provider'],
}, async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.hub.organization()
  await fixture.createChannels(acme, 1)

  const usage = await readUsage(acme)
  const { usage: beside } = (await acme.get('/api/v1/subscription')).body.data

  const now = fixture.hub.clock.now()
  assert.deepEqual(usage, {
    period_start: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth())).toISOString(),
    period_end: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)).toISOString(),
    channels: 1,
    webhook_endpoints: 0,
    ...NONE,
  })
  assert.deepEqual(beside, usage)
})

test('a send counts when the upstream accepts it, and not when it is refused, repeated or unknown', async (t) => {
  const fixture = await startBilling(t, { isCalledBack: true, env: { BILLING: 'off', UPSTREAM_TIMEOUT_MS: '2000' } })
  const acme = await fixture.hub.organization()
  const channel = await fixture.connect(acme)
  const [key, to] = [randomUUID(), newContact()]

  await send(acme, channel, key, to)
  await send(acme, channel, key, to)
  await fixture.fault('error', '/messages', { code: 131_009, status: 400 })
  const refused = await send(acme, channel)
  await fixture.fault('reset_after', '/messages')
  const unknown = await send(acme, channel)
  const before = await readCounters(acme)
  // A status callback shows that the upstream accepted the unknown one.
  await fixture.control('POST', '/clock', { advance_seconds: 60 })

  assert.deepEqual([refused.status, unknown.status], [400, 409])
  assert.deepEqual(before, { ...NONE, messages_sent: 1 })
  assert.deepEqual(await readCounters(acme), { ...NONE, messages_sent: 2 })
})

test('concurrent sends through the API and the facade are all counted', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.hub.organization()
  const { token, number, ...channel } = await fixture.connect(acme)
  const facade = fixture.hub.anonymous.with(bearer(token))
  const path = `/upstream/${number.phoneNumberId}/messages`

  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      i % 2 ? send(acme, channel) : facade.post(path, { messaging_product: 'whatsapp', ...text('Olá', newContact()) }),
    ),
  )

  assert.ok(answers.every(({ status }) => status < 300))
  assert.deepEqual(await readCounters(acme), { ...NONE, messages_sent: 20 })
})

test('an inbound message and a successful delivery each count once, for their organization only', async (t) => {
  const receiver = await startReceiver(t)
  const env = { WEBHOOK_ALLOWED_DESTINATIONS: receiver.destination, BILLING: 'off' }
  const fixture = await startBilling(t, { isCalledBack: true, env })
  const [acme, other] = [await fixture.hub.organization(), await fixture.hub.organization()]
  const channel = await fixture.connect(acme)
  const kinds = { event_types: ['message.received'] }
  for (const path of ['/one', '/two'])
    await acme.post('/api/v1/webhooks', { name: 'a', url: receiver.url + path, ...kinds })
  receiver.answer(({ path }) => (path === '/two' ? 500 : 200))

  await receive(fixture, channel)
  await receive(fixture, channel)
  await fixture.hub.deliver()

  assert.deepEqual(await readCounters(acme), { messages_sent: 0, messages_received: 2, deliveries: 2 })
  assert.deepEqual(await readCounters(other), NONE)
})

test('folding deltas leaves the counters unchanged and deletes the folded rows', async (t) => {
  const fixture = await startBilling(t)
  await fixture.hub.clock.advanceToNext('month')
  const acme = await fixture.hub.organization()
  const channel = await fixture.connect(acme)
  for (let sent = 0; sent < 5; sent++) await send(acme, channel)

  const before = await readCounters(acme)
  await fixture.hub.context.usage.fold()
  const waiting = await countDeltas(fixture, acme)
  await fold(fixture)
  const after = await readCounters(acme)
  await send(acme, channel)

  assert.deepEqual([before.messages_sent, after.messages_sent], [5, 5])
  assert.deepEqual([waiting, (await countDeltas(fixture, acme)) - 1], [5, 0])
  assert.equal((await readCounters(acme)).messages_sent, 6)
})

test('concurrent folds count every delta once', async (t) => {
  const fixture = await startBilling(t)
  await fixture.hub.clock.advanceToNext('month')
  const acme = await fixture.hub.organization()
  await fixture.hub.sql`
    insert into usage_deltas (organization_id, counter, amount)
    select ${acme.organizationId}, 'deliveries', 1 from generate_series(1, 5000)`
  await fixture.hub.clock.advance('11 minutes')

  const seen = await Promise.all([
    ...Array.from({ length: 4 }, () => fixture.hub.context.usage.fold().then(() => 5000)),
    ...Array.from({ length: 6 }, async () => (await readCounters(acme)).deliveries),
  ])

  assert.deepEqual([...new Set(seen)], [5000])
  assert.equal((await readCounters(acme)).deliveries, 5000)
  assert.equal(await countDeltas(fixture, acme), 0)
})

test('usage of a paid plan starts with its period, to the second, before and after folding', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.hub.organization()
  const channel = await fixture.connect(acme)
  await send(acme, channel)
  await send(acme, channel)
  await fixture.hub.clock.advance('2 minutes')
  await fixture.control('POST', '/payments/clock', { advance_seconds: 120 })

  await fixture.buyPlan(acme, 'starter')
  const usage = await readUsage(acme)
  await send(acme, channel)
  const raw = (await readUsage(acme)).messages_sent
  await fold(fixture)

  const { subscription } = (await acme.get('/api/v1/subscription')).body.data
  assert.equal(usage.period_end, subscription.current_period_end)
  assert.ok(Date.parse(usage.period_end) - Date.parse(usage.period_start) > 27 * 86_400_000)
  assert.deepEqual([usage.messages_sent, raw, (await readUsage(acme)).messages_sent], [0, 1, 1])
  assert.equal(await countDeltas(fixture, acme), 0)
})

test('a renewal resets the counters', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  const channel = await fixture.connect(acme)
  await send(acme, channel)
  const before = await readUsage(acme)

  await fixture.advanceDays(32)
  const after = await readUsage(acme)

  assert.deepEqual([before.messages_sent, after.messages_sent], [1, 0])
  assert.equal(after.period_start, before.period_end)
})

const NOW = new Date('2026-12-31T23:59:59.999Z')
const OWN = { period_start: '2026-12-10T08:30:00.000Z', current_period_end: '2027-01-10T08:30:00.000Z' }
const MONTH = { start: '2026-12-01T00:00:00.000Z', end: '2027-01-01T00:00:00.000Z' }

test('usage without a subscription follows the calendar month in UTC', () => {
  assert.deepEqual(computeUsagePeriod(undefined, NOW), MONTH)
})

for (const status of SUBSCRIPTION_STATUSES) {
  const isPaid = ['active', 'past_due', 'suspended'].includes(status)
  test(`usage with the status ${status} follows ${isPaid ? 'the period of the subscription' : 'the calendar month'}`, () => {
    const own = { start: OWN.period_start, end: OWN.current_period_end }

    assert.deepEqual(computeUsagePeriod({ status, ...OWN }, NOW), isPaid ? own : MONTH)
  })
}
