import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bearer } from '../../../../test/hub.ts'
import { createChannel } from '../../../../test/hub-with-upstream.ts'
import { startReceiver } from '../../../../test/receiver.ts'
import { newKey, text } from '../../messages/test/fixture.ts'
import {
  FAILS_ON_RENEWAL,
  type Fixture,
  FREE,
  type Owner,
  readEntitlement,
  STARTER,
  setAddons,
  startBilling,
} from '../test/fixture.ts'

type Channel = Awaited<ReturnType<Fixture['connect']>>

function send(owner: Owner, { id }: { id: string }, key = newKey()) {
  return owner.post(`/api/v1/channels/${id}/messages`, text(), { headers: { 'idempotency-key': key } })
}

function sendByFacade(fixture: Fixture, { token, number }: Channel) {
  const body = { messaging_product: 'whatsapp', ...text() }
  return fixture.hub.anonymous.with(bearer(token)).post(`/upstream/${number.phoneNumberId}/messages`, body)
}

/** A subscriber whose renewal has failed, and whose payment the provider will retry. */
async function createPastDue(fixture: Fixture): Promise<Owner> {
  const acme = await fixture.createSubscriber('starter', FAILS_ON_RENEWAL)
  await fixture.advanceDays(32)
  return acme
}

/** A subscriber whose last payment retry has failed. */
async function createSuspended(fixture: Fixture): Promise<Owner> {
  await fixture.control('PUT', '/payments/settings', { after_retries: 'unpaid' })
  const acme = await createPastDue(fixture)
  await fixture.advanceDays(30)
  return acme
}

async function payOpenInvoices(fixture: Fixture, owner: Owner): Promise<void> {
  for (const { id, status } of await fixture.listOwned(owner, 'invoices')) {
    if (status === 'open') await fixture.control('POST', `/payments/invoices/${id}/pay`, { card: '4242424242424242' })
  }
}

test('a failed renewal is past_due, and everything keeps working', {
  rules: ['billing.past-due-keeps-working'],
}, async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber('starter', FAILS_ON_RENEWAL)
  const channel = await fixture.connect(acme)
  await fixture.advanceDays(32)

  assert.deepEqual(await readEntitlement(acme), { ...STARTER, status: 'past_due' })
  assert.equal((await send(acme, channel)).status, 202)
  assert.equal((await sendByFacade(fixture, channel)).status, 200)
  assert.equal((await acme.post('/api/v1/channels', { name: 'another' })).status, 201)
  const more = await setAddons(acme, { total: 1 })
  assert.equal(more.body.error.code, 'ADDON_NOT_ALLOWED')
})

test('a late payment makes the subscription active again', async (t) => {
  const fixture = await startBilling(t)
  const acme = await createPastDue(fixture)

  await payOpenInvoices(fixture, acme)

  assert.deepEqual(await readEntitlement(acme), STARTER)
})

test('a suspended subscription refuses new channels, and sends by the API and the facade', {
  rules: ['billing.suspended-refuses-channels-and-sends'],
}, async (t) => {
  const fixture = await startBilling(t)
  await fixture.control('PUT', '/payments/settings', { after_retries: 'unpaid' })
  const acme = await fixture.createSubscriber('starter', FAILS_ON_RENEWAL)
  const channel = await fixture.connect(acme)
  const key = newKey()
  const sent = await send(acme, channel, key)
  await fixture.advanceDays(32)
  await fixture.advanceDays(30)

  const sends = (await fixture.requests('/messages')).length
  const refused = [
    await acme.post('/api/v1/channels', { name: 'another' }),
    await acme.post('/api/v1/channels', { name: 'another', webhook_url: 'https://93.184.216.34/in' }),
    await send(acme, channel),
    await sendByFacade(fixture, channel),
  ]

  assert.deepEqual(await readEntitlement(acme), { ...STARTER, status: 'suspended' })
  for (const { status, body } of refused) {
    assert.equal(status, 403)
    assert.equal(body.error.code, 'SUBSCRIPTION_SUSPENDED')
  }
  assert.equal((await fixture.requests('/messages')).length, sends)
  assert.equal((await acme.get(`/api/v1/channels/${channel.id}/messages`)).body.data.messages.length, 1)
  assert.equal(sent.status, 202)
})

test('a send that a suspension refused succeeds with the same key once the invoice is paid', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber('starter', FAILS_ON_RENEWAL)
  await fixture.control('PUT', '/payments/settings', { after_retries: 'unpaid' })
  const channel = await fixture.connect(acme)
  await fixture.advanceDays(32)
  await fixture.advanceDays(30)
  const key = newKey()

  const refused = await send(acme, channel, key)
  await payOpenInvoices(fixture, acme)
  const sent = await send(acme, channel, key)

  assert.equal(refused.status, 403)
  assert.deepEqual(await readEntitlement(acme), STARTER)
  assert.equal(sent.status, 202)
})

test('a repeat of a send from before the suspension gets the same response', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  const channel = await fixture.connect(acme)
  const [key, body] = [newKey(), text()]
  const path = `/api/v1/channels/${channel.id}/messages`
  const first = await acme.post(path, body, { headers: { 'idempotency-key': key } })
  await fixture.hub.sql`update subscriptions set status = 'suspended' where organization_id = ${acme.organizationId}`

  const again = await acme.post(path, body, { headers: { 'idempotency-key': key } })

  assert.equal(again.status, 202)
  assert.deepEqual(again.body, first.body)
})

