import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startHubWithUpstream } from '../../../test/hub-with-upstream.ts'

async function startHeld(t: Parameters<typeof startHubWithUpstream>[0], event: string) {
  const world = await startHubWithUpstream(t)
  const acme = await world.hub.organization()
  const channel = await world.connect(acme)
  await world.up.simulator.control('POST', `/accounts/${channel.number.wabaId}/events`, { event })
  const key = { organizationId: acme.organizationId, id: channel.id }

  /** The channel's status after the hub's own check of the number. */
  async function checked(): Promise<string> {
    await world.hub.context.health.check(key)
    return (await acme.get(`/api/v1/channels/${channel.id}`)).body.data.channel.status
  }
  return { ...world, acme, channel, checked }
}

test('a channel of a restricted account stays degraded although its number is well, until the restriction ends', {
  rules: ['D8-22'],
}, async (t) => {
  const { hub, checked } = await startHeld(t, 'restrict')

  const held = await checked()
  await hub.clock.advance('8 days')
  const lifted = await checked()

  assert.deepEqual([held, lifted], ['degraded', 'active'])
})

test('a channel whose account is about to be banned stays degraded until the upstream takes it back', {
  rules: ['D8-22'],
}, async (t) => {
  const { up, hub, channel, checked } = await startHeld(t, 'schedule_ban')

  await hub.clock.advance('60 days')
  const held = await checked()
  await up.simulator.control('POST', '/clock', { advance_seconds: 60 })
  await up.simulator.control('POST', `/accounts/${channel.number.wabaId}/events`, { event: 'reinstate' })
  const taken = await checked()

  assert.deepEqual([held, taken], ['degraded', 'active'])
})
