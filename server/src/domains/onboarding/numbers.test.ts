import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createChannel,
  createLink,
  type HubWithUpstream,
  holdTransaction,
  listEvents,
  PIN,
  readChannelRow,
  startHubWithUpstream,
  waitUntilBlocked,
} from '../../../test/hub-with-upstream.ts'

async function findOwner(setup: HubWithUpstream, phoneNumberId: string): Promise<string | undefined> {
  const [row] = await setup.hub.sql<{ channel_id: string }[]>`
    select channel_id from channel_numbers where phone_number_id = ${phoneNumberId}`
  return row?.channel_id
}

for (const status of ['active', 'degraded']) {
  test(`the number of a channel that is ${status} is refused before any change, and the error does not name the channel`, {
    rules: ['connect.held-number-is-400'],
  }, async (t) => {
    const setup = await startHubWithUpstream(t)
    const [acme, other] = [await setup.hub.organization(), await setup.hub.organization()]
    const holder = await setup.connect(other, { body: { name: 'Secret Name', external_id: 'secret-id' } })
    if (status === 'degraded') await setup.move(other, holder, 'FLAGGED')
    const { id } = await createChannel(acme)
    const link = await createLink(acme, id)
    const subscriptions = (await setup.requests('/subscribed_apps')).length

    const refused = await setup.post(link, holder.number, { pin: PIN })

    assert.equal(refused.status, 400)
    assert.equal(refused.body.error.code, 'NUMBER_ALREADY_CONNECTED')
    for (const secret of [holder.id, other.organizationId, 'Secret Name', 'secret-id']) {
      assert.ok(!refused.text.includes(secret), refused.text)
    }
    assert.equal((await setup.requests('/subscribed_apps')).length, subscriptions)
    assert.equal(await findOwner(setup, holder.number.phoneNumberId), holder.id)
    assert.equal((await setup.hub.anonymous.get(`/api/v1/connect/${link}`)).status, 200)
  })
}

test('a disconnected channel loses its number to another channel, and stays disconnected after a health check', {
  rules: ['connect.disconnected-channel-yields-its-number'],
}, async (t) => {
  const setup = await startHubWithUpstream(t)
  const [acme, other] = [await setup.hub.organization(), await setup.hub.organization()]
  const loser = await setup.connect(acme)
  await setup.move(acme, loser, 'DISCONNECTED')

  const winner = await setup.connect(other, { number: loser.number })
  await setup.hub.context.health.check({ organizationId: acme.organizationId, id: loser.id })

  assert.equal(winner.channel.status, 'active')
  assert.equal(await findOwner(setup, loser.number.phoneNumberId), winner.id)
  assert.equal((await acme.get(`/api/v1/channels/${loser.id}`)).body.data.channel.status, 'disconnected')
})

test('a channel that lost its number cannot take it back while the other is connected', async (t) => {
  const setup = await startHubWithUpstream(t)
  const [acme, other] = [await setup.hub.organization(), await setup.hub.organization()]
  const loser = await setup.connect(acme)
  await setup.move(acme, loser, 'DISCONNECTED')
  const winner = await setup.connect(other, { number: loser.number })

  const refused = await setup.post(await createLink(acme, loser.id), loser.number)
  await setup.move(other, winner, 'DISCONNECTED')
  const taken = await setup.post(await createLink(acme, loser.id), loser.number)

  assert.equal(refused.body.error.code, 'NUMBER_ALREADY_CONNECTED')
  assert.equal(taken.status, 200)
  assert.equal(await findOwner(setup, loser.number.phoneNumberId), loser.id)
})

test('the number of a deleted channel can be connected at once', async (t) => {
  const setup = await startHubWithUpstream(t)
  const acme = await setup.hub.organization()
  const first = await setup.connect(acme)
  await acme.delete(`/api/v1/channels/${first.id}`)

  const second = await setup.connect(acme, { number: first.number })

  assert.equal(await findOwner(setup, first.number.phoneNumberId), second.id)
})

test('a channel that reconnects its own number is active with the new token and publishes channel.connected', {
  rules: ['connect.channel-keeps-its-number'],
}, async (t) => {
  const setup = await startHubWithUpstream(t)
  const acme = await setup.hub.organization()
  const channel = await setup.connect(acme)
  await setup.move(acme, channel, 'DISCONNECTED')
  const before = await readChannelRow(setup.hub.sql, channel.id)

  const again = await setup.post(await createLink(acme, channel.id), channel.number)

  assert.equal(again.status, 200)
  assert.equal(again.body.data.channel.status, 'active')
  assert.notEqual((await readChannelRow(setup.hub.sql, channel.id)).access_token, before.access_token)
  const kinds = (await listEvents(setup.hub.sql, channel.id)).map(({ kind }) => kind)
  assert.deepEqual(kinds.slice(1), ['channel.connected', 'channel.disconnected', 'channel.connected'])
})

