import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listAuditEntries } from '../../../../test/hub-with-upstream.ts'
import type { Received } from '../../../../test/receiver.ts'
import { dumpDatabase, listEncodings } from '../../../../test/stored-secrets.ts'
import { type Endpoint, startSecondHub, startWebhooks, type WebhookFixture } from '../test/fixture.ts'
import { isSignedWith } from '../test/signature.ts'

type Rotated = { secret: string; warning: string; previous_valid_until?: string }

async function rotate({ acme }: Pick<WebhookFixture, 'acme'>, { id }: { id: string }, body?: object): Promise<Rotated> {
  const rotated = await acme.post(`/api/v1/webhooks/${id}/rotate-secret`, body)
  assert.equal(rotated.status, 200, rotated.text)
  return rotated.body.data
}

/** Publishes an event and returns what the endpoint receives for it. */
async function deliverOne({ hub, publish, arrived }: WebhookFixture, crm: Endpoint): Promise<Received> {
  await publish({})
  await hub.deliver()
  return arrived(crm).at(-1)!
}

/** The same delivery with its second signature in place of the first. */
function toPrevious({ headers, ...received }: Received): Received {
  const previous = headers['x-hub-signature-256-previous']
  return { ...received, headers: { ...headers, 'x-hub-signature-256': previous } }
}

async function readStored({ hub }: Pick<WebhookFixture, 'hub'>, { id }: { id: string }) {
  const [row] = await hub.sql<{ previous_secret: string | null; previous_secret_until: string | null }[]>`
    select previous_secret, previous_secret_until from webhook_endpoints where id = ${id}`
  return row!
}

for (const delivery_format of ['native', 'compat']) {
  test(`during the overlap of a rotation a ${delivery_format} delivery carries a signature of each secret`, {
    rules: ['signature.rotation-can-overlap', 'signature.overlap-sends-both'],
  }, async (t) => {
    const fixture = await startWebhooks(t)
    const crm = await fixture.endpoint({ delivery_format })
    await deliverOne(fixture, crm)

    const { secret, previous_valid_until } = await rotate(fixture, crm, { overlap_seconds: 3600 })
    const received = await deliverOne(fixture, crm)

    assert.notEqual(secret, crm.secret)
    assert.ok(previous_valid_until)
    assert.equal((await fixture.show(crm)).previous_secret_valid_until, previous_valid_until)
    assert.ok(isSignedWith(received, secret))
    assert.ok(!isSignedWith(received, crm.secret))
    assert.ok(isSignedWith(toPrevious(received), crm.secret))
  })
}

for (const body of [undefined, {}, { overlap_seconds: 0 }]) {
  test(`a rotation with the body ${JSON.stringify(body)} makes the old secret invalid at once`, {
    rules: ['signature.rotation-ends-the-old-secret'],
  }, async (t) => {
    const fixture = await startWebhooks(t)
    const crm = await fixture.endpoint()
    await rotate(fixture, crm, { overlap_seconds: 3600 })

    const rotated = await rotate(fixture, crm, body)
    const received = await deliverOne(fixture, crm)

    assert.deepEqual(Object.keys(rotated).sort(), ['secret', 'warning'])
    assert.ok(isSignedWith(received, rotated.secret))
    assert.equal(received.headers['x-hub-signature-256-previous'], undefined)
    assert.deepEqual(await readStored(fixture, crm), { previous_secret: null, previous_secret_until: null })
    assert.equal((await fixture.show(crm)).previous_secret_valid_until, null)
  })
}

test('another rotation with an overlap replaces the previous secret', {
  rules: ['signature.one-previous-secret'],
}, async (t) => {
  const fixture = await startWebhooks(t)
  const crm = await fixture.endpoint()

  const second = await rotate(fixture, crm, { overlap_seconds: 3600 })
  const third = await rotate(fixture, crm, { overlap_seconds: 60 })
  const received = await deliverOne(fixture, crm)

  assert.ok(isSignedWith(received, third.secret))
  assert.ok(isSignedWith(toPrevious(received), second.secret))
  assert.ok(third.previous_valid_until! < second.previous_valid_until!)
})

