import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLink, PIN } from '../../../../test/hub-with-upstream.ts'
import type { Received } from '../../../../test/receiver.ts'
import { parseEnvelope, startWithUpstream } from '../test/fixture.ts'
import { buildCompatPayload } from './compat-payload.ts'

const CHANNEL = {
  id: '01980000-0000-7000-8000-000000000001',
  name: 'Padaria',
  external_id: 'shop-7',
  status: 'active',
  phone_number_id: '106540352242922',
  waba_id: '102290129340398',
  display_phone_number: '+55 11 98765-4321',
  verified_name: 'Padaria do Zé',
  coexistence: false,
}
const CONNECTION = {
  phone_number_id: '106540352242922',
  waba_id: '102290129340398',
  display_phone_number: '+55 11 98765-4321',
  verified_name: 'Padaria do Zé',
}

const BOTH = ['RESTRICTED_BIZ_INITIATED_MESSAGING', 'RESTRICTED_CUSTOMER_INITIATED_MESSAGING']
const FIRST = BOTH.slice(0, 1)

function parseBody({ body }: Received) {
  return JSON.parse(body.toString())
}

/** The four objects of a lifecycle body in the contract. */
const PLACES: Record<string, Record<string, string>> = {
  'top level': { event_type: 'channel_connected', channel_id: CHANNEL.id, external_id: 'shop-7', ...CONNECTION },
  meta_connection: { ...CONNECTION, phone_number: '5511987654321' },
  channel: { id: CHANNEL.id, channel_id: CHANNEL.id, external_id: 'shop-7', ...CONNECTION },
  data: { external_id: 'shop-7', ...CONNECTION, channel_id: CHANNEL.id },
}

for (const [place, fields] of Object.entries(PLACES)) {
  test(`a lifecycle body has in ${place} exactly the fields of the contract`, {
    rules: ['lifecycle.repeats-the-connection-data'],
  }, () => {
    const { meta_connection, channel, data, ...top } = JSON.parse(
      String(buildCompatPayload('channel.connected', { channel: CHANNEL, reason: null })),
    )

    assert.deepEqual({ 'top level': top, meta_connection, channel, data }[place], fields)
  })
}

test('unknown fields of a number are empty strings in a lifecycle body', () => {
  const channel = { ...CHANNEL, display_phone_number: null, verified_name: null }

  const body = JSON.parse(String(buildCompatPayload('channel.disconnected', { channel, reason: null })))

  for (const place of [body, body.meta_connection, body.channel, body.data]) {
    assert.deepEqual([place.display_phone_number, place.verified_name], ['', ''])
  }
  assert.equal(body.meta_connection.phone_number, '')
})

const EVENT_TYPES = [
  ['channel.connected', null, 'channel_connected'],
  ['channel.disconnected', 'credential_refused', 'channel_disconnected'],
  ['channel.degraded', 'number_flagged', 'channel_connected'],
  ['channel.degraded', 'number_rate_limited', 'channel_connected'],
  ['channel.degraded', 'subscription_lost', 'channel_connected'],
  ['channel.degraded', 'account_ban_scheduled', 'channel_connected'],
  ['channel.degraded', null, 'channel_connected'],
  ['channel.degraded', 'number_restricted', 'channel_disconnected'],
  ['channel.degraded', 'account_restricted', 'channel_connected'],
  ['channel.degraded', 'account_offboarded', 'channel_disconnected'],
] as const

for (const [kind, reason, eventType] of EVENT_TYPES) {
  test(`${kind} for the reason ${reason} is ${eventType} in a lifecycle body`, {
    rules: ['lifecycle.degraded-says-whether-it-sends', 'lifecycle.has-its-own-envelope'],
  }, () => {
    assert.equal(JSON.parse(String(buildCompatPayload(kind, { channel: CHANNEL, reason }))).event_type, eventType)
  })
}

test('every other kind of event has no lifecycle body', { rules: ['lifecycle.created-is-normalized'] }, () => {
  for (const kind of ['channel.created', 'message.received', 'account.update', 'webhook.test'] as const) {
    assert.equal(buildCompatPayload(kind, { channel: CHANNEL, reason: null }), null)
  }
})

test('the endpoint of a compatible creation gets each lifecycle event of its channel', {
  rules: [
    'channel.compat-endpoint-gets-its-creation',
    'lifecycle.created-is-normalized',
    'lifecycle.repeats-the-connection-data',
  ],
}, async (t) => {
  const { up, hub, acme, receiver, post, move } = await startWithUpstream(t)
  const body = { name: 'Padaria', external_id: 'shop-7', webhook_url: `${receiver.url}/own` }
  const { channel } = (await acme.post('/api/v1/channels', body)).body.data
  const number = await up.number()

  const connected = await post(await createLink(acme, channel.id), number, { pin: PIN })
  await move(acme, { id: channel.id, number }, 'FLAGGED')
  await hub.context.health.check({ organizationId: acme.organizationId, id: channel.id })
  await move(acme, { id: channel.id, number }, 'RESTRICTED')
  await acme.delete(`/api/v1/channels/${channel.id}`)
  await hub.deliver()

  assert.equal(connected.status, 200, connected.text)
  const { verified_name, display_phone_number } = connected.body.data.channel
  const bodies = receiver.received.map(parseBody)
  const created = bodies.find(({ event }) => event === 'channel.created')
  assert.deepEqual(Object.keys(created), ['id', 'event', 'channel_id', 'occurred_at', 'data'])
  const lifecycle = bodies.filter((one) => one !== created)
  assert.deepEqual(lifecycle.map(({ event_type }) => event_type).toSorted(), [
    'channel_connected',
    'channel_connected',
    'channel_connected',
    'channel_disconnected',
    'channel_disconnected',
  ])
  const connection = {
    phone_number_id: number.phoneNumberId,
    waba_id: number.wabaId,
    display_phone_number,
    verified_name,
  }
  for (const { event_type: _type, ...one } of lifecycle) {
    assert.deepEqual(one, {
      channel_id: channel.id,
      external_id: 'shop-7',
      ...connection,
      meta_connection: { ...connection, phone_number: display_phone_number.replace(/\D/g, '') },
      channel: { id: channel.id, channel_id: channel.id, external_id: 'shop-7', ...connection },
      data: { external_id: 'shop-7', ...connection, channel_id: channel.id },
    })
  }
})

