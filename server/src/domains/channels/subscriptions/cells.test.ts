import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import {
  addTwoNumbers,
  cellVariables,
  claimAccount,
  claimNumber,
  readCallbackUrl,
  readCallbackUrls,
  startOtherCell,
  unclaimNumber,
} from '../../../../test/cells.ts'
import {
  createChannel,
  createLink,
  listAuditEntries,
  listEvents,
  startHubWithUpstream,
} from '../../../../test/hub-with-upstream.ts'
import { connectWithToken, startRelayed } from '../../../../test/relay.ts'
import type { SeededNumber } from '../../../../test/upstream.ts'
import { SYSTEM } from '../../audit/initiator.ts'
import type { Check } from '../schemas.ts'

/** A hub that is a cell. The callbacks of the app arrive elsewhere. */
async function startCell(t: TestContext) {
  const env = await cellVariables('br01')
  const fixture = await startHubWithUpstream(t, { env, isCalledBack: false })
  const { hub, up } = fixture
  const app = await startOtherCell(t)
  await up.simulator.control('PUT', '/callback', { url: app.callbackUrl, verify_token: up.simulator.verifyToken })
  const acme = await hub.organization()

  async function diagnose(id: string): Promise<Check | undefined> {
    const { checks } = (await acme.get(`/api/v1/channels/${id}/diagnostics`)).body.data.diagnostics
    return checks.find((check: Check) => check.id === 'subscription')
  }
  async function show(id: string) {
    const { status, subscribed_ok } = (await acme.get(`/api/v1/channels/${id}`)).body.data.channel
    return [status, subscribed_ok]
  }
  const check = (id: string) => hub.context.health.check({ organizationId: acme.organizationId, id })
  const receive = (number: SeededNumber) =>
    up.simulator.control('POST', '/contacts/5511999990000/messages', {
      to: number.phoneNumberId,
      type: 'text',
      text: { body: 'oi' },
    })
  const own = `${env.PUBLIC_URL}/hooks/upstream`
  return { ...fixture, acme, app, own, diagnose, show, check, receive, callbackUrlOf: readCallbackUrl.bind(null, up) }
}

test('connecting a number sends its messages to the address of its own cell', {
  rules: ['cell.connecting-sets-its-address', 'cell.diagnostics-say-who-receives'],
}, async (t) => {
  const cell = await startCell(t)
  const { id, number } = await cell.connect(cell.acme)

  await cell.receive(number)

  assert.equal(await cell.callbackUrlOf(number), cell.own)
  const log = await cell.acme.get(`/api/v1/channels/${id}/messages?direction=inbound`)
  assert.equal(log.body.data.messages.length, 1)
  assert.equal(cell.app.received.filter(({ method }) => method === 'POST').length, 0)
  const check = await cell.diagnose(id)
  assert.deepEqual([check?.status, check?.reason], ['ok', 'callbacks_to_cell'])
  assert.deepEqual(check?.parameters, { cell: 'br01', url: cell.own })
})

test('without CELL a number has no address of its own', { rules: ['cell.connecting-sets-its-address'] }, async (t) => {
  const { hub, up, connect, requests } = await startHubWithUpstream(t)
  const acme = await hub.organization()

  const { number } = await connect(acme)

  assert.deepEqual(await readCallbackUrls(up, number), { number: undefined, account: undefined })
  const calls = (await requests()).filter(({ params }) => JSON.stringify(params).includes('webhook_configuration'))
  assert.equal(calls.length, 1, 'that of this test')
})

