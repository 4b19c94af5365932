import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createChannel,
  createLink,
  type HubWithUpstream,
  listAuditEntries,
  listEvents,
  PIN,
  readChannelRow,
  startHubWithUpstream,
} from '../../../test/hub-with-upstream.ts'

/** A channel of a new organization, with a connect link. */
async function openLink(setup: HubWithUpstream) {
  const acme = await setup.hub.organization()
  const { id } = await createChannel(acme)
  return { acme, id, link: await createLink(acme, id) }
}

async function listUpstreamCalls(setup: HubWithUpstream): Promise<string[]> {
  return (await setup.requests()).map(({ method, path }) => `${method} ${path}`)
}

test("a connected channel is active and has the number's data from the upstream", {
  rules: ['channel.active-one-works', 'channel.quality-is-the-upstreams', 'connect.success-activates-and-publishes'],
}, async (t) => {
  const setup = await startHubWithUpstream(t)
  const { acme, id, link } = await openLink(setup)
  const number = await setup.up.number({ registered: false })

  const connected = await setup.post(link, number, { pin: PIN })

  assert.equal(connected.status, 200)
  const { channel } = connected.body.data
  assert.equal(channel.id, id)
  assert.equal(channel.status, 'active')
  assert.equal(channel.display_phone_number, number.display)
  assert.equal(channel.verified_name, 'Padaria São João')
  assert.equal(channel.quality_rating, 'GREEN')
  assert.deepEqual([channel.coexistence, channel.subscribed_ok], [false, true])
  assert.deepEqual((await acme.get(`/api/v1/channels/${id}`)).body.data.channel, channel)
})

test('each upstream step is called once, in order, with the token in the header', {
  rules: ['connect.post-finishes-the-sign-up'],
}, async (t) => {
  const setup = await startHubWithUpstream(t)
  const { link } = await openLink(setup)
  const { wabaId, phoneNumberId } = await setup.up.number({ registered: false })

  await setup.post(link, { wabaId }, { pin: PIN })

  assert.deepEqual(await listUpstreamCalls(setup), [
    'GET /oauth/access_token',
    'GET /debug_token',
    `GET /${wabaId}/phone_numbers`,
    `POST /${wabaId}/subscribed_apps`,
    `POST /${phoneNumberId}/register`,
    `GET /${phoneNumberId}`,
  ])
  const [exchange, ...others] = await setup.requests()
  assert.equal(exchange?.token_in, 'none')
  assert.deepEqual(new Set(others.map((request) => request.token_in)), new Set(['bearer']))
})

test('the account is subscribed and the number registered with the given PIN', {
  rules: ['connect.subscribes-the-app', 'connect.number-is-registered-with-pin'],
}, async (t) => {
  const setup = await startHubWithUpstream(t)
  const { link } = await openLink(setup)
  const number = await setup.up.number({ registered: false, pin: '654321' })

  const connected = await setup.post(link, number, { pin: '654321' })

  assert.equal(connected.status, 200)
  type Account = { subscribed: boolean; numbers: { registered: boolean }[] }
  const { accounts } = await setup.up.simulator.control<{ accounts: Account[] }>('GET', '/accounts')
  assert.deepEqual([accounts[0]?.subscribed, accounts[0]?.numbers[0]?.registered], [true, true])
})

test('a connection publishes channel.connected with the whole channel', {
  rules: ['connect.success-activates-and-publishes', 'event.channel-data-has-reason'],
}, async (t) => {
  const setup = await startHubWithUpstream(t)
  const { id, link } = await openLink(setup)
  const number = await setup.up.number()

  await setup.post(link, number)

  const [, connected, ...others] = await listEvents(setup.hub.sql, id)
  assert.equal(others.length, 0)
  assert.equal(connected?.kind, 'channel.connected')
  assert.deepEqual(connected?.data, {
    channel: {
      id,
      name: 'Padaria',
      external_id: null,
      status: 'active',
      coexistence: false,
      phone_number_id: number.phoneNumberId,
      waba_id: number.wabaId,
      display_phone_number: number.display,
      verified_name: 'Padaria São João',
    },
    reason: null,
  })
})

test('a connection is recorded in the audit log with the connect link as actor', async (t) => {
  const setup = await startHubWithUpstream(t)
  const { acme, id, link } = await openLink(setup)
  const number = await setup.up.number()

  const connected = await setup.post(link, number)

  const entry = (await listAuditEntries(acme, id)).at(-1)
  assert.equal(entry?.action, 'channel.connected')
  assert.deepEqual(entry?.actor, { type: 'system', id: null, name: 'connect link' })
  assert.equal(entry?.request_id, connected.headers.get('x-request-id'))
  const { phoneNumberId, wabaId } = number
  assert.deepEqual(entry?.details, {
    phone_number_id: phoneNumberId,
    waba_id: wabaId,
    coexistence: false,
    changes: {
      status: { from: 'pending', to: 'active' },
      phone_number_id: { from: null, to: phoneNumberId },
      waba_id: { from: null, to: wabaId },
    },
  })
})

