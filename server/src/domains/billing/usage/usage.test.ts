import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Client } from '../../../../test/client.ts'
import { bearer } from '../../../../test/hub.ts'
import { startReceiver } from '../../../../test/receiver.ts'
import { newContact, text } from '../../messages/test/fixture.ts'
import { type Fixture, startBilling } from '../test/fixture.ts'

type Channel = Awaited<ReturnType<Fixture['connect']>>

async function usageOf(owner: Client) {
  return (await owner.get('/api/v1/usage')).body.data.usage
}

async function counts(owner: Client) {
  const { messages_sent, messages_received, deliveries } = await usageOf(owner)
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

/** What the timer does with deltas once they have waited long enough. */
async function fold(fixture: Fixture): Promise<void> {
  await fixture.hub.clock.advance('11 minutes')
  await fixture.hub.context.usage.fold()
}

async function openDeltas(fixture: Fixture, { organizationId }: { organizationId: string }): Promise<number> {
  return (await fixture.hub.sql`select 1 from usage_deltas where organization_id = ${organizationId}`).length
}

const NONE = { messages_sent: 0, messages_received: 0, deliveries: 0 }

test('usage names its period and counts what is there and what happened, all at nothing for a newcomer', {
  rules: ['D11-17', 'GEN-11', 'SUB-14'],
}, async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.hub.organization()
  await fixture.createChannels(acme, 1)

  const usage = await usageOf(acme)
  const { usage: beside } = (await acme.get('/api/v1/subscription')).body.data

  const now = fixture.hub.clock.now()
  assert.deepEqual(usage, {
    period_start: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth())).toISOString(),
    period_end: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)).toISOString(),
    ...{ channels: 1, webhook_endpoints: 0, ...NONE },
  })
  assert.deepEqual(beside, usage)
})

test('a send counts when the upstream takes it: not when it is refused, repeated or unknown', async (t) => {
  const fixture = await startBilling(t, { isCalledBack: true, env: { BILLING: 'off', UPSTREAM_TIMEOUT_MS: '1000' } })
  const acme = await fixture.hub.organization()
  const channel = await fixture.connect(acme)
  const [key, to] = [randomUUID(), newContact()]

  await send(acme, channel, key, to)
  await send(acme, channel, key, to)
  await fixture.fault('error', '/messages', { code: 131_009, status: 400 })
  const refused = await send(acme, channel)
  await fixture.fault('reset_after', '/messages')
  const unknown = await send(acme, channel)
  const before = await counts(acme)
  // A status tells that the unknown one was taken after all.
  await fixture.control('POST', '/clock', { advance_seconds: 60 })

  assert.deepEqual([refused.status, unknown.status], [400, 409])
  assert.deepEqual(before, { ...NONE, messages_sent: 1 })
  assert.deepEqual(await counts(acme), { ...NONE, messages_sent: 2 })
})

test('a send counts by whichever way it goes, and so many at once are all counted', async (t) => {
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
  assert.deepEqual(await counts(acme), { ...NONE, messages_sent: 20 })
})

test('what comes in counts once, and so does what was delivered, for its organization alone', async (t) => {
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

  assert.deepEqual(await counts(acme), { messages_sent: 0, messages_received: 2, deliveries: 2 })
  assert.deepEqual(await counts(other), NONE)
})

test('adding up changes no number, and leaves few rows of many', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.hub.organization()
  const channel = await fixture.connect(acme)
  for (let sent = 0; sent < 5; sent++) await send(acme, channel)

  const before = await counts(acme)
  await fixture.hub.context.usage.fold()
  const waiting = await openDeltas(fixture, acme)
  await fold(fixture)
  const after = await counts(acme)
  await send(acme, channel)

  assert.deepEqual([before.messages_sent, after.messages_sent], [5, 5])
  assert.deepEqual([waiting, (await openDeltas(fixture, acme)) - 1], [5, 0])
  assert.equal((await counts(acme)).messages_sent, 6)
})

test('adding up from many processes at once counts nothing twice and loses nothing', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.hub.organization()
  await fixture.hub.sql`
    insert into usage_deltas (organization_id, counter, amount)
    select ${acme.organizationId}, 'deliveries', 1 from generate_series(1, 5000)`
  await fixture.hub.clock.advance('11 minutes')

  const seen = await Promise.all([
    ...Array.from({ length: 4 }, () => fixture.hub.context.usage.fold().then(() => 5000)),
    ...Array.from({ length: 6 }, async () => (await counts(acme)).deliveries),
  ])

  assert.deepEqual([...new Set(seen)], [5000])
  assert.equal((await counts(acme)).deliveries, 5000)
  assert.equal(await openDeltas(fixture, acme), 0)
})

test('a paid plan counts from its own beginning, to the second, folded or not', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.hub.organization()
  const channel = await fixture.connect(acme)
  await send(acme, channel)
  await send(acme, channel)
  await fixture.hub.clock.advance('2 minutes')
  await fixture.control('POST', '/payments/clock', { advance_seconds: 120 })

  await fixture.buyPlan(acme, 'starter')
  const usage = await usageOf(acme)
  await send(acme, channel)
  const raw = (await usageOf(acme)).messages_sent
  await fold(fixture)

  const { subscription } = (await acme.get('/api/v1/subscription')).body.data
  assert.equal(usage.period_end, subscription.current_period_end)
  assert.ok(Date.parse(usage.period_end) - Date.parse(usage.period_start) > 27 * 86_400_000)
  assert.deepEqual([usage.messages_sent, raw, (await usageOf(acme)).messages_sent], [0, 1, 1])
  assert.equal(await openDeltas(fixture, acme), 0)
})

test('a renewal begins a new count', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  const channel = await fixture.connect(acme)
  await send(acme, channel)
  const before = await usageOf(acme)

  await fixture.advanceDays(32)
  const after = await usageOf(acme)

  assert.deepEqual([before.messages_sent, after.messages_sent], [1, 0])
  assert.equal(after.period_start, before.period_end)
})
