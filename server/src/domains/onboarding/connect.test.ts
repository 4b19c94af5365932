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

/** A channel with a link to connect it, of an organization of its own. */
async function openLink(world: HubWithUpstream) {
  const acme = await world.hub.organization()
  const { id } = await createChannel(acme)
  return { acme, id, link: await createLink(acme, id) }
}

async function steps(world: HubWithUpstream): Promise<string[]> {
  return (await world.requests()).map(({ method, path }) => `${method} ${path}`)
}

test('a connected channel is active, and carries what the upstream says of its number', {
  rules: ['CH-05', 'CH-06', 'CH-07', 'D6-02', 'D6-07', 'D6-51', 'D6-62'],
}, async (t) => {
  const world = await startHubWithUpstream(t)
  const { acme, id, link } = await openLink(world)
  const number = await world.up.number({ registered: false })

  const connected = await world.post(link, number, { pin: PIN })

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

test('the steps are taken in their order, each once, with the token in the header', { rules: ['D6-53'] }, async (t) => {
  const world = await startHubWithUpstream(t)
  const { link } = await openLink(world)
  const { wabaId, phoneNumberId } = await world.up.number({ registered: false })

  await world.post(link, { wabaId }, { pin: PIN })

  assert.deepEqual(await steps(world), [
    'GET /oauth/access_token',
    'GET /debug_token',
    `GET /${wabaId}/phone_numbers`,
    `POST /${wabaId}/subscribed_apps`,
    `POST /${phoneNumberId}/register`,
    `GET /${phoneNumberId}`,
  ])
  const [exchange, ...others] = await world.requests()
  assert.equal(exchange?.token_in, 'none')
  assert.deepEqual(new Set(others.map((request) => request.token_in)), new Set(['bearer']))
})

test('the account is subscribed and the number registered upstream, with the PIN that was given', {
  rules: ['D6-58', 'D6-60'],
}, async (t) => {
  const world = await startHubWithUpstream(t)
  const { link } = await openLink(world)
  const number = await world.up.number({ registered: false, pin: '654321' })

  const connected = await world.post(link, number, { pin: '654321' })

  assert.equal(connected.status, 200)
  type Account = { subscribed: boolean; numbers: { registered: boolean }[] }
  const { accounts } = await world.up.simulator.control<{ accounts: Account[] }>('GET', '/accounts')
  assert.deepEqual([accounts[0]?.subscribed, accounts[0]?.numbers[0]?.registered], [true, true])
})

test('a connection is recorded as an event with the whole channel', { rules: ['D6-62', 'D9-01'] }, async (t) => {
  const world = await startHubWithUpstream(t)
  const { id, link } = await openLink(world)
  const number = await world.up.number()

  await world.post(link, number)

  const [, connected, ...others] = await listEvents(world.hub.sql, id)
  assert.equal(others.length, 0)
  assert.equal(connected?.kind, 'channel.connected')
  assert.deepEqual(connected?.data, {
    channel: {
      ...{ id, name: 'Padaria', external_id: null, status: 'active', coexistence: false },
      ...{ phone_number_id: number.phoneNumberId, waba_id: number.wabaId },
      ...{ display_phone_number: number.display, verified_name: 'Padaria São João' },
    },
    reason: null,
  })
})

test('a connection is in the audit log as the work of a link', async (t) => {
  const world = await startHubWithUpstream(t)
  const { acme, id, link } = await openLink(world)
  const number = await world.up.number()

  const connected = await world.post(link, number)

  const entry = (await listAuditEntries(acme, id)).at(-1)
  assert.equal(entry?.action, 'channel.connected')
  assert.deepEqual(entry?.actor, { type: 'system', id: null, name: 'connect link' })
  assert.equal(entry?.request_id, connected.headers.get('x-request-id'))
  const { phoneNumberId, wabaId } = number
  assert.deepEqual(entry?.details, { phone_number_id: phoneNumberId, waba_id: wabaId, coexistence: false })
})

test('the token is kept sealed, bound to its channel, and nothing of it is left with the link', {
  rules: ['D6-62'],
}, async (t) => {
  const world = await startHubWithUpstream(t)
  const { acme, id, link } = await openLink(world)
  const number = await world.up.number()
  const code = await world.up.signUpCode(number.wabaId, 'EAA-chosen-token')

  await world.post(link, number, { code })

  const sealed = (await readChannelRow(world.hub.sql, id)).access_token ?? ''
  const place = { table: 'channels', column: 'access_token', organizationId: acme.organizationId, rowId: id }
  assert.ok(!sealed.includes('EAA-chosen-token'))
  assert.equal(world.hub.context.sealing.open(sealed, place), 'EAA-chosen-token')
  const [kept] = await world.hub.sql`select exchanged_code, exchanged_token, claim from connect_links`
  assert.deepEqual({ ...kept }, { exchanged_code: null, exchanged_token: null, claim: null })
})

test('a number that is registered already is not registered again, and needs no PIN', {
  rules: ['D6-60'],
}, async (t) => {
  const world = await startHubWithUpstream(t)
  const { link } = await openLink(world)

  const connected = await world.post(link, await world.up.number({ registered: true }))

  assert.equal(connected.status, 200)
  assert.equal((await world.requests('/register')).length, 0)
})

for (const claimed of [true, false, undefined]) {
  test(`a number on the app coexists where the page says ${claimed}: both syncs run, and nothing is registered`, async (t) => {
    const world = await startHubWithUpstream(t)
    const { id, link } = await openLink(world)
    const number = await world.up.number({ coexistence: true })

    const connected = await world.post(link, number, {
      pin: PIN,
      ...(claimed !== undefined && { coexistence: claimed }),
    })

    assert.equal(connected.status, 200, connected.text)
    assert.equal(connected.body.data.channel.coexistence, true)
    const syncs = await world.requests(`/${number.phoneNumberId}/smb_app_data`)
    assert.deepEqual(
      syncs.map(({ params, status }) => [params.sync_type, status]),
      [
        ['smb_app_state_sync', 200],
        ['history', 200],
      ],
    )
    assert.equal((await world.requests('/register')).length, 0)
    const event = (await listEvents(world.hub.sql, id)).at(-1)
    assert.equal(event?.data.channel.coexistence, true)
  })
}

test('a number that is not on the app does not coexist, whatever the page says', {
  rules: ['D6-51', 'D6-59'],
}, async (t) => {
  const world = await startHubWithUpstream(t)
  const { link } = await openLink(world)
  const number = await world.up.number({ registered: false })

  const connected = await world.post(link, number, { coexistence: true, pin: PIN })

  assert.equal(connected.body.data.channel.coexistence, false)
  assert.equal((await world.requests('/smb_app_data')).length, 0)
  assert.equal((await world.requests('/register')).length, 1)
})

test('a coexistence number connects again although each sync can be asked for but once', async (t) => {
  const world = await startHubWithUpstream(t)
  const acme = await world.hub.organization()
  const { id, number } = await world.connect(acme, { coexistence: true })

  const again = await world.post(await createLink(acme, id), number)

  assert.equal(again.status, 200)
  assert.deepEqual(
    (await world.requests('/smb_app_data')).map(({ status }) => status),
    [200, 200, 400, 400],
  )
})

// The upstream hands contacts and history over within a day of joining. A number that joined long ago can still send.
test('a coexistence number that missed the day of its syncs connects all the same', async (t) => {
  const world = await startHubWithUpstream(t)
  const { link } = await openLink(world)
  const number = await world.up.number({ coexistence: true })
  await world.up.simulator.control('POST', '/clock', { advance_seconds: 2 * 86_400 })

  const connected = await world.post(link, number)

  assert.equal(connected.status, 200, connected.text)
  assert.equal(connected.body.data.channel.coexistence, true)
})

test('one of several numbers is connected by its id', { rules: ['D6-51'] }, async (t) => {
  const world = await startHubWithUpstream(t)
  const { link } = await openLink(world)
  const { wabaId } = await world.up.number()
  const { phone_number_id, display_phone_number } = await world.up.simulator.control<Record<string, string>>(
    'POST',
    `/accounts/${wabaId}/numbers`,
    { registered: true },
  )

  const connected = await world.post(link, { wabaId }, { phone_number_id })

  assert.equal(connected.body.data.channel.display_phone_number, display_phone_number)
})

test('a quality that the upstream has not rated yet is unknown', async (t) => {
  const world = await startHubWithUpstream(t)
  const { link } = await openLink(world)
  const number = await world.up.number()
  await world.up.simulator.control('PATCH', `/numbers/${number.phoneNumberId}`, { quality: 'NA' })

  const connected = await world.post(link, number)

  assert.equal(connected.body.data.channel.quality_rating, 'UNKNOWN')
})
