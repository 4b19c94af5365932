import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createChannel,
  createLink,
  holdTransaction,
  listAuditEntries,
  listEvents,
  startHubWithUpstream,
  waitUntilBlocked,
} from '../../../../test/hub-with-upstream.ts'

test('a channel that nobody connects is archived after its days, by the system, and frees its slot', {
  rules: ['D6-44'],
}, async (t) => {
  const { hub } = await startHubWithUpstream(t, { env: { PENDING_CHANNEL_DAYS: '3' } })
  const acme = await hub.organization()
  const { id } = await createChannel(acme)
  const link = await createLink(acme, id)
  await createChannel(acme)
  assert.equal((await acme.post('/api/v1/channels', { name: 'third' })).body.error.code, 'QUOTA_EXCEEDED')

  await hub.clock.advance('71 hours')
  await hub.runJobs()
  const early = await acme.get(`/api/v1/channels/${id}`)
  await hub.clock.advance('2 hours')
  await hub.runJobs()

  assert.equal(early.status, 200)
  assert.equal((await acme.get(`/api/v1/channels/${id}`)).status, 404)
  assert.equal((await hub.anonymous.get(`/api/v1/connect/${link}`)).status, 404)
  assert.equal((await acme.post('/api/v1/channels', { name: 'third' })).status, 201)
  const [, , deleted] = await listAuditEntries(acme, id)
  assert.equal(deleted?.action, 'channel.deleted')
  assert.equal(deleted?.actor.type, 'system')
  assert.deepEqual(
    (await listEvents(hub.sql, id)).map(({ kind }) => kind),
    ['channel.created'],
  )
})

test('the days are seven unless told otherwise', { rules: ['D2-37', 'D6-44'] }, async (t) => {
  const { hub } = await startHubWithUpstream(t)
  const acme = await hub.organization()
  const { id } = await createChannel(acme)

  await hub.clock.advance('167 hours')
  await hub.runJobs()
  const early = await acme.get(`/api/v1/channels/${id}`)
  await hub.clock.advance('2 hours')
  await hub.runJobs()

  assert.equal(early.status, 200)
  assert.equal((await acme.get(`/api/v1/channels/${id}`)).status, 404)
})

test('a channel that was ever connected is never given up, however long it is disconnected', async (t) => {
  const world = await startHubWithUpstream(t)
  const acme = await world.hub.organization()
  const channel = await world.connect(acme)
  await world.move(acme, channel, 'DISCONNECTED')

  await world.hub.clock.advance('400 days')
  await world.hub.context.health.archiveAbandoned()

  assert.equal((await acme.get(`/api/v1/channels/${channel.id}`)).body.data.channel.status, 'disconnected')
})

// The last minute of the last day is when people hurry.
test('a channel that is connected at the very moment it would be given up stays', async (t) => {
  const { hub } = await startHubWithUpstream(t)
  const acme = await hub.organization()
  const { id } = await createChannel(acme)
  await hub.clock.advance('8 days')
  const connecting = await holdTransaction(hub.sql, (tx) => tx`update channels set status = 'active' where id = ${id}`)

  const archiving = hub.context.health.archiveAbandoned()
  await waitUntilBlocked(hub.sql, 1)
  await connecting.release()
  await archiving

  assert.equal((await acme.get(`/api/v1/channels/${id}`)).status, 200)
})

test('of two processes that give up at once, one does, and says so once', async (t) => {
  const { hub } = await startHubWithUpstream(t)
  const acme = await hub.organization()
  const { id } = await createChannel(acme)
  await hub.clock.advance('8 days')

  await Promise.all([1, 2, 3].map(() => hub.context.health.archiveAbandoned()))

  const actions = (await listAuditEntries(acme, id)).map(({ action }) => action)
  assert.deepEqual(actions, ['channel.created', 'channel.deleted'])
})
