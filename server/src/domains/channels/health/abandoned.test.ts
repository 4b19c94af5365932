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

test('a pending channel is archived by the system after PENDING_CHANNEL_DAYS and frees quota', {
  rules: ['channel.pending-one-is-archived'],
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

test('a pending channel is archived after seven days by default', {
  rules: ['config.defaults', 'channel.pending-one-is-archived'],
}, async (t) => {
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

test('a disconnected channel is never archived by the job', async (t) => {
  const setup = await startHubWithUpstream(t)
  const acme = await setup.hub.organization()
  const channel = await setup.connect(acme)
  await setup.move(acme, channel, 'DISCONNECTED')

  await setup.hub.clock.advance('400 days')
  await setup.hub.context.health.archiveAbandoned()

  assert.equal((await acme.get(`/api/v1/channels/${channel.id}`)).body.data.channel.status, 'disconnected')
})

test('a channel that is connected concurrently with its archiving is kept', async (t) => {
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

test('one of several concurrent jobs archives a channel and records it', async (t) => {
  const { hub } = await startHubWithUpstream(t)
  const acme = await hub.organization()
  const { id } = await createChannel(acme)
  await hub.clock.advance('8 days')

  await Promise.all([1, 2, 3].map(() => hub.context.health.archiveAbandoned()))

  const actions = (await listAuditEntries(acme, id)).map(({ action }) => action)
  assert.deepEqual(actions, ['channel.created', 'channel.deleted'])
})
