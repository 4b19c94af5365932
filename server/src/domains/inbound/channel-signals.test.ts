import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createLink, PIN } from '../../../test/hub-with-upstream.ts'
import { AT, type Channel, dataOf, type Scene, startInbound, telling } from './test/scene.ts'

type Signal = [field: string, value: Record<string, unknown>]

const account = (event: string, more: object = {}): Signal => ['account_update', { event, ...more }]
const ban = (waba_ban_state: string): Signal => account('DISABLED_UPDATE', { ban_info: { waba_ban_state } })
const REMOVED = account('PARTNER_REMOVED')
const RESTRICTED = account('ACCOUNT_RESTRICTION')
const RECONNECTED = account('ACCOUNT_RECONNECTED')

async function startSignals(t: TestContext) {
  const scene = await startInbound(t)
  let seconds = 0

  /** Delivers signals one after the other, each a second later than the one before. */
  async function apply(...signals: Signal[]): Promise<void> {
    for (const [field, value] of signals) await at(AT + seconds++, [field, value])
  }
  function at(time: number, [field, value]: Signal): Promise<void> {
    return scene.deliver(telling(scene.channel, field, withDigits(field, value, scene.channel), time))
  }
  return { ...scene, apply, at, moves: () => movesOf(scene) }
}

function withDigits(field: string, value: object, { digits }: Channel) {
  return field === 'phone_number_quality_update' ? { display_phone_number: digits, ...value } : value
}

/** What was recorded after the channel was connected. */
async function movesOf(scene: Scene, channel: Channel = scene.channel) {
  const events = (await scene.events(channel)).filter(({ kind }) => kind.startsWith('channel.')).slice(2)
  return dataOf(events).map(({ channel: { status }, reason }, i) => [events[i]?.kind, status, reason])
}