for (const [what, claim] of [
  ['whose account', claimAccount],
  ['that itself', claimNumber],
] as const) {
  test(`a number ${what} sends its messages to another cell is 400, and nothing changes`, {
    rules: ['cell.number-of-another-cell-is-400'],
  }, async (t) => {
    const cell = await startCell(t)
    const other = await startOtherCell(t)
    const number = await cell.up.number({ subscribed: true })
    await claim(cell.up, number, other.callbackUrl)
    const { id } = await createChannel(cell.acme)
    const before = (await cell.requests()).length

    const refused = await connectWithToken(cell.acme, id, number)

    assert.deepEqual([refused.status, refused.body.error.code], [400, 'NUMBER_ALREADY_CONNECTED'])
    assert.equal(refused.body.error.details.reason, 'account_connected_elsewhere')
    assert.ok(!refused.text.includes(other.url))
    const methods = (await cell.requests()).slice(before).map(({ method }) => method)
    assert.ok(!methods.includes('POST'), methods.join())
    assert.deepEqual(await cell.show(id), ['pending', undefined])
  })
}

test('a number of an account that another cell has numbers of connects, and takes no messages of those', {
  rules: ['cell.numbers-of-an-account-in-two-cells', 'cell.connecting-sets-its-address'],
}, async (t) => {
  const cell = await startCell(t)
  const other = await startOtherCell(t)
  // The first is of another cell, the second of one that was no cell yet when it was connected.
  for (const [theirs, ours, claimed] of [
    [...(await addTwoNumbers(cell.up)), true],
    [...(await addTwoNumbers(cell.up)), false],
  ] as const) {
    if (claimed) await claimNumber(cell.up, theirs, other.callbackUrl)
    const { id } = await createChannel(cell.acme)

    const answer = await connectWithToken(cell.acme, id, ours)

    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(await readCallbackUrls(cell.up, ours), { number: cell.own, account: undefined })
    assert.equal(await cell.callbackUrlOf(theirs), claimed ? other.callbackUrl : undefined)
    assert.equal((await cell.acme.delete(`/api/v1/channels/${id}`)).status, 200)
    assert.equal(await cell.callbackUrlOf(theirs), claimed ? other.callbackUrl : undefined)
  }
})

test('connecting a number again leaves the address of its account', {
  rules: ['cell.numbers-of-an-account-in-two-cells'],
}, async (t) => {
  const cell = await startCell(t)
  const other = await startOtherCell(t)
  const { id, number } = await cell.connect(cell.acme)
  await claimAccount(cell.up, number, other.callbackUrl)

  const again = await connectWithToken(cell.acme, id, number)

  assert.equal(again.status, 200, again.text)
  assert.deepEqual(await readCallbackUrls(cell.up, number), { number: cell.own, account: other.callbackUrl })
})

test('the deletion of a channel lets another cell have its number alone, also of two at once', {
  rules: ['cell.deletion-releases-the-number'],
}, async (t) => {
  const cell = await startCell(t)
  const connectTwo = async () => {
    const numbers = await addTwoNumbers(cell.up)
    const ids: string[] = []
    for (const number of numbers) {
      const { id } = await createChannel(cell.acme)
      assert.equal((await connectWithToken(cell.acme, id, number)).status, 200)
      ids.push(id)
    }
    return { numbers, remove: (index: number) => cell.acme.delete(`/api/v1/channels/${ids[index]}`) }
  }

  const inTurn = await connectTwo()
  assert.equal((await inTurn.remove(0)).status, 200)
  const afterOne = await Promise.all(inTurn.numbers.map(cell.callbackUrlOf))
  await inTurn.remove(1)
  const atOnce = await connectTwo()
  await Promise.all([atOnce.remove(0), atOnce.remove(1)])

  assert.deepEqual(afterOne, [undefined, cell.own])
  assert.deepEqual(await Promise.all(atOnce.numbers.map(cell.callbackUrlOf)), [undefined, undefined])
})