test('a channel that was connected refuses another number, without an upstream change to it', {
  rules: ['connect.channel-keeps-its-number', 'channel.is-one-phone-number'],
}, async (t) => {
  const setup = await startHubWithUpstream(t)
  const acme = await setup.hub.organization()
  const channel = await setup.connect(acme)
  const another = await setup.up.number({ registered: false })
  const link = await createLink(acme, channel.id)

  const refused = await setup.post(link, another, { pin: PIN })

  assert.equal(refused.status, 400)
  assert.equal(refused.body.error.code, 'INVALID_REQUEST')
  assert.match(refused.body.error.message, /only the same number/)
  assert.equal((await setup.requests(`/${another.wabaId}/subscribed_apps`)).length, 0)
  assert.equal((await setup.requests(`/${another.phoneNumberId}/register`)).length, 0)
  assert.equal((await readChannelRow(setup.hub.sql, channel.id)).phone_number_id, channel.number.phoneNumberId)
  assert.equal((await setup.hub.anonymous.get(`/api/v1/connect/${link}`)).status, 200)
})

test('one of two concurrent connections of one number succeeds, and the other link stays open', {
  rules: ['channel.is-one-phone-number'],
}, async (t) => {
  const setup = await startHubWithUpstream(t, { env: { BILLING: 'off' } })
  const acme = await setup.hub.organization()

  for (let round = 0; round < 5; round++) {
    const number = await setup.up.number()
    const ids = [(await createChannel(acme)).id, (await createChannel(acme)).id]
    const links = await Promise.all(ids.map((id) => createLink(acme, id)))
    const answers = await Promise.all(links.map((link) => setup.post(link, number)))

    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400])
    const loser = answers.findIndex(({ status }) => status === 400)
    assert.equal(answers[loser]?.body.error.code, 'NUMBER_ALREADY_CONNECTED')
    assert.equal(await findOwner(setup, number.phoneNumberId), ids[1 - loser])
    assert.equal((await readChannelRow(setup.hub.sql, ids[loser] ?? '')).status, 'pending')
    const shown = await setup.hub.anonymous.get(`/api/v1/connect/${links[loser]}`)
    assert.equal(shown.status, 200)
  }
})

/** Blocks a connection before it is stored, after all upstream steps. */
async function holdLastStep(setup: HubWithUpstream, channelId: string) {
  return holdTransaction(setup.hub.sql, async (tx) => tx`select id from channels where id = ${channelId} for update`)
}

test('a number that another channel took during the upstream steps is refused', async (t) => {
  const setup = await startHubWithUpstream(t)
  const [acme, other] = [await setup.hub.organization(), await setup.hub.organization()]
  const number = await setup.up.number()
  const { id } = await createChannel(acme)
  const link = await createLink(acme, id)
  const held = await holdLastStep(setup, id)
  const connecting = setup.post(link, number)
  await waitUntilBlocked(setup.hub.sql, 1)

  const winner = await setup.connect(other, { number })
  await held.release()
  const refused = await connecting

  assert.equal(refused.body.error.code, 'NUMBER_ALREADY_CONNECTED')
  assert.equal(await findOwner(setup, number.phoneNumberId), winner.id)
})

test('a number whose owner is deleted concurrently is connected to the new channel', async (t) => {
  const setup = await startHubWithUpstream(t)
  const [acme, other] = [await setup.hub.organization(), await setup.hub.organization()]
  const loser = await setup.connect(other)
  await setup.move(other, loser, 'DISCONNECTED')
  const { phoneNumberId } = loser.number
  const { id } = await createChannel(acme)
  const link = await createLink(acme, id)
  const held = await holdLastStep(setup, id)
  const connecting = setup.post(link, loser.number)
  await waitUntilBlocked(setup.hub.sql, 1)

  const deleting = await holdTransaction(
    setup.hub.sql,
    async (tx) => tx`select 1 from channel_numbers where phone_number_id = ${phoneNumberId} for update`,
    async (tx) => tx`delete from channel_numbers where phone_number_id = ${phoneNumberId}`,
  )
  await held.release()
  await waitUntilBlocked(setup.hub.sql, 1)
  await deleting.release()
  const connected = await connecting

  assert.equal(connected.status, 200)
  assert.equal(await findOwner(setup, phoneNumberId), id)
})