test('the token is stored encrypted and bound to its channel, and erased from the link', {
  rules: ['connect.success-activates-and-publishes'],
}, async (t) => {
  const setup = await startHubWithUpstream(t)
  const { acme, id, link } = await openLink(setup)
  const number = await setup.up.number()
  const code = await setup.up.signUpCode(number.wabaId, 'EAA-chosen-token')

  await setup.post(link, number, { code })

  const sealed = (await readChannelRow(setup.hub.sql, id)).access_token ?? ''
  const place = { table: 'channels', column: 'access_token', organizationId: acme.organizationId, rowId: id }
  assert.ok(!sealed.includes('EAA-chosen-token'))
  assert.equal(setup.hub.context.sealing.open(sealed, place), 'EAA-chosen-token')
  const [kept] = await setup.hub.sql`select exchanged_code, exchanged_token, claim from connect_links`
  assert.deepEqual({ ...kept }, { exchanged_code: null, exchanged_token: null, claim: null })
})

test('a registered number is not registered again and needs no PIN', {
  rules: ['connect.number-is-registered-with-pin'],
}, async (t) => {
  const setup = await startHubWithUpstream(t)
  const { link } = await openLink(setup)

  const connected = await setup.post(link, await setup.up.number({ registered: true }))

  assert.equal(connected.status, 200)
  assert.equal((await setup.requests('/register')).length, 0)
})

for (const claimed of [true, false, undefined]) {
  test(`a number on the app coexists if the page sends coexistence ${claimed}: both syncs run, and nothing is registered`, async (t) => {
    const setup = await startHubWithUpstream(t)
    const { id, link } = await openLink(setup)
    const number = await setup.up.number({ coexistence: true })

    const connected = await setup.post(link, number, {
      pin: PIN,
      ...(claimed !== undefined && { coexistence: claimed }),
    })

    assert.equal(connected.status, 200, connected.text)
    assert.equal(connected.body.data.channel.coexistence, true)
    const syncs = await setup.requests(`/${number.phoneNumberId}/smb_app_data`)
    assert.deepEqual(
      syncs.map(({ params, status }) => [params.sync_type, status]),
      [
        ['smb_app_state_sync', 200],
        ['history', 200],
      ],
    )
    assert.equal((await setup.requests('/register')).length, 0)
    const event = (await listEvents(setup.hub.sql, id)).at(-1)
    assert.equal(event?.data.channel.coexistence, true)
  })
}

test('a number that is not on the app does not coexist, even if the page says so', {
  rules: ['connect.post-finishes-the-sign-up', 'connect.coexistence-starts-both-syncs'],
}, async (t) => {
  const setup = await startHubWithUpstream(t)
  const { link } = await openLink(setup)
  const number = await setup.up.number({ registered: false })

  const connected = await setup.post(link, number, { coexistence: true, pin: PIN })

  assert.equal(connected.body.data.channel.coexistence, false)
  assert.equal((await setup.requests('/smb_app_data')).length, 0)
  assert.equal((await setup.requests('/register')).length, 1)
})

test('a coexistence number connects again although each sync can be requested only once', async (t) => {
  const setup = await startHubWithUpstream(t)
  const acme = await setup.hub.organization()
  const { id, number } = await setup.connect(acme, { coexistence: true })

  const again = await setup.post(await createLink(acme, id), number)

  assert.equal(again.status, 200)
  assert.deepEqual(
    (await setup.requests('/smb_app_data')).map(({ status }) => status),
    [200, 200, 400, 400],
  )
})

// The upstream syncs contacts and history only within a day of the sign-up. An older number can still send.
test('a coexistence number connects after the day of its syncs', async (t) => {
  const setup = await startHubWithUpstream(t)
  const { link } = await openLink(setup)
  const number = await setup.up.number({ coexistence: true })
  await setup.up.simulator.control('POST', '/clock', { advance_seconds: 2 * 86_400 })

  const connected = await setup.post(link, number)

  assert.equal(connected.status, 200, connected.text)
  assert.equal(connected.body.data.channel.coexistence, true)
})

test('an account with several numbers connects the one whose id is given', {
  rules: ['connect.post-finishes-the-sign-up'],
}, async (t) => {
  const setup = await startHubWithUpstream(t)
  const { link } = await openLink(setup)
  const { wabaId } = await setup.up.number()
  const { phone_number_id, display_phone_number } = await setup.up.simulator.control<Record<string, string>>(
    'POST',
    `/accounts/${wabaId}/numbers`,
    { registered: true },
  )

  const connected = await setup.post(link, { wabaId }, { phone_number_id })

  assert.equal(connected.body.data.channel.display_phone_number, display_phone_number)
})

test('a number without a quality rating has the rating UNKNOWN', async (t) => {
  const setup = await startHubWithUpstream(t)
  const { link } = await openLink(setup)
  const number = await setup.up.number()
  await setup.up.simulator.control('PATCH', `/numbers/${number.phoneNumberId}`, { quality: 'NA' })

  const connected = await setup.post(link, number)

  assert.equal(connected.body.data.channel.quality_rating, 'UNKNOWN')
})