async function statusOf({ sql, channel }: Scene): Promise<string | undefined> {
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
  test(`${what} makes an active channel ${status}, and says so once`, async (t) => {
    const scene = await startSignals(t)

    await scene.apply(signal, signal)

    assert.deepEqual(await scene.moves(), [[`channel.${status}`, status, reason]])
    assert.equal((await scene.acme.get(`/api/v1/channels/${scene.channel.id}`)).body.data.channel.status, status)
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
  test(`${what} brings the channel back, and says so once`, async (t) => {
    const scene = await startSignals(t)
    await scene.apply(worse)
    const before = await scene.moves()

    await scene.apply(better, better)

    assert.equal(before.length, 1)
    assert.deepEqual((await scene.moves()).slice(1), [['channel.connected', 'active', reason]])
  })
}

for (const [what, signal] of [
  ['a signal that reconnects an active channel', RECONNECTED],
  ['a reinstatement of an active channel', ban('REINSTATE')],
  ['an event that the table does not have', account('ACCOUNT_VIOLATION')],
  ['an event of the future', account('SOMETHING_NEW')],
  ['an event called like a member of every object', account('constructor')],
  ['a ban without a state', account('DISABLED_UPDATE')],
  ['a ban in a state of the future', ban('PAUSE')],
  ['a signal under another field', ['account_review_update', { event: 'PARTNER_REMOVED' }]],
  ['a signal that is no text', ['account_update', { event: ['PARTNER_REMOVED'] }]],
  ['a throughput upgrade', ['phone_number_quality_update', { event: 'THROUGHPUT_UPGRADE' }]],
] as [string, Signal][]) {
  test(`${what} does not move the channel`, async (t) => {
    const scene = await startSignals(t)

    await scene.apply(signal)

    assert.deepEqual(await scene.moves(), [])
    assert.equal(await statusOf(scene), 'active')
  })
}

for (const [what, newer, older, status] of [
  ['a removal', RECONNECTED, REMOVED, 'active'],
  ['a restriction', RECONNECTED, RESTRICTED, 'active'],
  ['a return', REMOVED, RECONNECTED, 'disconnected'],
  ['a return, to a degraded channel', RESTRICTED, RECONNECTED, 'degraded'],
  ['a restriction, to a disconnected channel', REMOVED, RESTRICTED, 'disconnected'],
] as [string, Signal, Signal, string][]) {
  test(`${what} that is older than the last signal changes nothing`, async (t) => {
    const scene = await startSignals(t)
    await scene.at(AT + 10, newer)
    const before = await scene.moves()

    await scene.at(AT + 9, older)

    assert.deepEqual(await scene.moves(), before)
    assert.equal(await statusOf(scene), status)
  })
}

const FLAGGED: Signal = ['phone_number_quality_update', { event: 'FLAGGED' }]
const UNFLAGGED: Signal = ['phone_number_quality_update', { event: 'UNFLAGGED' }]

test('a restricted account keeps its channel degraded although the number is flagged and unflagged meanwhile', async (t) => {
  const scene = await startSignals(t)

  await scene.apply(RESTRICTED, FLAGGED, UNFLAGGED)
  const held = await scene.moves()
  await scene.hub.context.health.check({ organizationId: scene.acme.organizationId, id: scene.channel.id })
  const checked = await statusOf(scene)
  await scene.apply(RECONNECTED)

  assert.deepEqual(held, [['channel.degraded', 'degraded', 'account_restricted']])
  assert.equal(checked, 'degraded')
  assert.equal(await statusOf(scene), 'active')
})

test('a number that is unflagged does not bring back a channel whose account is gone', async (t) => {
  const scene = await startSignals(t)

  await scene.apply(FLAGGED, REMOVED, UNFLAGGED)

  assert.equal(await statusOf(scene), 'disconnected')
})

test('what was said of an earlier connection does not move a channel that was connected again', async (t) => {
  const scene = await startSignals(t)
  const { acme, channel, hub, up } = scene
  const before = Math.floor(hub.clock.now().getTime() / 1000) - 60
  await scene.at(before, REMOVED)
  const link = await createLink(acme, channel.id)
  const { wabaId: waba_id, phoneNumberId: phone_number_id } = channel.number
  const code = await up.signUpCode(waba_id)
  const again = await hub.anonymous.post(`/api/v1/connect/${link}`, { code, waba_id, phone_number_id, pin: PIN })
  assert.equal(again.status, 200, again.text)

  await scene.at(before + 1, account('ACCOUNT_DELETED'))
  await scene.at(before + 2, FLAGGED)

  assert.equal(await statusOf(scene), 'active')
})

// A disconnected channel is not moved by a second removal, and must remember it all the same.
test('a return that is older than the last of two removals changes nothing', async (t) => {
  const scene = await startSignals(t)
  await scene.at(AT, REMOVED)
  await scene.at(AT + 10, account('ACCOUNT_DELETED'))

  await scene.at(AT + 5, RECONNECTED)

  assert.deepEqual(await scene.moves(), [['channel.disconnected', 'disconnected', 'partner_removed']])
})

test('signals of one callback apply in the order of their times', async (t) => {
  const scene = await startInbound(t)
  const signal = ([field, value]: Signal, time: number) => telling(scene.channel, field, value, time)

  await scene.deliver(signal(RECONNECTED, AT + 3), signal(REMOVED, AT + 1), signal(RESTRICTED, AT + 2))

  assert.deepEqual(await movesOf(scene), [
    ['channel.disconnected', 'disconnected', 'partner_removed'],
    ['channel.degraded', 'degraded', 'account_restricted'],
    ['channel.connected', 'active', 'account_reconnected'],
  ])
})

test('a signal about one number moves that channel alone, and one about the account moves all of its channels', async (t) => {
  const scene = await startInbound(t)
  const sister = await scene.another({ wabaId: scene.channel.number.wabaId })
  const stranger = await scene.another()
  const [field, value] = REMOVED

  await scene.deliver(telling(sister, field, { ...value, phone_number: sister.digits }))
  const first = [await movesOf(scene), await movesOf(scene, sister)].map(({ length }) => length)
  await scene.deliver(telling(sister, ...RESTRICTED, AT + 1))

  assert.deepEqual(first, [0, 1])
  assert.deepEqual(await movesOf(scene), [['channel.degraded', 'degraded', 'account_restricted']])
  assert.equal((await movesOf(scene, sister)).length, 2)
  assert.deepEqual(await movesOf(scene, stranger), [])
})

test('a pending channel is not moved', async (t) => {
  const scene = await startInbound(t)
  await scene.sql`update channels set status = 'pending' where id = ${scene.channel.id}`

  await scene.deliver(telling(scene.channel, ...RESTRICTED))
  await scene.deliver(telling(scene.channel, ...RECONNECTED, AT + 1))

  assert.equal(await statusOf(scene), 'pending')
  assert.deepEqual(await movesOf(scene), [])
})

test('a channel that lost its number to another is not moved, and the other is', async (t) => {
  const scene = await startInbound(t)
  await scene.deliver(telling(scene.channel, ...RESTRICTED))
  await scene.deliver(telling(scene.channel, ...REMOVED, AT + 1))
  const before = await movesOf(scene)
  const bob = await scene.hub.organization()
  const heir = await scene.connect(bob, { number: scene.channel.number })

  await scene.deliver(telling(scene.channel, ...RECONNECTED, AT + 2))
  await scene.deliver(telling(scene.channel, ...RESTRICTED, AT + 3))

  assert.deepEqual(await movesOf(scene), before)
  assert.equal(await statusOf(scene), 'disconnected')
  assert.deepEqual(await movesOf(scene, { ...scene.channel, id: heir.id }), [
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
  test(`an account that the simulator lets ${event} has a ${status} channel`, async (t) => {
    const scene = await startInbound(t)

    await scene.up.simulator.control('POST', `/accounts/${scene.channel.number.wabaId}/events`, { event })

    assert.equal(await statusOf(scene), status)
  })
}