test('a suspended organization still receives messages and deliveries', {
  rules: ['billing.suspended-still-delivers'],
}, async (t) => {
  const receiver = await startReceiver(t)
  const fixture = await startBilling(t, {
    isCalledBack: true,
    env: { WEBHOOK_ALLOWED_DESTINATIONS: receiver.destination },
  })
  const acme = await fixture.createSubscriber()
  const channel = await fixture.connect(acme)
  await acme.post('/api/v1/webhooks', { name: 'CRM', url: receiver.url, event_types: ['message.received'] })
  await fixture.hub.sql`update subscriptions set status = 'suspended' where organization_id = ${acme.organizationId}`

  await fixture.control('POST', '/contacts/5511977776666/messages', {
    to: channel.number.phoneNumberId,
    type: 'text',
    text: { body: 'Oi' },
  })
  await fixture.control('POST', '/clock', { advance_seconds: 5 })
  await fixture.hub.deliver()

  const { messages } = (await acme.get(`/api/v1/channels/${channel.id}/messages`)).body.data
  assert.deepEqual(
    messages.map(({ direction }: { direction: string }) => direction),
    ['inbound'],
  )
  assert.equal(receiver.received.length, 1)
})

test('concurrent sends of another organization succeed while one organization is suspended', async (t) => {
  const fixture = await startBilling(t)
  const [acme, other] = [await fixture.createSubscriber(), await fixture.createSubscriber()]
  const [channel, others] = [await fixture.connect(acme), await fixture.connect(other)]
  await fixture.hub.sql`update subscriptions set status = 'suspended' where organization_id = ${acme.organizationId}`

  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, i) => (i % 2 ? send(acme, channel) : send(other, others))),
  )

  assert.deepEqual(
    answers.map(({ status }) => status),
    Array.from({ length: 10 }, (_, i) => (i % 2 ? 403 : 202)),
  )
})

test('with billing off a stored suspension refuses nothing', async (t) => {
  const fixture = await startBilling(t, { env: { BILLING: 'off' } })
  const acme = await fixture.hub.organization()
  const channel = await fixture.connect(acme)
  await fixture.hub
    .sql`insert into subscriptions (organization_id, status) values (${acme.organizationId}, 'suspended')`

  assert.equal((await send(acme, channel)).status, 202)
  assert.equal((await acme.post('/api/v1/channels', { name: 'another' })).status, 201)
})

test('a cancellation after the last payment retry leaves the free limits, and existing channels keep working', {
  rules: ['billing.canceled-falls-back-to-free'],
}, async (t) => {
  const fixture = await startBilling(t)
  await fixture.control('PUT', '/payments/settings', { after_retries: 'cancel' })
  const acme = await fixture.createSubscriber('starter', FAILS_ON_RENEWAL)
  const channel = await fixture.connect(acme)
  for (let created = 0; created < 3; created++) await createChannel(acme)
  await fixture.advanceDays(32)
  await fixture.advanceDays(30)

  const shown = (await acme.get('/api/v1/subscription')).body.data

  assert.deepEqual(await readEntitlement(acme), { ...FREE, status: 'canceled' })
  assert.deepEqual(shown.quotas.channels, { limit: 2, used: 4 })
  assert.deepEqual([shown.subscription.current_period_end, shown.subscription.cancels_at], [null, null])
  assert.equal((await send(acme, channel)).status, 202)
  assert.equal((await sendByFacade(fixture, channel)).status, 200)
  assert.equal((await acme.get('/api/v1/channels')).body.data.channels.length, 4)
  const refused = await acme.post('/api/v1/channels', { name: 'another' })
  assert.partialDeepStrictEqual(refused.body.error.details, { quota: 'channels', limit: 2, used: 4 })
})

test('a cancellation in the portal ends the plan with the period, and a new purchase restores it', async (t) => {
  const fixture = await startBilling(t)
  const acme = await fixture.createSubscriber()
  await fixture.control('POST', `/payments/customers/${await fixture.findCustomerId(acme)}/portal`, {
    action: 'cancel',
  })

  await fixture.advanceDays(32)
  const ended = await readEntitlement(acme)
  await fixture.buyPlan(acme, 'starter')

  assert.deepEqual(ended, { ...FREE, status: 'canceled' })
  assert.deepEqual(await readEntitlement(acme), STARTER)
})

test('a suspended organization cannot change the plan and can open the portal to pay', async (t) => {
  const fixture = await startBilling(t)
  const acme = await createSuspended(fixture)

  const headers = { 'idempotency-key': newKey() }
  const change = await acme.post('/api/v1/subscription/checkout', { plan: 'pro' }, { headers })
  const portal = await acme.post('/api/v1/subscription/portal')

  assert.equal(change.body.error.code, 'CHECKOUT_NOT_ALLOWED')
  assert.equal((await fixture.hub.anonymous.get(new URL(portal.body.data.portal_url).pathname)).status, 303)
})
