import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createLink, PIN, startHubWithUpstream } from '../../../test/hub-with-upstream.ts'
import { AT, buildEntry, type Channel, type InboundFixture, readData, startInbound } from './test/fixture.ts'

type Signal = [field: string, value: Record<string, unknown>]

const account = (event: string, more: object = {}): Signal => ['account_update', { event, ...more }]
const ban = (waba_ban_state: string): Signal => account('DISABLED_UPDATE', { ban_info: { waba_ban_state } })
const REMOVED = account('PARTNER_REMOVED')
const RESTRICTED = account('ACCOUNT_RESTRICTION')
const RECONNECTED = account('ACCOUNT_RECONNECTED')

async function startSignals(t: TestContext) {
  const fixture = await startInbound(t)
  let seconds = 0

  /** Delivers signals one after the other, each a second later than the one before. */
  async function apply(...signals: Signal[]): Promise<void> {
    for (const [field, value] of signals) await at(AT + seconds++, [field, value])
  }
  function at(time: number, [field, value]: Signal): Promise<void> {
    return fixture.deliver(buildEntry(fixture.channel, field, withDigits(field, value, fixture.channel), time))
  }
  return { ...fixture, apply, at, moves: () => listMoves(fixture) }
}

function withDigits(field: string, value: object, { digits }: Channel) {
  return field === 'phone_number_quality_update' ? { display_phone_number: digits, ...value } : value
}

/** The channel events after the channel was connected. */
async function listMoves(fixture: InboundFixture, channel: Channel = fixture.channel) {
  const events = (await fixture.events(channel)).filter(({ kind }) => kind.startsWith('channel.')).slice(2)
  return readData(events).map(({ channel: { status }, reason }, i) => [events[i]?.kind, status, reason])
}

async function readStatus({ sql, channel }: InboundFixture): Promise<string | undefined> {
  const [row] = await sql<{ status: string }[]>`select status from channels where id = ${channel.id}`
  return row?.status
}

for (const [what, signal, status, reason] of [
  ['PARTNER_REMOVED', REMOVED, 'disconnected', 'partner_removed'],
  ['PARTNER_APP_UNINSTALLED', account('PARTNER_APP_UNINSTALLED'), 'disconnected', 'app_uninstalled'],
  ['ACCOUNT_DELETED', account('ACCOUNT_DELETED'), 'disconnected', 'account_deleted'],
  ['DISABLED_UPDATE with DISABLE', ban('DISABLE'), 'disconnected', 'account_disabled'],
  ['DISABLED_UPDATE with SCHEDULE_FOR_DISABLE', ban('SCHEDULE_FOR_DISABLE'), 'degraded', 'account_ban_scheduled'],
  ['ACCOUNT_RESTRICTION', RESTRICTED, 'degraded', 'account_restricted'],
  ['ACCOUNT_OFFBOARDED', account('ACCOUNT_OFFBOARDED'), 'degraded', 'account_offboarded'],
  ['FLAGGED', ['phone_number_quality_update', { event: 'FLAGGED' }], 'degraded', 'number_flagged'],
] as [string, Signal, string, string][]) {
  test(`${what} makes an active channel ${status}, with one event`, async (t) => {
    const fixture = await startSignals(t)

    await fixture.apply(signal, signal)

    assert.deepEqual(await fixture.moves(), [[`channel.${status}`, status, reason]])
    assert.equal((await fixture.acme.get(`/api/v1/channels/${fixture.channel.id}`)).body.data.channel.status, status)
  })
}

for (const [what, worse, better, reason] of [
  ['ACCOUNT_RECONNECTED', account('ACCOUNT_OFFBOARDED'), RECONNECTED, 'account_reconnected'],
  ['ACCOUNT_RECONNECTED after a removal', REMOVED, RECONNECTED, 'account_reconnected'],
  ['DISABLED_UPDATE with REINSTATE', ban('DISABLE'), ban('REINSTATE'), 'account_reinstated'],
  [
    'UNFLAGGED',
    ['phone_number_quality_update', { event: 'FLAGGED' }],
    ['phone_number_quality_update', { event: 'UNFLAGGED' }],
    'number_unflagged',
  ],
] as [string, Signal, Signal, string][]) {
  test(`${what} reconnects the channel, with one event`, async (t) => {
    const fixture = await startSignals(t)
    await fixture.apply(worse)
    const before = await fixture.moves()

    await fixture.apply(better, better)

    assert.equal(before.length, 1)
    assert.deepEqual((await fixture.moves()).slice(1), [['channel.connected', 'active', reason]])
  })
}

