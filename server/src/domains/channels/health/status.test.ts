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

/** A connected channel, with functions that run its checks and read their effect. */
async function startChannel(t: TestContext, env: Record<string, string> = {}) {
  const setup = await startHubWithUpstream(t, { env, isCalledBack: false })
  // The tests of a file share a database, and the job would also check the channels of other tests.
  await setup.hub.sql`update channels set archived_at = hub_now() where archived_at is null`
  const acme = await setup.hub.organization()
  const channel = await setup.connect(acme)

  async function nextCheck(): Promise<void> {
    await setup.hub.clock.advance(FIRST_CHECK)
    await setup.hub.runJobs()
  }
  async function shown() {
    return (await acme.get(`/api/v1/channels/${channel.id}`)).body.data.channel
  }
  /** The events after the first connection. */
  async function transitions() {
    const events = await listEvents(setup.hub.sql, channel.id)
    return events.slice(2).map(({ kind, data }) => [kind, data.channel.status, data.reason])
  }
  function change(members: Record<string, string>): Promise<unknown> {
    return setup.up.simulator.control('PATCH', `/numbers/${channel.number.phoneNumberId}`, members)
  }
  function revoke(): Promise<unknown> {
    return setup.up.simulator.control('POST', '/tokens/revoke', { waba_id: channel.number.wabaId })
  }
  return { ...setup, acme, channel, nextCheck, shown, transitions, change, revoke }
}

function listChecks(setup: HubWithUpstream, phoneNumberId: string) {
  return setup.requests(`/${phoneNumberId}`).then((all) => all.filter(({ method }) => method === 'GET'))
}

test('a revoked token disconnects the channel once', { rules: ['channel.disconnected-has-no-access'] }, async (t) => {
  const fixture = await startChannel(t)
  await fixture.revoke()

  await fixture.nextCheck()
  await fixture.nextCheck()

  assert.equal((await fixture.shown()).status, 'disconnected')
  assert.deepEqual(await fixture.transitions(), [['channel.disconnected', 'disconnected', 'credential_refused']])
})

