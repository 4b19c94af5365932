import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createChannel } from '../../../../test/connecting.ts'
import { bearer } from '../../../../test/hub.ts'
import { startReceiver } from '../../../../test/receiver.ts'
import { newKey, text } from '../../messages/test/scene.ts'
import { DRIES_UP, FREE, type Scene, STARTER, setAddons, standing, startScene } from '../test/fixture.ts'

type Owner = Awaited<ReturnType<Scene['subscriber']>>
type Channel = Awaited<ReturnType<Scene['connect']>>

function send(owner: Owner, { id }: { id: string }, key = newKey()) {
  return owner.post(`/api/v1/channels/${id}/messages`, text(), { headers: { 'idempotency-key': key } })
}

function sendByFacade(scene: Scene, { token, number }: Channel) {
  const body = { messaging_product: 'whatsapp', ...text() }
  return scene.hub.anonymous.with(bearer(token)).post(`/upstream/${number.phoneNumberId}/messages`, body)
}

/** A subscriber of starter whose renewal has just failed: the provider will try again. */
async function latePayer(scene: Scene): Promise<Owner> {
  const acme = await scene.subscriber('starter', DRIES_UP)
  await scene.pass(32)
  return acme
}

/** The same when the provider has tried often enough. */
async function suspendedPayer(scene: Scene): Promise<Owner> {
  await scene.control('PUT', '/payments/settings', { after_retries: 'unpaid' })
  const acme = await latePayer(scene)
  await scene.pass(30)
  return acme
}

async function payOpenInvoices(scene: Scene, owner: Owner): Promise<void> {
  for (const { id, status } of await scene.own(owner, 'invoices')) {
    if (status === 'open') await scene.control('POST', `/payments/invoices/${id}/pay`, { card: '4242424242424242' })
  }
}

test('a renewal that fails is past due, and everything keeps working', { rules: ['D11-29'] }, async (t) => {
  const scene = await startScene(t)
  const acme = await scene.subscriber('starter', DRIES_UP)
  const channel = await scene.connect(acme)
  await scene.pass(32)

  assert.deepEqual(await standing(acme), { ...STARTER, status: 'past_due' })
  assert.equal((await send(acme, channel)).status, 202)
  assert.equal((await sendByFacade(scene, channel)).status, 200)
  assert.equal((await acme.post('/api/v1/channels', { name: 'another' })).status, 201)
  const more = await setAddons(acme, { total: 1 })
  assert.equal(more.body.error.code, 'ADDON_NOT_ALLOWED')
})

test('a late payment makes it active again', async (t) => {
  const scene = await startScene(t)
  const acme = await latePayer(scene)

  await payOpenInvoices(scene, acme)

  assert.deepEqual(await standing(acme), STARTER)
})

test('when the provider has given up, new channels and sends are refused, by API and facade', {
  rules: ['D11-30', 'D11-31', 'D4-12'],
}, async (t) => {
  const scene = await startScene(t)
  await scene.control('PUT', '/payments/settings', { after_retries: 'unpaid' })
  const acme = await scene.subscriber('starter', DRIES_UP)
  const channel = await scene.connect(acme)
  const key = newKey()
  const sent = await send(acme, channel, key)
  await scene.pass(32)
  await scene.pass(30)

  const asked = (await scene.requests('/messages')).length
  const refused = [
    await acme.post('/api/v1/channels', { name: 'another' }),
    await acme.post('/api/v1/channels', { name: 'another', webhook_url: 'https://93.184.216.34/in' }),
    await send(acme, channel),
    await sendByFacade(scene, channel),
  ]

  assert.deepEqual(await standing(acme), { ...STARTER, status: 'suspended' })
  for (const { status, body } of refused) {
    assert.equal(status, 403)
    assert.equal(body.error.code, 'SUBSCRIPTION_SUSPENDED')
  }
  assert.equal((await scene.requests('/messages')).length, asked)
  assert.equal((await acme.get(`/api/v1/channels/${channel.id}/messages`)).body.data.messages.length, 1)
  assert.equal(sent.status, 202)
})

test('a refused send leaves its key free, and works under it once the invoice is paid', async (t) => {
  const scene = await startScene(t)
  const acme = await scene.subscriber('starter', DRIES_UP)
  await scene.control('PUT', '/payments/settings', { after_retries: 'unpaid' })
  const channel = await scene.connect(acme)
  await scene.pass(32)
  await scene.pass(30)
  const key = newKey()

  const refused = await send(acme, channel, key)
  await payOpenInvoices(scene, acme)
  const sent = await send(acme, channel, key)

  assert.equal(refused.status, 403)
  assert.deepEqual(await standing(acme), STARTER)
  assert.equal(sent.status, 202)
})

