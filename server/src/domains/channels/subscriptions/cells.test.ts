import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { cellVariables, claimAccount, claimNumber, readCallbackUrl, startOtherCell } from '../../../../test/cells.ts'
import { createChannel, listEvents, startHubWithUpstream } from '../../../../test/hub-with-upstream.ts'
import { connectWithToken } from '../../../../test/relay.ts'
import type { SeededNumber } from '../../../../test/upstream.ts'
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

  assert.equal(await cell.callbackUrlOf(number.wabaId), cell.own)
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

  assert.equal(await readCallbackUrl(up, number.wabaId), undefined)
  const calls = (await requests()).filter(({ params }) => JSON.stringify(params).includes('webhook_configuration'))
  assert.deepEqual(calls, [])
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

test('another number of an account of this cell connects, and the last deletion lets another cell have the account', {
  rules: ['cell.deletion-releases-the-account'],
}, async (t) => {
  const cell = await startCell(t)
  const account = await cell.up.simulator.control<{
    waba_id: string
    access_token: string
    numbers: { phone_number_id: string }[]
  }>('POST', '/accounts', { subscribed: false, numbers: [{ registered: true }, { registered: true }] })
  const ids: string[] = []
  for (const { phone_number_id } of account.numbers) {
    const { id } = await createChannel(cell.acme)
    const number = { wabaId: account.waba_id, phoneNumberId: phone_number_id, accessToken: account.access_token }
    const answer = await connectWithToken(cell.acme, id, number)
    assert.equal(answer.status, 200, answer.text)
    ids.push(id)
  }
  const urls: (string | undefined)[] = []

  for (const id of ids) {
    assert.equal((await cell.acme.delete(`/api/v1/channels/${id}`)).status, 200)
    urls.push(await cell.callbackUrlOf(account.waba_id))
  }

  assert.deepEqual(urls, [cell.own, undefined])
})

test('two numbers of an account that are deleted at once let another cell have the account', {
  rules: ['cell.deletion-releases-the-account'],
}, async (t) => {
  const cell = await startCell(t)
  const account = await cell.up.simulator.control<{
    waba_id: string
    access_token: string
    numbers: { phone_number_id: string }[]
  }>('POST', '/accounts', { subscribed: false, numbers: [{ registered: true }, { registered: true }] })
  const ids: string[] = []
  for (const { phone_number_id } of account.numbers) {
    const { id } = await createChannel(cell.acme)
    const number = { wabaId: account.waba_id, phoneNumberId: phone_number_id, accessToken: account.access_token }
    assert.equal((await connectWithToken(cell.acme, id, number)).status, 200)
    ids.push(id)
  }

  const answers = await Promise.all(ids.map((id) => cell.acme.delete(`/api/v1/channels/${id}`)))

  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  )
  assert.equal(await cell.callbackUrlOf(account.waba_id), undefined)
})

test('a number with the address of this cell is 400 while its account has that of another cell', {
  rules: ['cell.number-of-another-cell-is-400'],
}, async (t) => {
  const cell = await startCell(t)
  const other = await startOtherCell(t)
  const number = await cell.up.number({ subscribed: true })
  await claimAccount(cell.up, number, other.callbackUrl)
  await claimNumber(cell.up, number, cell.own)
  const { id } = await createChannel(cell.acme)

  const refused = await connectWithToken(cell.acme, id, number)

  assert.deepEqual([refused.status, refused.body.error.code], [400, 'NUMBER_ALREADY_CONNECTED'])
  assert.equal(await cell.callbackUrlOf(number.wabaId), other.callbackUrl)
})

test('a connection that asks for a PIN claims no account', {
  rules: ['cell.connecting-sets-its-address'],
}, async (t) => {
  const cell = await startCell(t)
  const number = await cell.up.number({ registered: false })
  const { id } = await createChannel(cell.acme)

  const asked = await connectWithToken(cell.acme, id, number)

  assert.equal(asked.status, 400, asked.text)
  assert.equal(await cell.callbackUrlOf(number.wabaId), undefined)
})

test('a deletion leaves the address of another cell, and succeeds if the upstream refuses', {
  rules: ['cell.deletion-releases-the-account'],
}, async (t) => {
  const cell = await startCell(t)
  const other = await startOtherCell(t)
  const [taken, refused] = [await cell.connect(cell.acme), await cell.connect(cell.acme)]
  await claimAccount(cell.up, taken.number, other.callbackUrl)
  await cell.fault('error', '/subscribed_apps', { method: 'POST', code: 10, times: null })

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
  assert.equal(await cell.callbackUrlOf(taken.number.wabaId), other.callbackUrl)
})

test('a check restores the address of the cell where there is none, and degrades the channel where there is another', {
  rules: ['cell.check-keeps-its-address', 'cell.diagnostics-say-who-receives'],
}, async (t) => {
  const cell = await startCell(t)
  const other = await startOtherCell(t)
  const { id, number } = await cell.connect(cell.acme)

  // As a number that was connected before CELL was set.
  await fetch(`${cell.up.simulator.url}/v25.0/${number.wabaId}/subscribed_apps`, {
    method: 'POST',
    headers: { authorization: `Bearer ${number.accessToken}` },
  })
  const before = await cell.diagnose(id)
  await cell.check(id)
  const restored = await cell.callbackUrlOf(number.wabaId)
  await claimAccount(cell.up, number, other.callbackUrl)
  await cell.check(id)
  const elsewhere = await cell.diagnose(id)

  assert.deepEqual([before?.status, before?.reason, restored], ['warning', 'callbacks_to_app', cell.own])
  assert.deepEqual([elsewhere?.status, elsewhere?.reason], ['failing', 'callbacks_elsewhere'])
  assert.deepEqual(elsewhere?.parameters, { cell: 'br01', url: other.callbackUrl })
  assert.equal(await cell.callbackUrlOf(number.wabaId), other.callbackUrl)
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
  await fetch(`${cell.up.simulator.url}/v25.0/${number.wabaId}/subscribed_apps`, {
    method: 'POST',
    headers: { authorization: `Bearer ${number.accessToken}` },
  })
  await cell.fault('error', '/subscribed_apps', { method: 'POST', code: 100, times: null })

  await cell.check(id)

  assert.deepEqual(await cell.show(id), ['active', true])
  const check = await cell.diagnose(id)
  assert.deepEqual([check?.status, check?.reason], ['warning', 'callbacks_to_app'])
})
