import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createChannel,
  createLink,
  listAuditEntries,
  listEvents,
  PIN,
  readChannelRow,
  startHubWithUpstream,
} from '../../../test/hub-with-upstream.ts'
import type { SeededNumber } from '../../../test/upstream.ts'

function buildBody({ accessToken, wabaId, phoneNumberId }: SeededNumber, more: object = {}) {
  return { access_token: accessToken, waba_id: wabaId, phone_number_id: phoneNumberId, ...more }
}

test('a client connects a number with its own token in the same steps, without the code exchange', {
  rules: ['connect.api-connects-without-the-page'],
}, async (t) => {
  const setup = await startHubWithUpstream(t)
  const acme = await setup.hub.organization()
  const { id } = await createChannel(acme)
  const number = await setup.up.number({ registered: false })

  const connected = await acme.post(`/api/v1/channels/${id}/connection`, buildBody(number, { pin: PIN }))

  assert.equal(connected.status, 200)
  assert.equal(connected.body.data.channel.status, 'active')
  assert.equal(connected.body.data.channel.display_phone_number, number.display)
  const { wabaId, phoneNumberId } = number
  assert.deepEqual(
    (await setup.requests()).map(({ method, path }) => `${method} ${path}`),
    [
      'GET /debug_token',
      `GET /${wabaId}/phone_numbers`,
      `POST /${wabaId}/subscribed_apps`,
      `POST /${phoneNumberId}/register`,
      `GET /${phoneNumberId}`,
    ],
  )
  assert.deepEqual(
    (await listEvents(setup.hub.sql, id)).map(({ kind }) => kind),
    ['channel.created', 'channel.connected'],
  )
  const entry = (await listAuditEntries(acme, id)).at(-1)
  assert.equal(entry?.action, 'channel.connected')
  assert.deepEqual(entry?.actor, { type: 'api_key', id: acme.keyId, name: 'test key' })
  const place = { table: 'channels', column: 'access_token', organizationId: acme.organizationId, rowId: id }
  const sealed = (await readChannelRow(setup.hub.sql, id)).access_token ?? ''
  assert.equal(setup.hub.context.sealing.open(sealed, place), number.accessToken)
})

test('with an own token, too, the number decides on coexistence', {
  rules: ['connect.coexistence-starts-both-syncs'],
}, async (t) => {
  const setup = await startHubWithUpstream(t)
  const acme = await setup.hub.organization()
  const { id } = await createChannel(acme)
  const number = await setup.up.number({ coexistence: true })

  const connected = await acme.post(`/api/v1/channels/${id}/connection`, buildBody(number, { coexistence: false }))

  assert.equal(connected.body.data.channel.coexistence, true)
  assert.equal((await setup.requests('/smb_app_data')).length, 2)
})

test('a missing PIN, an invalid token, a foreign account and a foreign number are refused with their step', {
  rules: ['connect.api-connects-without-the-page'],
}, async (t) => {
  const setup = await startHubWithUpstream(t)
  const acme = await setup.hub.organization()
  const { id } = await createChannel(acme)
  const path = `/api/v1/channels/${id}/connection`
  const [number, other] = [await setup.up.number({ registered: false }), await setup.up.number()]

  const missingPin = await acme.post(path, buildBody(number))
  const invalidToken = await acme.post(path, buildBody(number, { access_token: 'EAA-unknown' }))
  const foreignAccount = await acme.post(path, buildBody(number, { waba_id: other.wabaId }))
  const foreignNumber = await acme.post(path, buildBody(number, { phone_number_id: other.phoneNumberId }))

  const answers = [missingPin, invalidToken, foreignAccount, foreignNumber]
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.error.code, body.error.details.step]),
    [
      [400, 'INVALID_REQUEST', 'register'],
      [400, 'UPSTREAM_REJECTED', 'check_token'],
      [400, 'UPSTREAM_REJECTED', 'check_token'],
      [400, 'INVALID_REQUEST', 'find_number'],
    ],
  )
  assert.equal(missingPin.body.error.details.pin_required, true)
  assert.equal((await readChannelRow(setup.hub.sql, id)).status, 'pending')
})

test("a connected number and a number other than the channel's own are refused", async (t) => {
  const setup = await startHubWithUpstream(t)
  const [acme, other] = [await setup.hub.organization(), await setup.hub.organization()]
  const taken = await setup.connect(other)
  const own = await setup.connect(acme)
  const { id } = await createChannel(acme)

  const refused = await acme.post(`/api/v1/channels/${id}/connection`, buildBody(taken.number))
  const another = await acme.post(`/api/v1/channels/${own.id}/connection`, buildBody(await setup.up.number()))
  const again = await acme.post(`/api/v1/channels/${own.id}/connection`, buildBody(own.number))

  assert.equal(refused.body.error.code, 'NUMBER_ALREADY_CONNECTED')
  assert.equal(another.body.error.code, 'INVALID_REQUEST')
  assert.equal(again.status, 200)
})

test('an upstream outage is 502 and leaves the channel pending', async (t) => {
  const setup = await startHubWithUpstream(t)
  const acme = await setup.hub.organization()
  const { id } = await createChannel(acme)
  await setup.fault('http', '/subscribed_apps')

  const failed = await acme.post(`/api/v1/channels/${id}/connection`, buildBody(await setup.up.number()))

  assert.equal(failed.status, 502)
  assert.equal(failed.body.error.details.step, 'subscribe')
  assert.equal((await readChannelRow(setup.hub.sql, id)).status, 'pending')
})

const INVALID_MEMBERS: [string, object][] = [
  ['no token', { access_token: undefined }],
  ['an empty token', { access_token: '' }],
  ['a token with a space', { access_token: 'EAA x' }],
  ['no account', { waba_id: undefined }],
  ['no number', { phone_number_id: undefined }],
  ['a number that is not an id', { phone_number_id: '../me' }],
  ['a PIN of seven digits', { pin: '1234567' }],
  ['a code', { code: 'x' }],
]

test('an invalid body is 400 without an upstream call', async (t) => {
  const setup = await startHubWithUpstream(t)
  const acme = await setup.hub.organization()
  const { id } = await createChannel(acme)
  const number = await setup.up.number()

  for (const [what, more] of INVALID_MEMBERS) {
    const refused = await acme.post(`/api/v1/channels/${id}/connection`, buildBody(number, more))
    assert.equal(refused.status, 400, what)
    assert.equal(refused.body.error.code, 'INVALID_REQUEST', what)
  }

  assert.equal((await setup.requests()).length, 0)
})

test("a connection with an own token keeps the channel's links", async (t) => {
  const setup = await startHubWithUpstream(t)
  const acme = await setup.hub.organization()
  const { id } = await createChannel(acme)
  const link = await createLink(acme, id)
  const number = await setup.up.number()

  await acme.post(`/api/v1/channels/${id}/connection`, buildBody(number))

  assert.equal((await setup.hub.anonymous.get(`/api/v1/connect/${link}`)).status, 200)
  assert.equal((await setup.post(link, number)).status, 200)
})