test('a send that was accepted before the suspension is still answered under its key', async (t) => {
  const scene = await startScene(t)
  const acme = await scene.subscriber()
  const channel = await scene.connect(acme)
  const [key, body] = [newKey(), text()]
  const path = `/api/v1/channels/${channel.id}/messages`
  const first = await acme.post(path, body, { headers: { 'idempotency-key': key } })
  await scene.hub.sql`update subscriptions set status = 'suspended' where organization_id = ${acme.organizationId}`

  const again = await acme.post(path, body, { headers: { 'idempotency-key': key } })

  assert.equal(again.status, 202)
  assert.deepEqual(again.body, first.body)
})

test('whoever is suspended still receives, and what is received is still delivered', {
  rules: ['D11-32'],
}, async (t) => {
  const receiver = await startReceiver(t)
  const scene = await startScene(t, {
    isCalledBack: true,
    env: { WEBHOOK_ALLOWED_DESTINATIONS: receiver.destination },
  })
  const acme = await scene.subscriber()
  const channel = await scene.connect(acme)
  await acme.post('/api/v1/webhooks', { name: 'CRM', url: receiver.url, event_types: ['message.received'] })
  await scene.hub.sql`update subscriptions set status = 'suspended' where organization_id = ${acme.organizationId}`

  await scene.control('POST', '/contacts/5511977776666/messages', {
    to: channel.number.phoneNumberId,
    type: 'text',
    text: { body: 'Oi' },
  })
  await scene.control('POST', '/clock', { advance_seconds: 5 })
  await scene.hub.deliver()

  const { messages } = (await acme.get(`/api/v1/channels/${channel.id}/messages`)).body.data
  assert.deepEqual(
    messages.map(({ direction }: { direction: string }) => direction),
    ['inbound'],
  )
  assert.equal(receiver.received.length, 1)
})

test('one organization that is suspended holds up no other, in the same instant', async (t) => {
  const scene = await startScene(t)
  const [acme, other] = [await scene.subscriber(), await scene.subscriber()]
  const [channel, others] = [await scene.connect(acme), await scene.connect(other)]
  await scene.hub.sql`update subscriptions set status = 'suspended' where organization_id = ${acme.organizationId}`

  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, i) => (i % 2 ? send(acme, channel) : send(other, others))),
  )

  assert.deepEqual(
    answers.map(({ status }) => status),
    Array.from({ length: 10 }, (_, i) => (i % 2 ? 403 : 202)),
  )
})

test('with billing off an old suspension stops nobody', async (t) => {
  const scene = await startScene(t, { env: { BILLING: 'off' } })
  const acme = await scene.hub.organization()
  const channel = await scene.connect(acme)
  await scene.hub.sql`insert into subscriptions (organization_id, status) values (${acme.organizationId}, 'suspended')`

  assert.equal((await send(acme, channel)).status, 202)
  assert.equal((await acme.post('/api/v1/channels', { name: 'another' })).status, 201)
})

test('a provider that cancels after its last try leaves the free limits, and what exists keeps working', {
  rules: ['D11-33'],
}, async (t) => {
  const scene = await startScene(t)
  await scene.control('PUT', '/payments/settings', { after_retries: 'cancel' })
  const acme = await scene.subscriber('starter', DRIES_UP)
  const channel = await scene.connect(acme)
  for (let made = 0; made < 3; made++) await createChannel(acme)
  await scene.pass(32)
  await scene.pass(30)

  const shown = (await acme.get('/api/v1/subscription')).body.data

  assert.deepEqual(await standing(acme), { ...FREE, status: 'canceled' })
  assert.deepEqual(shown.quotas.channels, { limit: 2, used: 4 })
  assert.deepEqual([shown.subscription.current_period_end, shown.subscription.cancels_at], [null, null])
  assert.equal((await send(acme, channel)).status, 202)
  assert.equal((await sendByFacade(scene, channel)).status, 200)
  assert.equal((await acme.get('/api/v1/channels')).body.data.channels.length, 4)
  const refused = await acme.post('/api/v1/channels', { name: 'another' })
  assert.deepEqual(refused.body.error.details, { quota: 'channels', limit: 2, used: 4 })
})

test('a cancellation in the portal ends with the period, and a new purchase brings the plan back', async (t) => {
  const scene = await startScene(t)
  const acme = await scene.subscriber()
  await scene.control('POST', `/payments/customers/${await scene.customerOf(acme)}/portal`, { action: 'cancel' })

  await scene.pass(32)
  const ended = await standing(acme)
  await scene.buy(acme, 'starter')

  assert.deepEqual(ended, { ...FREE, status: 'canceled' })
  assert.deepEqual(await standing(acme), STARTER)
})

test('whoever is suspended cannot change the plan, and can reach the portal to pay', async (t) => {
  const scene = await startScene(t)
  const acme = await suspendedPayer(scene)

  const headers = { 'idempotency-key': newKey() }
  const change = await acme.post('/api/v1/subscription/checkout', { plan: 'pro' }, { headers })
  const portal = await acme.post('/api/v1/subscription/portal')

  assert.equal(change.body.error.code, 'CHECKOUT_NOT_ALLOWED')
  assert.equal((await scene.hub.anonymous.get(new URL(portal.body.data.portal_url).pathname)).status, 303)
})