for (const [status, reason] of [
  ['FLAGGED', 'number_flagged'],
  ['RESTRICTED', 'number_restricted'],
  ['RATE_LIMITED', 'number_rate_limited'],
] as const) {
  test(`a number that becomes ${status} degrades the channel, and CONNECTED makes it active again`, async (t) => {
    const fixture = await startChannel(t)

    await fixture.change({ status })
    await fixture.nextCheck()
    await fixture.nextCheck()
    const during = await fixture.shown()
    await fixture.change({ status: 'CONNECTED' })
    await fixture.nextCheck()

    assert.equal(during.status, 'degraded')
    assert.equal((await fixture.shown()).status, 'active')
    assert.deepEqual(await fixture.transitions(), [
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
  test(`a number that becomes ${status} disconnects the channel, and CONNECTED makes it active again`, async (t) => {
    const fixture = await startChannel(t)

    await fixture.change({ status })
    await fixture.nextCheck()
    const during = await fixture.shown()
    await fixture.change({ status: 'CONNECTED' })
    await fixture.nextCheck()

    assert.equal(during.status, 'disconnected')
    assert.equal((await fixture.shown()).status, 'active')
    assert.deepEqual(await fixture.transitions(), [
      ['channel.disconnected', 'disconnected', reason],
      ['channel.connected', 'active', null],
    ])
  })
}

test('a number that the token can no longer read disconnects the channel', {
  rules: ['channel.disconnected-has-no-access'],
}, async (t) => {
  const fixture = await startChannel(t)
  await fixture.up.simulator.control('POST', `/accounts/${fixture.channel.number.wabaId}/events`, { event: 'remove' })

  await fixture.nextCheck()

  assert.equal((await fixture.shown()).status, 'disconnected')
  assert.deepEqual(await fixture.transitions(), [['channel.disconnected', 'disconnected', 'number_gone']])
})

for (const status of ['PENDING', 'UNVERIFIED', 'UNKNOWN', 'SOMETHING_NEW']) {
  test(`a number that becomes ${status} does not change the channel`, async (t) => {
    const fixture = await startChannel(t)

    await fixture.change({ status })
    await fixture.nextCheck()

    assert.equal((await fixture.shown()).status, 'active')
    assert.deepEqual(await fixture.transitions(), [])
  })
}

for (const [what, kind, more] of [
  ['a 5xx', 'http', { status: 503 }],
  ['a transient error object', 'error', { code: 2 }],
  ['throttling', 'throttle', { code: 80007 }],
  ['a connection reset', 'reset_before', {}],
  ['incomplete JSON', 'garbled_after', {}],
  ['a timeout', 'hang_before', {}],
  ['a refusal that names neither credential nor number', 'error', { code: 10 }],
] as const) {
  test(`${what} does not change the channel`, { rules: ['channel.timeout-never-changes-status'] }, async (t) => {
    const fixture = await startChannel(t, { UPSTREAM_TIMEOUT_MS: '2000' })
    await fixture.change({ quality: 'RED', status: 'FLAGGED' })
    await fixture.fault(kind, `/${fixture.channel.number.phoneNumberId}`, { times: null, ...more })

    await fixture.nextCheck()
    await waitForHeldRequests(fixture.up)

    const { status, quality_rating, subscribed_ok } = await fixture.shown()
    assert.deepEqual([status, quality_rating, subscribed_ok], ['active', 'GREEN', true])
    assert.deepEqual(await fixture.transitions(), [])
  })
}

test('a check refreshes name and quality of the number, and a missing rating is UNKNOWN', {
  rules: ['channel.quality-is-the-upstreams'],
}, async (t) => {
  const fixture = await startChannel(t)

  await fixture.change({ quality: 'YELLOW', verified_name: 'Padaria Nova', status: 'CONNECTED' })
  await fixture.nextCheck()
  const changed = await fixture.shown()
  await fixture.change({ quality: 'NA', status: 'CONNECTED' })
  await fixture.nextCheck()

  assert.equal(changed.verified_name, 'Padaria Nova')
  assert.equal(changed.quality_rating, 'YELLOW')
  assert.equal(changed.display_phone_number, fixture.channel.number.display)
  assert.equal((await fixture.shown()).quality_rating, 'UNKNOWN')
  assert.deepEqual(await fixture.transitions(), [])
})

test('a connected channel is checked once an hour, and a pending or archived one never', async (t) => {
  const fixture = await startChannel(t)
  const pending = await createChannel(fixture.acme)
  const gone = await fixture.connect(await fixture.hub.organization())
  await fixture.hub.sql`update channels set archived_at = hub_now() where id = ${gone.id}`
  const { phoneNumberId } = fixture.channel.number
  const before = (await listChecks(fixture, phoneNumberId)).length
  const goneBefore = (await listChecks(fixture, gone.number.phoneNumberId)).length

  await fixture.hub.runJobs()
  const early = (await listChecks(fixture, phoneNumberId)).length
  await fixture.nextCheck()
  await fixture.hub.runJobs()

  assert.equal(early, before)
  assert.equal((await listChecks(fixture, phoneNumberId)).length, before + 1)
  assert.equal((await listChecks(fixture, gone.number.phoneNumberId)).length, goneBefore)
  assert.equal((await readChannelRow(fixture.hub.sql, pending.id)).status, 'pending')
})

test('the channels that are due are checked in one run, however many they are', async (t) => {
  const { hub, acme } = await startChannel(t)
  await hub.sql`
    insert into channels (organization_id, id, name, status, checked_at)
    select ${acme.organizationId}, gen_random_uuid(), 'due', 'disconnected', hub_now() - interval '2 hours'
    from generate_series(1, 120)`

  await hub.context.health.checkDue()

  const due = await hub.sql`
    select from channels
    where organization_id = ${acme.organizationId} and checked_at < hub_now() - interval '1 hour'`
  assert.equal(due.length, 0)
})

test('channels whose checks fail do not keep another one from its check', async (t) => {
  const { hub, acme, connect, up } = await startChannel(t, { BILLING: 'off' })
  for (let made = 0; made < 10; made++) await connect(acme)
  const [last] = await hub.sql<{ id: string }[]>`
    select id from channels where organization_id = ${acme.organizationId} order by ctid desc limit 1`
  const numbers = await hub.sql<{ phone_number_id: string }[]>`
    select phone_number_id from channels where organization_id = ${acme.organizationId}`
  for (const { phone_number_id } of numbers) {
    await up.simulator.control('PATCH', `/numbers/${phone_number_id}`, { status: 'FLAGGED' })
  }
  await hub.sql.unsafe(`
    alter table channels add constraint refuses_others
    check (id = '${last?.id}' or organization_id <> '${acme.organizationId}' or status <> 'degraded') not valid`)
  t.after(() => hub.sql`alter table channels drop constraint refuses_others`)
  await hub.clock.advance(FIRST_CHECK)

  await assert.rejects(hub.context.health.checkDue())

  const degraded = await hub.sql`
    select id from channels where organization_id = ${acme.organizationId} and status = 'degraded'`
  assert.deepEqual([...degraded], [last])
})

test('one of several concurrent jobs checks each channel', async (t) => {
  const fixture = await startChannel(t)
  const others = []
  for (let i = 0; i < 12; i++) others.push(await fixture.connect(await fixture.hub.organization()))
  const ids = [fixture.channel, ...others].map(({ number }) => number.phoneNumberId)
  const counts = () => Promise.all(ids.map(async (id) => (await listChecks(fixture, id)).length))
  const before = await counts()
  await fixture.hub.clock.advance(FIRST_CHECK)

  await Promise.all([1, 2, 3].map(() => fixture.hub.context.health.checkDue()))

  assert.deepEqual(
    await counts(),
    before.map((count) => count + 1),
  )
})

test('a channel whose number another channel took stays disconnected although its old token reads a healthy number', async (t) => {
  const fixture = await startChannel(t)
  await fixture.change({ status: 'DISCONNECTED' })
  await fixture.nextCheck()
  await fixture.change({ status: 'CONNECTED' })
  const rival = await fixture.hub.organization()
  const { id } = await createChannel(rival)
  assert.equal((await connectWithToken(rival, id, fixture.channel.number)).status, 200)

  await fixture.nextCheck()

  assert.equal((await fixture.shown()).status, 'disconnected')
  assert.equal((await rival.get(`/api/v1/channels/${id}`)).body.data.channel.status, 'active')
  assert.deepEqual(await fixture.transitions(), [['channel.disconnected', 'disconnected', 'number_disconnected']])
})
