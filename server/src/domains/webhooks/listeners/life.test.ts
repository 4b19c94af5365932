import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { bearer } from '../../../../test/hub.ts'
import { holdTransaction, waitUntilBlocked } from '../../../../test/hub-with-upstream.ts'
import { createRequests, startSecondHub, startWebhooks } from '../test/fixture.ts'
import { acknowledge, attach, createListener, type TestListener } from './test/stream.ts'

function readStream(
  owner: { get: (path: string, init: object) => Promise<{ status: number }> },
  listener: TestListener,
) {
  return owner.get(`/api/v1/listeners/${listener.id}/stream`, { headers: { 'x-hub-listener-secret': listener.secret } })
}

test('a listener without a connection lives for 60 seconds and keeps what is published meanwhile', {
  rules: ['listener.lives-60-seconds-unconnected'],
}, async (t) => {
  const { hub, acme, publish } = await startWebhooks(t)
  const [kept, left] = [await createListener(acme), await createListener(acme)]
  const lives = await hub.sql`
    select extract(epoch from expires_at - created_at)::int as seconds
    from listeners
    where organization_id = ${acme.organizationId}`

  await hub.clock.advance('30 seconds')
  await hub.runJobs()
  await publish({ kind: 'phone.quality' })
  const stream = await attach(t, hub.url, acme, kept)
  await hub.clock.advance('30 seconds')
  await hub.runJobs()

  assert.deepEqual([...lives], [{ seconds: 60 }, { seconds: 60 }])
  assert.equal((await stream.delivery()).event, 'phone.quality')
  assert.equal((await readStream(acme, left)).status, 404)
  assert.equal((await acknowledge(acme, left, [kept.id])).status, 404)
})

test('a client that disconnects while it attaches leaves no stream, and its listener lives for 60 seconds', {
  rules: ['listener.lives-60-seconds-unconnected'],
}, async (t) => {
  const { hub, acme } = await startWebhooks(t)
  const listener = await createListener(acme)
  const client = new AbortController()
  const held = await holdTransaction(hub.sql, (tx) => tx`select 1 from listeners where id = ${listener.id} for update`)
  const headers = { ...bearer(acme.key), 'x-hub-listener-secret': listener.secret }
  const url = `${hub.url}/api/v1/listeners/${listener.id}/stream`
  const refused = assert.rejects(fetch(url, { headers, signal: client.signal }))
  await waitUntilBlocked(hub.sql, 1)

  client.abort()
  await refused
  while (!hub.logs.some((line) => line.includes('/stream') && line.includes('"status":null'))) await setImmediate()
  await held.release()
  // Waits for the open request.
  await hub.stop()

  assert.equal(hub.context.listeners.countStreams(), 0)
  const [row] = await hub.sql<{ is_attached: boolean; is_short: boolean }[]>`
    select attachment is not null as is_attached, expires_at <= hub_now() + interval '60 seconds' as is_short
    from listeners
    where id = ${listener.id}`
  assert.deepEqual({ ...row }, { is_attached: true, is_short: true })
})

test('the listener of a process that was killed lives for at least 60 seconds more', {
  rules: ['listener.lives-60-seconds-unconnected'],
}, async (t) => {
  const { hub, receiver, acme, publish } = await startWebhooks(t)
  const listener = await createListener(acme)
  await attach(t, hub.url, acme, listener)
  const other = await startSecondHub(t, receiver)
  // The database of the killed process is cut off here: it never says that the stream is over.
  await hub.clock.advance('65 seconds')
  await other.runJobs()

  await publish({ kind: 'phone.quality' })

  assert.equal((await (await attach(t, other.url, acme, listener)).delivery()).event, 'phone.quality')
})

test('unacknowledged deliveries of a listener disappear with it, also if an event commits after its end', async (t) => {
  const { hub, acme, publishMany } = await startWebhooks(t)
  const { id } = await createListener(acme)
  const rows = () => hub.sql`select 1 from listener_deliveries where listener_id = ${id}`
  await publishMany(3)
  assert.equal((await rows()).length, 3)

  await hub.clock.advance('61 seconds')
  await hub.runJobs()
  await publishMany(1)

  assert.equal((await rows()).length, 0)
  assert.equal((await hub.sql`select 1 from listeners where id = ${id}`).length, 1)
  // A fan-out that has read the listener before its end does the same.
  await hub.sql`
    insert into listener_deliveries values (${acme.organizationId}, ${id}, hub_id(), hub_id(), 'phone.quality')`
  await hub.clock.advance('6 minutes')
  await hub.runJobs()
  assert.equal((await rows()).length, 0)
  assert.equal((await hub.sql`select 1 from listeners where id = ${id}`).length, 0)
})

