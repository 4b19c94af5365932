import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { readDatabaseTime } from '../../../kernel/db/database-time.ts'
import { readIdTime } from '../../../kernel/ids.ts'
import { startWebhooks } from '../test/fixture.ts'
import { isSignedWith } from '../test/signature.ts'

const HOUR_MS = 3_600_000
const MANIFEST = JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'))

for (const payload_mode of ['normalized', 'upstream_raw']) {
  for (const [delivery_format, version] of [
    ['native', 'v2'],
    ['compat', 'compat-v1'],
  ] as const) {
    test(`a ${delivery_format} delivery in the mode ${payload_mode} is signed as ${version} over the bytes sent`, {
      rules: ['signature.proves-the-origin', 'signature.native-covers-time-id-and-body', 'signature.is-lowercase-hex'],
    }, async (t) => {
      const { hub, endpoint, publish, arrived, sendTest } = await startWebhooks(t)
      const crm = await endpoint({ payload_mode, delivery_format })

      await publish({ kind: 'upstream.raw', raw: Buffer.from('{"t" : "é\\u00e9"}\n') }, { kind: 'message.received' })
      await sendTest(crm)
      await hub.deliver()

      assert.equal(arrived(crm).length, 2)
      for (const one of arrived(crm)) {
        assert.equal(one.headers['x-hub-signature-version'], version)
        assert.match(String(one.headers['x-hub-signature-256']), /^sha256=[0-9a-f]{64}$/)
        assert.ok(isSignedWith(one, crm.secret))
      }
    })
  }
}

test('a delivery is a POST of JSON with the four Hubline headers of the contract and no others', {
  rules: ['payload.is-application-json', 'payload.user-agent-is-hubline', 'signature.timestamp-is-the-sending-time'],
}, async (t) => {
  const { hub, endpoint, publish, only, arrived } = await startWebhooks(t)
  const crm = await endpoint()

  await publish({})
  const before = Math.floor(hub.clock.now().getTime() / 1000)
  await hub.deliver()
  const after = Math.floor(hub.clock.now().getTime() / 1000)

  const [one] = arrived(crm)
  const { id } = await only(crm)
  assert.equal(one?.method, 'POST')
  assert.equal(one.headers['content-type'], 'application/json')
  assert.equal(one.headers['user-agent'], `Hubline/${MANIFEST.version}`)
  assert.equal(one.headers['content-length'], String(one.body.length))
  assert.equal(one.headers['x-hub-delivery-id'], id)
  const timestamp = one.headers['x-hub-timestamp']
  assert.match(String(timestamp), /^\d{10}$/)
  assert.ok(Number(timestamp) >= before && Number(timestamp) <= after)
  assert.deepEqual(
    Object.keys(one.headers)
      .filter((name) => name.startsWith('x-'))
      .toSorted(),
    ['x-hub-delivery-id', 'x-hub-signature-256', 'x-hub-signature-version', 'x-hub-timestamp'],
  )
  assert.equal(one.headers.authorization, undefined)
})

test('a delivery of a process whose clock is an hour off is signed with the time of the database', {
  rules: ['clock.times-follow-the-database'],
}, async (t) => {
  const processClock = () => new Date(Date.now() - HOUR_MS)
  const { hub, endpoint, publish, arrived, only } = await startWebhooks(t, { processClock })
  const crm = await endpoint({})

  await publish({})
  await hub.deliver()

  const databaseMs = (await readDatabaseTime(hub.sql)).getTime()
  const [one] = arrived(crm)
  const { id } = await only(crm)
  for (const ms of [Number(one?.headers['x-hub-timestamp']) * 1000, readIdTime(id)]) {
    assert.ok(Math.abs(databaseMs - ms) < HOUR_MS / 2, String(databaseMs - ms))
  }
})

