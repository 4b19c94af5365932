import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { waitForHeldRequests } from '../../../../test/held-requests.ts'
import {
  createChannel,
  type HubWithUpstream,
  listEvents,
  readChannelRow,
  startHubWithUpstream,
} from '../../../../test/hub-with-upstream.ts'
import { connectWithToken } from '../../../../test/relay.ts'

const FIRST_CHECK = '61 minutes'

/** A connected channel, and what its timers make of it. */
async function startChannel(t: TestContext, env: Record<string, string> = {}) {
  const world = await startHubWithUpstream(t, { env, isCalledBack: false })
  // The file's tests share a database: what another one left is not this one's to check.
  await world.hub.sql`update channels set archived_at = hub_now() where archived_at is null`
  const acme = await world.hub.organization()
  const channel = await world.connect(acme)

  async function nextCheck(): Promise<void> {
    await world.hub.clock.advance(FIRST_CHECK)
    await world.hub.runJobs()
  }
  async function shown() {
    return (await acme.get(`/api/v1/channels/${channel.id}`)).body.data.channel
  }
  /** What was recorded after the first connection. */
  async function transitions() {
    const events = await listEvents(world.hub.sql, channel.id)
    return events.slice(2).map(({ kind, data }) => [kind, data.channel.status, data.reason])
  }
  function change(members: Record<string, string>): Promise<unknown> {
    return world.up.simulator.control('PATCH', `/numbers/${channel.number.phoneNumberId}`, members)
  }
  function revoke(): Promise<unknown> {
    return world.up.simulator.control('POST', '/tokens/revoke', { waba_id: channel.number.wabaId })
  }
  return { ...world, acme, channel, nextCheck, shown, transitions, change, revoke }
}

function checksOf(world: HubWithUpstream, phoneNumberId: string) {
  return world.requests(`/${phoneNumberId}`).then((all) => all.filter(({ method }) => method === 'GET'))
}

test('a revoked token disconnects the channel, once', { rules: ['D6-04'] }, async (t) => {
  const scene = await startChannel(t)
  await scene.revoke()

  await scene.nextCheck()
  await scene.nextCheck()

  assert.equal((await scene.shown()).status, 'disconnected')
  assert.deepEqual(await scene.transitions(), [['channel.disconnected', 'disconnected', 'credential_refused']])
})

for (const [status, reason] of [
  ['FLAGGED', 'number_flagged'],
  ['RESTRICTED', 'number_restricted'],
  ['RATE_LIMITED', 'number_rate_limited'],
] as const) {
  test(`a number that is ${status} degrades the channel, and one that is CONNECTED again brings it back`, async (t) => {
    const scene = await startChannel(t)

    await scene.change({ status })
    await scene.nextCheck()
    await scene.nextCheck()
    const during = await scene.shown()
    await scene.change({ status: 'CONNECTED' })
    await scene.nextCheck()

    assert.equal(during.status, 'degraded')
    assert.equal((await scene.shown()).status, 'active')
    assert.deepEqual(await scene.transitions(), [
      ['channel.degraded', 'degraded', reason],
      ['channel.connected', 'active', null],
    ])
  })
}

for (const [status, reason] of [
  ['BANNED', 'number_banned'],
  ['DELETED', 'number_deleted'],
  ['MIGRATED', 'number_migrated'],
  ['DISCONNECTED', 'number_disconnected'],
] as const) {
  test(`a number that is ${status} disconnects the channel, and one that is CONNECTED again brings it back`, async (t) => {
    const scene = await startChannel(t)

    await scene.change({ status })
    await scene.nextCheck()
    const during = await scene.shown()
    await scene.change({ status: 'CONNECTED' })
    await scene.nextCheck()

    assert.equal(during.status, 'disconnected')
    assert.equal((await scene.shown()).status, 'active')
    assert.deepEqual(await scene.transitions(), [
      ['channel.disconnected', 'disconnected', reason],
      ['channel.connected', 'active', null],
    ])
  })
}

test('a number that the token cannot see any more disconnects the channel', { rules: ['D6-04'] }, async (t) => {
  const scene = await startChannel(t)
  await scene.up.simulator.control('POST', `/accounts/${scene.channel.number.wabaId}/events`, { event: 'remove' })

  await scene.nextCheck()

  assert.equal((await scene.shown()).status, 'disconnected')
  assert.deepEqual(await scene.transitions(), [['channel.disconnected', 'disconnected', 'number_gone']])
})

