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

async function holderOf(world: HubWithUpstream, phoneNumberId: string): Promise<string | undefined> {
  const [row] = await world.hub.sql<{ channel_id: string }[]>`
    select channel_id from channel_numbers where phone_number_id = ${phoneNumberId}`
  return row?.channel_id
}

for (const status of ['active', 'degraded']) {
  test(`a number of a channel that is ${status} is refused, with no word about whose, before anything is changed`, {
    rules: ['D4-04', 'D6-56'],
  }, async (t) => {
    const world = await startHubWithUpstream(t)
    const [acme, other] = [await world.hub.organization(), await world.hub.organization()]
    const holder = await world.connect(other, { body: { name: 'Secret Name', external_id: 'secret-id' } })
    if (status === 'degraded') await world.move(other, holder, 'FLAGGED')
    const { id } = await createChannel(acme)
    const link = await createLink(acme, id)
    const subscriptions = (await world.requests('/subscribed_apps')).length

    const refused = await world.post(link, holder.number, { pin: PIN })

    assert.equal(refused.status, 400)
    assert.equal(refused.body.error.code, 'NUMBER_ALREADY_CONNECTED')
    for (const secret of [holder.id, other.organizationId, 'Secret Name', 'secret-id']) {
      assert.ok(!refused.text.includes(secret), refused.text)
    }
    assert.equal((await world.requests('/subscribed_apps')).length, subscriptions)
    assert.equal(await holderOf(world, holder.number.phoneNumberId), holder.id)
    assert.equal((await world.hub.anonymous.get(`/api/v1/connect/${link}`)).status, 200)
  })
}

test('a disconnected channel yields its number, and stays disconnected whatever its old token still sees', {
  rules: ['D6-57'],
}, async (t) => {
  const world = await startHubWithUpstream(t)
  const [acme, other] = [await world.hub.organization(), await world.hub.organization()]
  const loser = await world.connect(acme)
  await world.move(acme, loser, 'DISCONNECTED')

  const winner = await world.connect(other, { number: loser.number })
  await world.hub.context.health.check({ organizationId: acme.organizationId, id: loser.id })

  assert.equal(winner.channel.status, 'active')
  assert.equal(await holderOf(world, loser.number.phoneNumberId), winner.id)
  assert.equal((await acme.get(`/api/v1/channels/${loser.id}`)).body.data.channel.status, 'disconnected')
})

test('a channel that yielded its number cannot take it back while the other is connected', async (t) => {
  const world = await startHubWithUpstream(t)
  const [acme, other] = [await world.hub.organization(), await world.hub.organization()]
  const loser = await world.connect(acme)
  await world.move(acme, loser, 'DISCONNECTED')
  const winner = await world.connect(other, { number: loser.number })

  const refused = await world.post(await createLink(acme, loser.id), loser.number)
  await world.move(other, winner, 'DISCONNECTED')
  const taken = await world.post(await createLink(acme, loser.id), loser.number)

  assert.equal(refused.body.error.code, 'NUMBER_ALREADY_CONNECTED')
  assert.equal(taken.status, 200)
  assert.equal(await holderOf(world, loser.number.phoneNumberId), loser.id)
})

test('the number of a deleted channel is free at once', async (t) => {
  const world = await startHubWithUpstream(t)
  const acme = await world.hub.organization()
  const first = await world.connect(acme)
  await acme.delete(`/api/v1/channels/${first.id}`)

  const second = await world.connect(acme, { number: first.number })

  assert.equal(await holderOf(world, first.number.phoneNumberId), second.id)
})

test('a channel connects again with its own number: active with the new token, and told by an event', {
  rules: ['D6-65'],
}, async (t) => {
  const world = await startHubWithUpstream(t)
  const acme = await world.hub.organization()
  const channel = await world.connect(acme)
  await world.move(acme, channel, 'DISCONNECTED')
  const before = await readChannelRow(world.hub.sql, channel.id)

  const again = await world.post(await createLink(acme, channel.id), channel.number)

  assert.equal(again.status, 200)
  assert.equal(again.body.data.channel.status, 'active')
  assert.notEqual((await readChannelRow(world.hub.sql, channel.id)).access_token, before.access_token)
  const kinds = (await listEvents(world.hub.sql, channel.id)).map(({ kind }) => kind)
  assert.deepEqual(kinds.slice(1), ['channel.connected', 'channel.disconnected', 'channel.connected'])
})