test('a listener with more than 1,000 unacknowledged deliveries is over, and the last line of its stream says so', {
  rules: ['listener.thousand-unacknowledged-end-it'],
}, async (t) => {
  const { hub, acme, publishMany } = await startWebhooks(t)
  const listener = await createListener(acme)
  const stream = await attach(t, hub.url, acme, listener)
  await publishMany(1000)
  const sent = await stream.deliveries(1000)
  await acknowledge(acme, listener, [sent[0]!.id])
  await publishMany(1)
  await stream.delivery()

  await publishMany(1)
  const last = await stream.end()

  assert.deepEqual([last.type, last.reason, last.gone], ['end', 'too_many_unacknowledged', true])
  assert.equal((await readStream(acme, listener)).status, 404)
})

test('a deleted listener ends its stream, and cannot be attached again', {
  rules: ['listener.deletion-ends-its-stream'],
}, async (t) => {
  const { hub, receiver, acme } = await startWebhooks(t)
  const other = await startSecondHub(t, receiver)
  const listener = await createListener(acme)
  const stream = await attach(t, hub.url, acme, listener)
  const headers = { 'x-hub-listener-secret': listener.secret }

  const deleted = await other.anonymous.with(bearer(acme.key)).delete(`/api/v1/listeners/${listener.id}`, { headers })
  const last = await stream.end()

  assert.deepEqual(deleted.body, { data: { deleted: true } })
  assert.deepEqual([last.reason, last.gone], ['deleted', true])
  assert.equal((await readStream(acme, listener)).status, 404)
  assert.equal((await acme.delete(`/api/v1/listeners/${listener.id}`, { headers })).status, 404)
})

test('the revocation of its key ends a stream before the next delivery, and another key goes on', {
  rules: ['listener.lost-credential-ends-the-stream'],
}, async (t) => {
  const { hub, acme, publish } = await startWebhooks(t)
  const scopes = ['webhooks:write', 'messages:read']
  const { api_key, secret } = (await acme.post('/api/v1/api-keys', { name: 'laptop', scopes })).body.data
  const listener = await createListener(acme)
  const stream = await attach(t, hub.url, { key: secret }, listener)
  await publish({ kind: 'phone.quality' })
  const before = await stream.delivery()

  await acme.post(`/api/v1/api-keys/${api_key.id}/revoke`)
  await publish({ kind: 'template.status' })
  const last = await stream.end()
  const again = await (await attach(t, hub.url, acme, listener)).deliveries(2)

  assert.deepEqual([last.reason, last.gone], ['unauthorized', false])
  assert.deepEqual([again[0]!.id, again[1]!.event], [before.id, 'template.status'])
})

test('the end of its session, or of the membership, ends a stream', {
  rules: ['listener.lost-credential-ends-the-stream'],
}, async (t) => {
  const { hub, receiver, acme } = await startWebhooks(t)
  const { organizationId } = acme
  const { publish } = createRequests(hub, receiver, acme)
  const [left, removed] = [
    await hub.person({ organizationId, role: 'developer' }),
    await hub.person({ organizationId, role: 'developer' }),
  ]
  const owner = await hub.person({ organizationId, role: 'owner' })
  const streams = [
    await attach(t, hub.url, left, await createListener(acme)),
    await attach(t, hub.url, removed, await createListener(acme)),
  ]

  await left.post('/console/sign-out')
  await owner.delete(`/console/members/${removed.userId}`)
  await publish({})

  for (const stream of streams) assert.equal((await stream.end()).reason, 'unauthorized')
})

test('an organization has five listeners, also if several processes create them at once', {
  rules: ['listener.five-per-organization'],
}, async (t) => {
  const { hub, receiver, acme } = await startWebhooks(t)
  const other = (await startSecondHub(t, receiver)).anonymous.with(bearer(acme.key))

  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, n) => (n % 2 ? acme : other).post('/api/v1/listeners', {})),
  )

  const statuses = answers.map(({ status }) => status).sort()
  const refused = answers.find(({ status }) => status === 403)
  assert.deepEqual(statuses, [...Array(5).fill(201), ...Array(11).fill(403)])
  assert.partialDeepStrictEqual(refused?.body.error.details, { quota: 'listeners', limit: 5, used: 5 })
  const globex = await hub.organization()
  assert.equal((await globex.post('/api/v1/listeners', {})).status, 201)
  await hub.clock.advance('61 seconds')
  assert.equal((await acme.post('/api/v1/listeners', {})).status, 201)
})