for (const [what, signal] of [
  ['a signal that reconnects an active channel', RECONNECTED],
  ['a reinstatement of an active channel', ban('REINSTATE')],
  ['an event without a status change', account('ACCOUNT_VIOLATION')],
  ['an unknown event', account('SOMETHING_NEW')],
  ['an event with the name of an inherited property', account('constructor')],
  ['a ban without a state', account('DISABLED_UPDATE')],
  ['a ban in an unknown state', ban('PAUSE')],
  ['a signal under another field', ['account_review_update', { event: 'PARTNER_REMOVED' }]],
  ['an event that is not text', ['account_update', { event: ['PARTNER_REMOVED'] }]],
  ['a throughput upgrade', ['phone_number_quality_update', { event: 'THROUGHPUT_UPGRADE' }]],
] as [string, Signal][]) {
  test(`${what} does not change the channel's status`, async (t) => {
    const fixture = await startSignals(t)

    await fixture.apply(signal)

    assert.deepEqual(await fixture.moves(), [])
    assert.equal(await readStatus(fixture), 'active')
  })
}

for (const [what, newer, older, status] of [
  ['a removal', RECONNECTED, REMOVED, 'active'],
  ['a restriction', RECONNECTED, RESTRICTED, 'active'],
  ['a reconnection', REMOVED, RECONNECTED, 'disconnected'],
  ['a reconnection of a degraded channel', RESTRICTED, RECONNECTED, 'degraded'],
  ['a restriction of a disconnected channel', REMOVED, RESTRICTED, 'disconnected'],
] as [string, Signal, Signal, string][]) {
  test(`${what} that is older than the last signal changes nothing`, async (t) => {
    const fixture = await startSignals(t)
    await fixture.at(AT + 10, newer)
    const before = await fixture.moves()

    await fixture.at(AT + 9, older)

    assert.deepEqual(await fixture.moves(), before)
    assert.equal(await readStatus(fixture), status)
  })
}

const FLAGGED: Signal = ['phone_number_quality_update', { event: 'FLAGGED' }]
const UNFLAGGED: Signal = ['phone_number_quality_update', { event: 'UNFLAGGED' }]

test('a channel of a restricted account stays degraded when its number is flagged and unflagged', async (t) => {
  const fixture = await startSignals(t)

  await fixture.apply(RESTRICTED, FLAGGED, UNFLAGGED)
  const held = await fixture.moves()
  await fixture.hub.context.health.check({ organizationId: fixture.acme.organizationId, id: fixture.channel.id })
  const checked = await readStatus(fixture)
  await fixture.apply(RECONNECTED)

  assert.deepEqual(held, [['channel.degraded', 'degraded', 'account_restricted']])
  assert.equal(checked, 'degraded')
  assert.equal(await readStatus(fixture), 'active')
})

test('an unflagged number does not reconnect a channel whose account was removed', async (t) => {
  const fixture = await startSignals(t)

  await fixture.apply(FLAGGED, REMOVED, UNFLAGGED)

  assert.equal(await readStatus(fixture), 'disconnected')
})

test('signals of an earlier connection do not change a channel that was connected again', async (t) => {
  const fixture = await startSignals(t)
  const { acme, channel, hub, up } = fixture
  const before = Math.floor(hub.clock.now().getTime() / 1000) - 60
  await fixture.at(before, REMOVED)
  const link = await createLink(acme, channel.id)
  const { wabaId: waba_id, phoneNumberId: phone_number_id } = channel.number
  const code = await up.signUpCode(waba_id)
  const again = await hub.anonymous.post(`/api/v1/connect/${link}`, { code, waba_id, phone_number_id, pin: PIN })
  assert.equal(again.status, 200, again.text)

  await fixture.at(before + 1, account('ACCOUNT_DELETED'))
  await fixture.at(before + 2, FLAGGED)

  assert.equal(await readStatus(fixture), 'active')
})

// A second removal does not change a disconnected channel, but its time must be stored.
test('a reconnection that is older than the last of two removals changes nothing', async (t) => {
  const fixture = await startSignals(t)
  await fixture.at(AT, REMOVED)
  await fixture.at(AT + 10, account('ACCOUNT_DELETED'))

  await fixture.at(AT + 5, RECONNECTED)

  assert.deepEqual(await fixture.moves(), [['channel.disconnected', 'disconnected', 'partner_removed']])
})

test('signals of one callback apply in the order of tsuccessor times', async (t) => {
  const fixture = await startInbound(t)
  const signal = ([field, value]: Signal, time: number) => buildEntry(fixture.channel, field, value, time)

  await fixture.deliver(signal(RECONNECTED, AT + 3), signal(REMOVED, AT + 1), signal(RESTRICTED, AT + 2))

  assert.deepEqual(await listMoves(fixture), [
    ['channel.disconnected', 'disconnected', 'partner_removed'],
    ['channel.degraded', 'degraded', 'account_restricted'],
    ['channel.connected', 'active', 'account_reconnected'],
  ])
})