test('a channel that was connected takes no other number, and that one is left alone upstream', {
  rules: ['D6-65', 'GEN-06'],
}, async (t) => {
  const world = await startHubWithUpstream(t)
  const acme = await world.hub.organization()
  const channel = await world.connect(acme)
  const another = await world.up.number({ registered: false })
  const link = await createLink(acme, channel.id)

  const refused = await world.post(link, another, { pin: PIN })

  assert.equal(refused.status, 400)
  assert.equal(refused.body.error.code, 'INVALID_REQUEST')
  assert.match(refused.body.error.message, /only the same number/)
  assert.equal((await world.requests(`/${another.wabaId}/subscribed_apps`)).length, 0)
  assert.equal((await world.requests(`/${another.phoneNumberId}/register`)).length, 0)
  assert.equal((await readChannelRow(world.hub.sql, channel.id)).phone_number_id, channel.number.phoneNumberId)
  assert.equal((await world.hub.anonymous.get(`/api/v1/connect/${link}`)).status, 200)
})

test('of two channels that race for one number exactly one is connected, and the other may try again', {
  rules: ['GEN-06'],
}, async (t) => {
  const world = await startHubWithUpstream(t, { env: { BILLING: 'off' } })
  const acme = await world.hub.organization()

  for (let round = 0; round < 5; round++) {
    const number = await world.up.number()
    const ids = [(await createChannel(acme)).id, (await createChannel(acme)).id]
    const links = await Promise.all(ids.map((id) => createLink(acme, id)))
    const answers = await Promise.all(links.map((link) => world.post(link, number)))

    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400])
    const loser = answers.findIndex(({ status }) => status === 400)
    assert.equal(answers[loser]?.body.error.code, 'NUMBER_ALREADY_CONNECTED')
    assert.equal(await holderOf(world, number.phoneNumberId), ids[1 - loser])
    assert.equal((await readChannelRow(world.hub.sql, ids[loser] ?? '')).status, 'pending')
    const shown = await world.hub.anonymous.get(`/api/v1/connect/${links[loser]}`)
    assert.equal(shown.status, 200)
  }
})

/** Stops a connection right before it is written down, when every upstream step is done. */
async function holdLastStep(world: HubWithUpstream, channelId: string) {
  return holdTransaction(world.hub.sql, async (tx) => tx`select id from channels where id = ${channelId} for update`)
}

test('a number taken meanwhile is refused although it was free at the first look', async (t) => {
  const world = await startHubWithUpstream(t)
  const [acme, other] = [await world.hub.organization(), await world.hub.organization()]
  const number = await world.up.number()
  const { id } = await createChannel(acme)
  const link = await createLink(acme, id)
  const held = await holdLastStep(world, id)
  const connecting = world.post(link, number)
  await waitUntilBlocked(world.hub.sql, 1)

  const winner = await world.connect(other, { number })
  await held.release()
  const refused = await connecting

  assert.equal(refused.body.error.code, 'NUMBER_ALREADY_CONNECTED')
  assert.equal(await holderOf(world, number.phoneNumberId), winner.id)
})

test('a number whose holder is deleted in the same moment is in the directory afterwards', async (t) => {
  const world = await startHubWithUpstream(t)
  const [acme, other] = [await world.hub.organization(), await world.hub.organization()]
  const loser = await world.connect(other)
  await world.move(other, loser, 'DISCONNECTED')
  const { phoneNumberId } = loser.number
  const { id } = await createChannel(acme)
  const link = await createLink(acme, id)
  const held = await holdLastStep(world, id)
  const connecting = world.post(link, loser.number)
  await waitUntilBlocked(world.hub.sql, 1)

  const deleting = await holdTransaction(
    world.hub.sql,
    async (tx) => tx`select 1 from channel_numbers where phone_number_id = ${phoneNumberId} for update`,
    async (tx) => tx`delete from channel_numbers where phone_number_id = ${phoneNumberId}`,
  )
  await held.release()
  await waitUntilBlocked(world.hub.sql, 1)
  await deleting.release()
  const connected = await connecting

  assert.equal(connected.status, 200)
  assert.equal(await holderOf(world, phoneNumberId), id)
})