test('after the overlap deliveries carry one signature, and the previous secret is erased', {
  rules: ['signature.overlap-ends-by-itself'],
}, async (t) => {
  const fixture = await startWebhooks(t)
  const { hub, show } = fixture
  const beside = await startSecondHub(t, fixture.receiver)
  const crm = await fixture.endpoint()
  const { secret } = await rotate(fixture, crm, { overlap_seconds: 60 })
  await deliverOne(fixture, crm)
  await hub.runJobs()
  const during = await readStored(fixture, crm)

  await hub.clock.advance('61 seconds')
  const late = await deliverOne(fixture, crm)
  const shown = await show(crm)
  await hub.context.endpointCleanup.erasePreviousSecrets()
  const after = await deliverOne({ ...fixture, hub: beside }, crm)

  assert.notEqual(during.previous_secret, null)
  for (const received of [late, after]) {
    assert.ok(isSignedWith(received, secret))
    assert.equal(received.headers['x-hub-signature-256-previous'], undefined)
  }
  assert.equal(shown.previous_secret_valid_until, null)
  assert.deepEqual(await readStored(fixture, crm), { previous_secret: null, previous_secret_until: null })
})

test('the previous secret is stored sealed for its column, in no log line, audit entry or response', {
  rules: ['signature.previous-secret-is-sealed'],
}, async (t) => {
  const fixture = await startWebhooks(t, { isOwn: true })
  const { hub, acme } = fixture
  const crm = await fixture.endpoint()

  const { secret, previous_valid_until } = await rotate(fixture, crm, { overlap_seconds: 3600 })
  const shown = await acme.get(`/api/v1/webhooks/${crm.id}`)
  const entry = (await listAuditEntries(acme, crm.id)).find(({ action }) => action === 'webhook.secret_rotated')

  const stored = await dumpDatabase(hub.sql)
  for (const form of [crm.secret, secret].flatMap((one) => [...listEncodings(one)])) {
    assert.ok(!stored.includes(form))
    assert.ok(!shown.text.includes(form))
    assert.ok(hub.logs.every((line) => !line.includes(form)))
  }
  assert.equal(entry?.details.previous_valid_until, previous_valid_until)
  const { previous_secret } = await readStored(fixture, crm)
  const place = { table: 'webhook_endpoints', organizationId: acme.organizationId, rowId: crm.id }
  assert.equal(hub.context.sealing.open(previous_secret!, { ...place, column: 'previous_secret' }), crm.secret)
  assert.equal(hub.context.sealing.open(previous_secret!, { ...place, column: 'secret' }), undefined)
  await hub.context.endpoints.reseal()
  assert.equal(
    hub.context.sealing.open((await readStored(fixture, crm)).previous_secret!, {
      ...place,
      column: 'previous_secret',
    }),
    crm.secret,
  )
})

for (const body of [
  { overlap_seconds: -1 },
  { overlap_seconds: 86_401 },
  { overlap_seconds: 0.5 },
  { overlap_seconds: '60' },
  { overlap: 60 },
]) {
  test(`a rotation with ${JSON.stringify(body)} is 400 and changes nothing`, {
    rules: ['signature.rotation-can-overlap'],
  }, async (t) => {
    const fixture = await startWebhooks(t)
    const crm = await fixture.endpoint()

    const refused = await fixture.acme.post(`/api/v1/webhooks/${crm.id}/rotate-secret`, body)

    assert.deepEqual([refused.status, refused.body.error.code], [400, 'INVALID_REQUEST'])
    assert.ok(isSignedWith(await deliverOne(fixture, crm), crm.secret))
  })
}

test('the last two secrets of concurrent rotations with an overlap sign', {
  rules: ['signature.one-previous-secret'],
}, async (t) => {
  const fixture = await startWebhooks(t)
  const crm = await fixture.endpoint()

  const rotations = await Promise.all(Array.from({ length: 6 }, () => rotate(fixture, crm, { overlap_seconds: 3600 })))
  const received = await deliverOne(fixture, crm)

  const secrets = rotations.map(({ secret }) => secret)
  const current = secrets.filter((secret) => isSignedWith(received, secret))
  const previous = secrets.filter((secret) => isSignedWith(toPrevious(received), secret))
  assert.deepEqual([current.length, previous.length], [1, 1])
  assert.notEqual(current[0], previous[0])
})

test('a secret that cannot be opened is replaced without an overlap', {
  rules: ['signature.rotation-can-overlap'],
}, async (t) => {
  const fixture = await startWebhooks(t)
  const crm = await fixture.endpoint()
  await fixture.hub.sql`update webhook_endpoints set secret = 'gone.AAAA', version = version + 1 where id = ${crm.id}`

  const rotated = await rotate(fixture, crm, { overlap_seconds: 3600 })

  assert.equal(rotated.previous_valid_until, undefined)
  const received = await deliverOne(fixture, crm)
  assert.ok(isSignedWith(received, rotated.secret))
})
