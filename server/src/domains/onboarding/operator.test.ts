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

function bodyOf({ accessToken, wabaId, phoneNumberId }: SeededNumber, more: object = {}) {
  return { access_token: accessToken, waba_id: wabaId, phone_number_id: phoneNumberId, ...more }
}

test('an operator connects a number with a token of their own: every step but the exchange', {
  rules: ['D6-68'],
}, async (t) => {
  const world = await startHubWithUpstream(t)
  const acme = await world.hub.organization()
  const { id } = await createChannel(acme)
  const number = await world.up.number({ registered: false })

  const connected = await acme.post(`/api/v1/channels/${id}/connection`, bodyOf(number, { pin: PIN }))

  assert.equal(connected.status, 200)
  assert.equal(connected.body.data.channel.status, 'active')
  assert.equal(connected.body.data.channel.display_phone_number, number.display)
  const { wabaId, phoneNumberId } = number
  assert.deepEqual(
    (await world.requests()).map(({ method, path }) => `${method} ${path}`),
    [
      'GET /debug_token',
      `GET /${wabaId}/phone_numbers`,
      `POST /${wabaId}/subscribed_apps`,
      `POST /${phoneNumberId}/register`,
      `GET /${phoneNumberId}`,
    ],
  )
  assert.deepEqual(
    (await listEvents(world.hub.sql, id)).map(({ kind }) => kind),
    ['channel.created', 'channel.connected'],
  )
  const entry = (await listAuditEntries(acme, id)).at(-1)
  assert.equal(entry?.action, 'channel.connected')
  assert.deepEqual(entry?.actor, { type: 'api_key', id: acme.keyId, name: 'test key' })
  const place = { table: 'channels', column: 'access_token', organizationId: acme.organizationId, rowId: id }
  const sealed = (await readChannelRow(world.hub.sql, id)).access_token ?? ''
  assert.equal(world.hub.context.sealing.open(sealed, place), number.accessToken)
})

test('the number decides on coexistence here too', { rules: ['CH-08', 'D6-59'] }, async (t) => {
  const world = await startHubWithUpstream(t)
  const acme = await world.hub.organization()
  const { id } = await createChannel(acme)
  const number = await world.up.number({ coexistence: true })

  const connected = await acme.post(`/api/v1/channels/${id}/connection`, bodyOf(number, { coexistence: false }))

  assert.equal(connected.body.data.channel.coexistence, true)
  assert.equal((await world.requests('/smb_app_data')).length, 2)
})

test('a missing PIN, a dead token, a foreign account and a foreign number are refused by their steps', {
  rules: ['D6-68'],
}, async (t) => {
  const world = await startHubWithUpstream(t)
  const acme = await world.hub.organization()
  const { id } = await createChannel(acme)
  const path = `/api/v1/channels/${id}/connection`
  const [number, other] = [await world.up.number({ registered: false }), await world.up.number()]

  const unpinned = await acme.post(path, bodyOf(number))
  const dead = await acme.post(path, bodyOf(number, { access_token: 'EAA-nobody-has-this' }))
  const foreignAccount = await acme.post(path, bodyOf(number, { waba_id: other.wabaId }))
  const foreignNumber = await acme.post(path, bodyOf(number, { phone_number_id: other.phoneNumberId }))

  const answers = [unpinned, dead, foreignAccount, foreignNumber]
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.error.code, body.error.details.step]),
    [
      [400, 'INVALID_REQUEST', 'register'],
      [400, 'UPSTREAM_REJECTED', 'check_token'],
      [400, 'UPSTREAM_REJECTED', 'check_token'],
      [400, 'INVALID_REQUEST', 'find_number'],
    ],
  )
  assert.equal(unpinned.body.error.details.pin_required, true)
  assert.equal((await readChannelRow(world.hub.sql, id)).status, 'pending')
})

test('a taken number and another number than the channel’s own are refused here too', async (t) => {
  const world = await startHubWithUpstream(t)
  const [acme, other] = [await world.hub.organization(), await world.hub.organization()]
  const taken = await world.connect(other)
  const own = await world.connect(acme)
  const { id } = await createChannel(acme)

  const refused = await acme.post(`/api/v1/channels/${id}/connection`, bodyOf(taken.number))
  const another = await acme.post(`/api/v1/channels/${own.id}/connection`, bodyOf(await world.up.number()))
  const again = await acme.post(`/api/v1/channels/${own.id}/connection`, bodyOf(own.number))

  assert.equal(refused.body.error.code, 'NUMBER_ALREADY_CONNECTED')
  assert.equal(another.body.error.code, 'INVALID_REQUEST')
  assert.equal(again.status, 200)
})

test('an outage answers 502 and leaves the channel as it was', async (t) => {
  const world = await startHubWithUpstream(t)
  const acme = await world.hub.organization()
  const { id } = await createChannel(acme)
  await world.fault('http', '/subscribed_apps')

  const failed = await acme.post(`/api/v1/channels/${id}/connection`, bodyOf(await world.up.number()))

  assert.equal(failed.status, 502)
  assert.equal(failed.body.error.details.step, 'subscribe')
  assert.equal((await readChannelRow(world.hub.sql, id)).status, 'pending')
})

test('it needs channels:write, and the channel of another organization does not exist', {
  rules: ['D6-69'],
}, async (t) => {
  const world = await startHubWithUpstream(t)
  const [acme, stranger] = [await world.hub.organization(), await world.hub.organization()]
  const reader = await world.hub.organization(['channels:read'])
  const { id } = await createChannel(acme)
  const path = `/api/v1/channels/${id}/connection`
  const body = bodyOf(await world.up.number())

  const anonymous = await world.hub.anonymous.post(path, body)
  const unscoped = await reader.post(path, body)
  const foreign = await stranger.post(path, body)

  assert.deepEqual([anonymous.status, unscoped.status, foreign.status], [401, 403, 404])
  assert.deepEqual(unscoped.body.error.details, { scope: 'channels:write' })
  assert.equal((await world.requests()).length, 0)
})

const BAD: [string, object][] = [
  ['no token', { access_token: undefined }],
  ['an empty token', { access_token: '' }],
  ['a token with a space', { access_token: 'EAA x' }],
  ['no account', { waba_id: undefined }],
  ['no number', { phone_number_id: undefined }],
  ['a number that is no id', { phone_number_id: '../me' }],
  ['a PIN of seven digits', { pin: '1234567' }],
  ['a code', { code: 'x' }],
]

test('a wrong body is refused, and nothing is asked of the upstream', async (t) => {
  const world = await startHubWithUpstream(t)
  const acme = await world.hub.organization()
  const { id } = await createChannel(acme)
  const number = await world.up.number()

  for (const [what, more] of BAD) {
    const refused = await acme.post(`/api/v1/channels/${id}/connection`, bodyOf(number, more))
    assert.equal(refused.status, 400, what)
    assert.equal(refused.body.error.code, 'INVALID_REQUEST', what)
  }

  assert.equal((await world.requests()).length, 0)
})

test('a connection by an operator leaves the links of the channel as they are', async (t) => {
  const world = await startHubWithUpstream(t)
  const acme = await world.hub.organization()
  const { id } = await createChannel(acme)
  const link = await createLink(acme, id)
  const number = await world.up.number()

  await acme.post(`/api/v1/channels/${id}/connection`, bodyOf(number))

  assert.equal((await world.hub.anonymous.get(`/api/v1/connect/${link}`)).status, 200)
  assert.equal((await world.post(link, number)).status, 200)
})