for (const status of ['PENDING', 'UNVERIFIED', 'UNKNOWN', 'SOMETHING_NEW']) {
  test(`a number that is ${status} says nothing about the channel`, async (t) => {
    const scene = await startChannel(t)

    await scene.change({ status })
    await scene.nextCheck()

    assert.equal((await scene.shown()).status, 'active')
    assert.deepEqual(await scene.transitions(), [])
  })
}

for (const [what, kind, more] of [
  ['a 5xx', 'http', { status: 503 }],
  ['a transient error object', 'error', { code: 2 }],
  ['a throttle', 'throttle', { code: 80007 }],
  ['a reset connection', 'reset_before', {}],
  ['half a JSON', 'garbled_after', {}],
  ['silence', 'hang_before', {}],
  ['a refusal that names neither credential nor number', 'error', { code: 10 }],
] as const) {
  test(`${what} changes nothing about the channel`, { rules: ['D6-06'] }, async (t) => {
    const scene = await startChannel(t, { UPSTREAM_TIMEOUT_MS: '200' })
    await scene.change({ quality: 'RED', status: 'FLAGGED' })
    await scene.fault(kind, `/${scene.channel.number.phoneNumberId}`, { times: null, ...more })

    await scene.nextCheck()
    await waitForHeldRequests(scene.up)

    const { status, quality_rating, subscribed_ok } = await scene.shown()
    assert.deepEqual([status, quality_rating, subscribed_ok], ['active', 'GREEN', true])
    assert.deepEqual(await scene.transitions(), [])
  })
}

test('what the upstream says of the number is refreshed, and no rating yet is UNKNOWN', {
  rules: ['D6-07'],
}, async (t) => {
  const scene = await startChannel(t)

  await scene.change({ quality: 'YELLOW', verified_name: 'Padaria Nova', status: 'CONNECTED' })
  await scene.nextCheck()
  const changed = await scene.shown()
  await scene.change({ quality: 'NA', status: 'CONNECTED' })
  await scene.nextCheck()

  assert.equal(changed.verified_name, 'Padaria Nova')
  assert.equal(changed.quality_rating, 'YELLOW')
  assert.equal(changed.display_phone_number, scene.channel.number.display)
  assert.equal((await scene.shown()).quality_rating, 'UNKNOWN')
  assert.deepEqual(await scene.transitions(), [])
})

test('a channel is checked once an hour, and a pending or archived one never', async (t) => {
  const scene = await startChannel(t)
  const pending = await createChannel(scene.acme)
  const gone = await scene.connect(await scene.hub.organization())
  await scene.hub.sql`update channels set archived_at = hub_now() where id = ${gone.id}`
  const { phoneNumberId } = scene.channel.number
  const before = (await checksOf(scene, phoneNumberId)).length
  const goneBefore = (await checksOf(scene, gone.number.phoneNumberId)).length

  await scene.hub.runJobs()
  const early = (await checksOf(scene, phoneNumberId)).length
  await scene.nextCheck()
  await scene.hub.runJobs()

  assert.equal(early, before)
  assert.equal((await checksOf(scene, phoneNumberId)).length, before + 1)
  assert.equal((await checksOf(scene, gone.number.phoneNumberId)).length, goneBefore)
  assert.equal((await readChannelRow(scene.hub.sql, pending.id)).status, 'pending')
})

test('of two processes that check at once, each channel is checked by one', async (t) => {
  const scene = await startChannel(t)
  const others = []
  for (let i = 0; i < 12; i++) others.push(await scene.connect(await scene.hub.organization()))
  const ids = [scene.channel, ...others].map(({ number }) => number.phoneNumberId)
  const counts = () => Promise.all(ids.map(async (id) => (await checksOf(scene, id)).length))
  const before = await counts()
  await scene.hub.clock.advance(FIRST_CHECK)

  await Promise.all([1, 2, 3].map(() => scene.hub.context.health.checkDue()))

  assert.deepEqual(
    await counts(),
    before.map((count) => count + 1),
  )
})

test('a channel whose number another channel took stays disconnected, whatever its old token sees', async (t) => {
  const scene = await startChannel(t)
  await scene.change({ status: 'DISCONNECTED' })
  await scene.nextCheck()
  await scene.change({ status: 'CONNECTED' })
  const rival = await scene.hub.organization()
  const { id } = await createChannel(rival)
  assert.equal((await connectWithToken(rival, id, scene.channel.number)).status, 200)

  await scene.nextCheck()

  assert.equal((await scene.shown()).status, 'disconnected')
  assert.equal((await rival.get(`/api/v1/channels/${id}`)).body.data.channel.status, 'active')
  assert.deepEqual(await scene.transitions(), [['channel.disconnected', 'disconnected', 'number_disconnected']])
})
