import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createChannel } from '../../../../test/hub-with-upstream.ts'
import { startReceiver } from '../../../../test/receiver.ts'
import { newContact, startSending } from '../../messages/test/fixture.ts'
import { buildEnv, createRequests } from '../../webhooks/test/fixture.ts'

test('a channel has the times of its last inbound and outbound message, and the number of its endpoints', {
  rules: ['statistics.channels-show-last-activity'],
}, async (t) => {
  const receiver = await startReceiver(t)
  const { hub, up, acme, channel, send, wait } = await startSending(t, { env: buildEnv(receiver) })
  const ana = await hub.person({ organizationId: acme.organizationId, role: 'viewer' })
  const { endpoint } = createRequests(hub, receiver, acme)
  const quiet = await createChannel(acme)
  await endpoint()
  await endpoint({ all_channels: false, channel_ids: [channel.id] })
  const list = async (query = '') => (await ana.get(`/console/channel-activity${query}`)).body.data.channels
  const message = { to: channel.number.phoneNumberId, type: 'text', text: { body: 'Oi' } }
  await up.simulator.control('POST', `/contacts/${newContact()}/messages`, message)
  await wait(5)
  await hub.clock.advance('1 hour')
  await send()

  const before = await list()
  await hub.context.counts.fold()
  const after = await list()

  assert.deepEqual(after, before)
  const [newest, first] = after
  const none = { last_inbound_at: null, last_outbound_at: null }
  assert.deepEqual(newest, { channel_id: quiet.id, ...none, endpoints: 1 })
  assert.deepEqual([first.channel_id, first.endpoints], [channel.id, 2])
  assert.ok(Date.parse(first.last_outbound_at) - Date.parse(first.last_inbound_at) >= 3_600_000)
})

test('channel activity is read in pages or by ids, of the organization only', {
  rules: ['statistics.channels-show-last-activity'],
}, async (t) => {
  const { hub, acme, channel } = await startSending(t, { env: { BILLING: 'off' } })
  const [ana, bob] = [await hub.person({ organizationId: acme.organizationId, role: 'viewer' }), await hub.person()]
  const ids = [channel.id]
  for (let i = 0; i < 3; i++) ids.unshift((await createChannel(acme)).id)
  const foreign = await createChannel(bob)
  const list = async (query: string) => (await ana.get(`/console/channel-activity?${query}`)).body.data
  const toIds = (page: { channels: { channel_id: string }[] }) => page.channels.map(({ channel_id }) => channel_id)

  const first = await list('limit=3')
  const second = await list(`limit=3&cursor=${first.next_cursor}`)
  const named = await list(`ids=${channel.id},${ids[0]},${foreign.id}`)

  assert.deepEqual([...toIds(first), ...toIds(second)], ids)
  assert.equal(second.next_cursor, null)
  assert.deepEqual([toIds(named), named.next_cursor], [[ids[0], channel.id], null])
  assert.equal((await bob.get(`/console/channel-activity?cursor=${first.next_cursor}`)).status, 400)
  assert.equal((await ana.get('/console/channel-activity?ids=nothing')).status, 400)
})