for (const [what, restrictions, types] of [
  ['with both restrictions of messaging', [BOTH], ['channel_disconnected']],
  ['with one of them', [FIRST], ['channel_connected']],
  ['with a restriction of other things', [[FIRST[0], 'RESTRICTED_ADD_PHONE_NUMBER_ACTION']], ['channel_connected']],
  ['first with one and then with both', [FIRST, BOTH], ['channel_connected', 'channel_disconnected']],
  ['first with both and then with one', [BOTH, FIRST], ['channel_disconnected', 'channel_connected']],
  ['twice with both', [BOTH, [...BOTH].reverse()], ['channel_disconnected']],
] as [string, string[][], string[]][]) {
  test(`an account that is restricted ${what} is ${types.join(' and then ')} for a compat endpoint`, {
    rules: ['lifecycle.degraded-says-whether-it-sends'],
  }, async (t) => {
    const { hub, up, acme, connect, endpoint, arrived } = await startWithUpstream(t)
    const { number } = await connect(acme)
    const compat = await endpoint({ delivery_format: 'compat', event_types: ['channel.degraded'] })
    const native = await endpoint({ event_types: ['channel.degraded'] })

    for (const list of restrictions) {
      const path = `/accounts/${number.wabaId}/events`
      await up.simulator.control('POST', path, { event: 'restrict', restrictions: list })
      await up.simulator.control('POST', '/clock', { advance_seconds: 1 })
      await hub.deliver()
    }

    assert.deepEqual(
      arrived(compat).map((received) => parseBody(received).event_type),
      types,
    )
    const reasons = { channel_disconnected: 'account_messaging_blocked', channel_connected: 'account_restricted' }
    assert.deepEqual(
      arrived(native).map((received) => parseEnvelope(received).data.reason),
      types.map((type) => reasons[type as keyof typeof reasons]),
    )
  })
}

test('a second restriction of all messaging is a disconnection again, also while the number is flagged', {
  rules: ['lifecycle.degraded-says-whether-it-sends'],
}, async (t) => {
  const { hub, up, acme, connect, endpoint, arrived } = await startWithUpstream(t)
  const { number } = await connect(acme)
  const compat = await endpoint({ delivery_format: 'compat' })
  const seen = arrived(compat).length
  const advance = async (seconds: number) => {
    await up.simulator.control('POST', '/clock', { advance_seconds: seconds })
    await hub.clock.advance(`${seconds} seconds`)
  }
  const restrict = () =>
    up.simulator.control('POST', `/accounts/${number.wabaId}/events`, { event: 'restrict', restrictions: BOTH })

  await restrict()
  // The restriction ends by its own time, and the check of the channel finds the number connected.
  await advance(8 * 86_400)
  await hub.runJobs()
  await up.simulator.control('PATCH', `/numbers/${number.phoneNumberId}`, { quality: 'RED' })
  await advance(1)
  await restrict()
  await hub.deliver()

  const types = arrived(compat)
    .slice(seen)
    .map((received) => parseBody(received).event_type)
    .filter((type) => type !== undefined)
  assert.deepEqual(types.toSorted(), [
    'channel_connected',
    'channel_connected',
    'channel_disconnected',
    'channel_disconnected',
  ])
})

test('the delivery format selects the lifecycle body, the payload mode does not', {
  rules: ['lifecycle.has-its-own-envelope'],
}, async (t) => {
  const { hub, acme, connect, endpoint, arrived } = await startWithUpstream(t)
  const event_types = ['channel.connected']
  const made = (delivery_format: string, payload_mode: string) =>
    endpoint({ delivery_format, payload_mode, event_types })
  const [native, nativeRaw] = [await made('native', 'normalized'), await made('native', 'upstream_raw')]
  const [compat, compatRaw] = [await made('compat', 'normalized'), await made('compat', 'upstream_raw')]

  const channel = await connect(acme)
  await hub.deliver()

  for (const one of [native, nativeRaw]) {
    const { event, data } = parseEnvelope(arrived(one)[0]!)
    assert.equal(event, 'channel.connected')
    assert.equal((data.channel as { id: string }).id, channel.id)
  }
  for (const one of [compat, compatRaw]) {
    assert.equal(parseBody(arrived(one)[0]!).event_type, 'channel_connected')
  }
  assert.deepEqual(arrived(compat)[0]?.body, arrived(compatRaw)[0]?.body)
})

test('a compat endpoint gets every other event as a native endpoint does', {
  rules: ['payload.mode-and-format-combine'],
}, async (t) => {
  const { hub, endpoint, publish, arrived } = await startWithUpstream(t)
  const [native, compat] = [await endpoint(), await endpoint({ delivery_format: 'compat' })]

  await publish({ kind: 'message.received' })
  await hub.deliver()

  assert.equal(parseEnvelope(arrived(compat)[0]!).event, 'message.received')
  assert.deepEqual(arrived(compat)[0]?.body, arrived(native)[0]?.body)
})