test("a signal about a number changes that channel only, and one about an account all of the account's channels", async (t) => {
  const fixture = await startInbound(t)
  const sibling = await fixture.connectAnother({ wabaId: fixture.channel.number.wabaId })
  const unrelated = await fixture.connectAnother()
  const [field, value] = REMOVED

  await fixture.deliver(buildEntry(sibling, field, { ...value, phone_number: sibling.digits }))
  const first = [await listMoves(fixture), await listMoves(fixture, sibling)].map(({ length }) => length)
  await fixture.deliver(buildEntry(sibling, ...RESTRICTED, AT + 1))

  assert.deepEqual(first, [0, 1])
  assert.deepEqual(await listMoves(fixture), [['channel.degraded', 'degraded', 'account_restricted']])
  assert.equal((await listMoves(fixture, sibling)).length, 2)
  assert.deepEqual(await listMoves(fixture, unrelated), [])
})

test('signals do not change a pending channel', async (t) => {
  const fixture = await startInbound(t)
  await fixture.sql`update channels set status = 'pending' where id = ${fixture.channel.id}`

  await fixture.deliver(buildEntry(fixture.channel, ...RESTRICTED))
  await fixture.deliver(buildEntry(fixture.channel, ...RECONNECTED, AT + 1))

  assert.equal(await readStatus(fixture), 'pending')
  assert.deepEqual(await listMoves(fixture), [])
})

test('signals about a number change its new channel, and not its former one', async (t) => {
  const fixture = await startInbound(t)
  await fixture.deliver(buildEntry(fixture.channel, ...RESTRICTED))
  await fixture.deliver(buildEntry(fixture.channel, ...REMOVED, AT + 1))
  const before = await listMoves(fixture)
  const bob = await fixture.hub.organization()
  const successor = await fixture.connect(bob, { number: fixture.channel.number })

  await fixture.deliver(buildEntry(fixture.channel, ...RECONNECTED, AT + 2))
  await fixture.deliver(buildEntry(fixture.channel, ...RESTRICTED, AT + 3))

  assert.deepEqual(await listMoves(fixture), before)
  assert.equal(await readStatus(fixture), 'disconnected')
  assert.deepEqual(await listMoves(fixture, { ...fixture.channel, id: successor.id }), [
    ['channel.degraded', 'degraded', 'account_restricted'],
  ])
})

for (const [event, status] of [
  ['restrict', 'degraded'],
  ['schedule_ban', 'degraded'],
  ['offboard', 'degraded'],
  ['ban', 'disconnected'],
  ['remove', 'disconnected'],
  ['disconnect', 'disconnected'],
  ['uninstall', 'disconnected'],
  ['delete', 'disconnected'],
] as const) {
  test(`the account event ${event} of the simulator makes the channel ${status}`, async (t) => {
    const fixture = await startInbound(t)

    await fixture.up.simulator.control('POST', `/accounts/${fixture.channel.number.wabaId}/events`, { event })

    assert.equal(await readStatus(fixture), status)
  })
}

async function startWithAccountEvent(t: Parameters<typeof startHubWithUpstream>[0], event: string) {
  const fixture = await startHubWithUpstream(t)
  const acme = await fixture.hub.organization()
  const channel = await fixture.connect(acme)
  await fixture.up.simulator.control('POST', `/accounts/${channel.number.wabaId}/events`, { event })
  const key = { organizationId: acme.organizationId, id: channel.id }

  /** The channel's status after the hub's own check of the number. */
  async function checkStatus(): Promise<string> {
    await fixture.hub.context.health.check(key)
    return (await acme.get(`/api/v1/channels/${channel.id}`)).body.data.channel.status
  }
  return { ...fixture, acme, channel, checkStatus }
}

test('a channel of a restricted account stays degraded until the restriction ends, even if its number is connected', {
  rules: ['channel.restriction-holds-until-lifted'],
}, async (t) => {
  const { hub, checkStatus } = await startWithAccountEvent(t, 'restrict')

  const held = await checkStatus()
  await hub.clock.advance('8 days')
  const lifted = await checkStatus()

  assert.deepEqual([held, lifted], ['degraded', 'active'])
})

test('a channel of an account with a scheduled ban stays degraded until the upstream reinstates the account', {
  rules: ['channel.restriction-holds-until-lifted'],
}, async (t) => {
  const { up, hub, channel, checkStatus } = await startWithAccountEvent(t, 'schedule_ban')

  await hub.clock.advance('60 days')
  const held = await checkStatus()
  await up.simulator.control('POST', '/clock', { advance_seconds: 60 })
  await up.simulator.control('POST', `/accounts/${channel.number.wabaId}/events`, { event: 'reinstate' })
  const taken = await checkStatus()

  assert.deepEqual([held, taken], ['degraded', 'active'])
})