test('a connection that asks for a PIN, or fails, leaves no address, and neither does the end of its channel', {
  rules: ['cell.failed-connection-leaves-no-address'],
}, async (t) => {
  const cell = await startCell(t)
  const number = await cell.up.number({ registered: false, pin: '111111' })
  const [deleted, abandoned] = [await createChannel(cell.acme), await createChannel(cell.acme)]
  const statuses: number[] = []

  for (const pin of [undefined, '222222']) {
    for (const { id } of [deleted, abandoned]) {
      statuses.push((await connectWithToken(cell.acme, id, number, pin === undefined ? {} : { pin })).status)
    }
  }
  const link = await createLink(cell.acme, abandoned.id)
  statuses.push((await cell.post(link, number, { pin: '222222' })).status)
  const afterFailure = await readCallbackUrls(cell.up, number)
  await cell.acme.delete(`/api/v1/channels/${deleted.id}`)
  await cell.hub.context.deletions.archivePending(
    { organizationId: cell.acme.organizationId, id: abandoned.id },
    SYSTEM,
  )

  assert.deepEqual(statuses, [400, 400, 400, 400, 400])
  assert.deepEqual(afterFailure, { number: undefined, account: undefined })
  assert.deepEqual(await readCallbackUrls(cell.up, number), { number: undefined, account: undefined })
})

test('a channel that is deleted while its address is being set leaves no address', {
  rules: ['cell.deletion-releases-the-number'],
}, async (t) => {
  const { up, relay, hub, acme, number, id } = await startRelayed(t, { env: await cellVariables('br01') })
  await unclaimNumber(up, number)
  const setting = relay.catchMethod('POST', `/${number.phoneNumberId}`)

  const check = hub.context.health.check({ organizationId: acme.organizationId, id })
  const { proceed } = await setting
  assert.equal((await acme.delete(`/api/v1/channels/${id}`)).status, 200)
  proceed()
  await check

  assert.equal(await readCallbackUrl(up, number), undefined)
})

test('a deletion leaves the address of another cell, and succeeds if the upstream refuses, with an entry in the audit log', {
  rules: ['cell.deletion-releases-the-number'],
}, async (t) => {
  const cell = await startCell(t)
  const other = await startOtherCell(t)
  const [taken, refused] = [await cell.connect(cell.acme), await cell.connect(cell.acme)]
  await claimNumber(cell.up, taken.number, other.callbackUrl)
  const { phoneNumberId } = refused.number
  await cell.fault('error', `/${phoneNumberId}`, { method: 'POST', code: 10, times: null })

  const answers = [
    await cell.acme.delete(`/api/v1/channels/${taken.id}`),
    await cell.acme.delete(`/api/v1/channels/${refused.id}`),
  ]

  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.data.archived]),
    [
      [200, true],
      [200, true],
    ],
  )
  assert.equal(await cell.callbackUrlOf(taken.number), other.callbackUrl)
  const left = (await listAuditEntries(cell.acme, refused.id)).at(-1)
  assert.equal(left?.action, 'channel.address_not_removed')
  assert.deepEqual([left?.details.phone_number_id, left?.details.code], [phoneNumberId, 10])
  assert.ok(!JSON.stringify(await listAuditEntries(cell.acme, taken.id)).includes('channel.address_not_removed'))
})

test('a deletion gives up the address of an upstream that does not respond within seconds', {
  rules: ['cell.deletion-releases-the-number'],
}, async (t) => {
  const { relay, acme, number, id } = await startRelayed(t, { env: await cellVariables('br01') })
  const held = relay.catch(`/${number.phoneNumberId}`)

  const deleted = await acme.delete(`/api/v1/channels/${id}`)

  assert.equal(deleted.status, 200)
  await held
  assert.equal((await listAuditEntries(acme, id)).at(-1)?.action, 'channel.address_not_removed')
})

test('a deletion does not deregister a number that another cell has', {
  rules: ['cell.deletion-leaves-the-number-of-another-cell'],
}, async (t) => {
  const cell = await startCell(t)
  const other = await startOtherCell(t)
  const [taken, kept] = [await cell.connect(cell.acme), await cell.connect(cell.acme)]
  // Both cells have connected it in the same second.
  await claimNumber(cell.up, taken.number, other.callbackUrl)

  for (const { id } of [taken, kept]) {
    assert.equal((await cell.acme.delete(`/api/v1/channels/${id}?deregister=true`)).status, 200)
  }

  const calls = (await cell.requests()).filter(({ path }) => path.endsWith('/deregister'))
  assert.deepEqual(
    calls.map(({ path }) => path.split('/').at(-2)),
    [kept.number.phoneNumberId],
  )
})