// A compat signature does not cover the time, so it is the same for the same bytes.
for (const [delivery_format, signature] of [
  ['native', 'a signature of its own'],
  ['compat', 'the same signature'],
] as const) {
  test(`each attempt of a ${delivery_format} delivery has the same id, its own time and ${signature}`, {
    rules: ['payload.delivery-id-repeats-on-retry', 'signature.compat-covers-the-body'],
  }, async (t) => {
    const { hub, receiver, endpoint, publish, arrived, only } = await startWebhooks(t)
    const crm = await endpoint({ delivery_format })
    await publish({})

    receiver.answer(500)
    await hub.deliver()
    await hub.clock.advance('1 minute')
    await hub.deliver()

    const [first, second] = arrived(crm).map(({ headers }) => headers)
    const { id } = await only(crm)
    assert.deepEqual([first?.['x-hub-delivery-id'], second?.['x-hub-delivery-id']], [id, id])
    assert.ok(Number(second?.['x-hub-timestamp']) >= Number(first?.['x-hub-timestamp']) + 60)
    for (const one of arrived(crm)) assert.ok(isSignedWith(one, crm.secret))
    const isSame = first?.['x-hub-signature-256'] === second?.['x-hub-signature-256']
    assert.equal(isSame, delivery_format === 'compat')
  })
}

test('a replay has its own delivery id and is signed with it', {
  rules: ['replay.keeps-the-event-id', 'payload.delivery-id-repeats-on-retry'],
}, async (t) => {
  const { hub, endpoint, publish, arrived, only, replay } = await startWebhooks(t)
  const crm = await endpoint()
  await publish({})
  await hub.deliver()

  const original = await only(crm)
  const replayed = await replay(crm, original)
  await hub.deliver()

  const [first, second] = arrived(crm)
  assert.equal(first?.headers['x-hub-delivery-id'], original.id)
  assert.equal(second?.headers['x-hub-delivery-id'], replayed.body.data.delivery_id)
  assert.notEqual(replayed.body.data.delivery_id, original.id)
  for (const one of [first!, second!]) assert.ok(isSignedWith(one, crm.secret))
})

test('the next attempt after a rotation is signed with the new secret', {
  rules: ['signature.rotation-ends-the-old-secret'],
}, async (t) => {
  const { hub, acme, receiver, endpoint, publish, arrived } = await startWebhooks(t)
  const crm = await endpoint()
  receiver.answer(500)
  await publish({})
  await hub.deliver()

  const rotated = await acme.post(`/api/v1/webhooks/${crm.id}/rotate-secret`)
  await publish({})
  await hub.clock.advance('6 seconds')
  await hub.deliver()

  const { secret } = rotated.body.data
  const [before, ...after] = arrived(crm)
  assert.ok(isSignedWith(before!, crm.secret))
  assert.equal(after.length, 2)
  for (const one of after) {
    assert.ok(isSignedWith(one, secret))
    assert.ok(!isSignedWith(one, crm.secret))
  }
})

test('the next attempt after a change of the URL goes to the new URL', async (t) => {
  const { hub, receiver, endpoint, publish, patch, arrived } = await startWebhooks(t)
  const crm = await endpoint()
  receiver.answer(500)
  await publish({})
  await hub.deliver()

  await patch(crm, { url: `${receiver.url}/moved?to=here` })
  await publish({})
  await hub.clock.advance('6 seconds')
  await hub.deliver()

  assert.equal(arrived(crm).length, 1)
  const moved = arrived({ path: '/moved?to=here' })
  assert.equal(moved.length, 2)
  for (const one of moved) assert.ok(isSignedWith(one, crm.secret))
})

test("deliveries to the endpoint of a compatible creation are signed with the receiver's own secret", {
  rules: ['signature.compat-creation-signs-compat'],
}, async (t) => {
  const { hub, acme, receiver } = await startWebhooks(t)
  const webhook_secret = 'um segredo só nosso: ção'

  await acme.post('/api/v1/channels', { name: 'x', webhook_url: `${receiver.url}/own`, webhook_secret })
  await hub.deliver()

  const [one] = receiver.received
  assert.equal(one?.headers['x-hub-signature-version'], 'compat-v1')
  assert.ok(isSignedWith(one!, webhook_secret))
})