test('a deletion whose stored token no key opens has an entry in the audit log', {
  rules: ['cell.deletion-releases-the-number'],
}, async (t) => {
  const cell = await startCell(t)
  const { id, number } = await cell.connect(cell.acme)
  await cell.hub.sql`update channels set access_token = 'sealed with a lost key' where id = ${id}`

  const deleted = await cell.acme.delete(`/api/v1/channels/${id}`)

  assert.equal(deleted.status, 200)
  assert.equal(await cell.callbackUrlOf(number), cell.own)
  const left = (await listAuditEntries(cell.acme, id)).at(-1)
  assert.equal(left?.action, 'channel.address_not_removed')
  assert.deepEqual([left?.details.phone_number_id, left?.details.code], [number.phoneNumberId, null])
})

test('a number that is connected again while the deletion of its channel removes the address keeps it', {
  rules: ['cell.deletion-releases-the-number', 'cell.connecting-sets-its-address'],
}, async (t) => {
  const env = await cellVariables('br01')
  const { up, relay, acme, number, id } = await startRelayed(t, { env })
  const removing = relay.catchMethod('POST', `/${number.phoneNumberId}`)

  const deletion = acme.delete(`/api/v1/channels/${id}`)
  const { proceed } = await removing
  const again = await createChannel(acme)
  const connected = await connectWithToken(acme, again.id, number)
  proceed()

  assert.deepEqual([(await deletion).status, connected.status], [200, 200])
  assert.equal(await readCallbackUrl(up, number), `${env.PUBLIC_URL}/hooks/upstream`)
})

test('a check restores the address of the cell where there is none, and degrades the channel where there is another', {
  rules: ['cell.check-keeps-its-address', 'cell.diagnostics-say-who-receives'],
}, async (t) => {
  const cell = await startCell(t)
  const other = await startOtherCell(t)
  const { id, number } = await cell.connect(cell.acme)

  // As a number that was connected before CELL was set.
  await unclaimNumber(cell.up, number)
  const before = await cell.diagnose(id)
  await cell.check(id)
  const restored = await cell.callbackUrlOf(number)
  await claimNumber(cell.up, number, other.callbackUrl)
  await cell.check(id)
  const elsewhere = await cell.diagnose(id)

  assert.deepEqual([before?.status, before?.reason, restored], ['warning', 'callbacks_to_app', cell.own])
  assert.deepEqual([elsewhere?.status, elsewhere?.reason], ['failing', 'callbacks_elsewhere'])
  assert.deepEqual(elsewhere?.parameters, { cell: 'br01', url: other.callbackUrl })
  assert.equal(await cell.callbackUrlOf(number), other.callbackUrl)
  assert.deepEqual(await cell.show(id), ['degraded', false])
  const [, , change] = await listEvents(cell.hub.sql, id)
  assert.deepEqual([change?.kind, change?.data.reason], ['channel.degraded', 'subscription_lost'])
})

// An operator may have set CELL for the tokens alone, on a host that the upstream cannot reach.
test('a channel stays active while the upstream refuses the address of its cell, with a warning in the diagnostics', {
  rules: ['cell.check-keeps-its-address'],
}, async (t) => {
  const cell = await startCell(t)
  const { id, number } = await cell.connect(cell.acme)
  await unclaimNumber(cell.up, number)
  await cell.fault('error', `/${number.phoneNumberId}`, { method: 'POST', code: 100, times: null })

  await cell.check(id)

  assert.deepEqual(await cell.show(id), ['active', true])
  const check = await cell.diagnose(id)
  assert.deepEqual([check?.status, check?.reason], ['warning', 'callbacks_to_app'])
})
