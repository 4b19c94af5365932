import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { buildSealingEnv, readPrinted } from '../../../test/admin.ts'
import { testDatabase } from '../../../test/database.ts'
import { bearer, startHub } from '../../../test/hub.ts'
import { startHubWithUpstream } from '../../../test/hub-with-upstream.ts'
import { openLimited } from '../../../test/limited-database.ts'
import { startReceiver } from '../../../test/receiver.ts'
import type { KeyRing } from '../../kernel/crypto/key-ring.ts'
import { newId } from '../../kernel/ids.ts'
import { runCommand } from '../commands/run-command.ts'

const RING: KeyRing = [{ id: 'operator', bytes: randomBytes(32) }]
const INSTALLATION = { installation: { keyRing: () => RING } }
const TEXT = { to: '5511955500199', type: 'text', text: { body: 'Oi' } }

/** A hub of its own with a connected channel and a receiver. The hold belongs to the database, so a test leaves none. */
async function startHolding(t: TestContext, options: Parameters<typeof startHubWithUpstream>[1] = {}) {
  const receiver = await startReceiver(t)
  const { target, sql } = await testDatabase()
  await sql`update installation set held_since = null, hold_reason = null, system_identifier = null`
  const env = { BILLING: 'off', WEBHOOK_ALLOWED_DESTINATIONS: receiver.destination }
  const fixture = await startHubWithUpstream(t, { ...INSTALLATION, isOwn: true, env, ...options })
  const acme = await fixture.hub.organization()
  const channel = await fixture.connect(acme)
  const admin = async (command: string) =>
    readPrinted(await runCommand([command], { DATABASE_URL: target, ...buildSealingEnv(RING) }))
  const send = (key: string) =>
    acme.post(`/api/v1/channels/${channel.id}/messages`, TEXT, { headers: { 'idempotency-key': key } })
  return { ...fixture, receiver, acme, channel, admin, send, ready: () => readReady(fixture.hub) }
}

async function readReady({ anonymous }: Awaited<ReturnType<typeof startHub>>): Promise<string> {
  const { status, body } = await anonymous.get('/ready')
  return status === 200 ? body.data.status : body.error.code
}

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await setImmediate()
}

/** Another server than the one that the data was on. */
async function moveToOtherServer(): Promise<void> {
  const { sql } = await testDatabase()
  await sql`update installation set system_identifier = '1'`
}

test('on hold callbacks are taken, and their deliveries are made after the release', {
  rules: ['hold.callbacks-are-taken', 'hold.deliveries-stand-still', 'hold.every-process-sees-it'],
}, async (t) => {
  const { hub, up, acme, channel, receiver, admin, ready } = await startHolding(t, { isDelivering: true })
  const created = await acme.post('/api/v1/webhooks', { name: 'CRM', url: receiver.url })
  const log = `/api/v1/webhooks/${created.body.data.webhook.id}/deliveries`
  await until(async () => (await ready()) === 'ready')

  assert.deepEqual(Object.keys(await admin('hold')), ['held', 'since', 'reason'])
  await until(async () => (await ready()) === 'held')
  const from = `/contacts/${TEXT.to}/messages`
  await up.simulator.control('POST', from, { ...TEXT, to: channel.number.phoneNumberId })
  const page = await acme.get(`/api/v1/channels/${channel.id}/messages`)
  await hub.deliver()

  assert.equal(page.body.data.messages.length, 1)
  assert.equal(receiver.received.length, 0)
  const { deliveries } = (await acme.get(log)).body.data
  const queued = deliveries.map(({ status, attempts }: { status: string; attempts: number }) => [status, attempts])
  assert.ok(queued.length > 0)
  for (const delivery of queued) assert.deepEqual(delivery, ['pending', 0])
  assert.deepEqual(await admin('release'), { held: false, was_held: true })
  await until(async () => receiver.received.length > 0)
  assert.equal(await ready(), 'ready')
})

test('a hold is a metric', { rules: ['hold.is-a-metric'] }, async (t) => {
  const { hub } = await startHolding(t)
  const read = async () => /^hubline_held(?:\{.*\})? (\d)$/m.exec((await hub.anonymous.get('/metrics')).text)?.[1]

  const before = await read()
  await hub.context.hold.set('operator')
  const during = await read()
  await hub.context.hold.release()

  assert.deepEqual([before, during, await read()], ['0', '1', '0'])
})

test('a send on hold is 503 before its key is reserved, so that the key sends after the release', {
  rules: ['hold.sends-are-503', 'hold.every-process-sees-it'],
}, async (t) => {
  const { hub, admin, send, requests } = await startHolding(t)
  const second = await startHub(t, { ...INSTALLATION, isOwn: true, env: { BILLING: 'off' } })
  const keys = Array.from({ length: 40 }, () => newId())

  const before = Promise.all(keys.slice(0, 20).map(send))
  await admin('hold')
  await Promise.all([hub.context.hold.refresh(), second.context.hold.refresh()])
  const during = await Promise.all(keys.slice(20).map(send))
  const first = await before

  for (const { status, body, headers } of during) {
    assert.deepEqual([status, body.error.code, body.error.details.reason], [503, 'NOT_READY', 'held'])
    assert.equal(headers.get('retry-after'), '30')
  }
  assert.ok(first.every(({ status }) => status === 202 || status === 503))
  assert.equal(await readReady(second), 'held')
  await admin('release')
  await hub.context.hold.refresh()
  // The upstream takes one message to a person every six seconds, and refuses others.
  const after = await Promise.all(keys.slice(20).map(send))
  assert.ok(after.every(({ status }) => status !== 503 && status !== 409))
  const sent = (await requests('/messages')).length
  assert.equal(sent, first.filter(({ status }) => status === 202).length + after.length)
})

test('writes of the facade are 503 on hold, as at Meta below /graph, and reads are answered', {
  rules: ['hold.sends-are-503', 'hold.reads-are-answered'],
}, async (t) => {
  const { hub, admin, acme, channel, receiver } = await startHolding(t)
  const { phoneNumberId, wabaId } = channel.number
  const token = hub.anonymous.with(bearer(channel.token))
  await admin('hold')
  await hub.context.hold.refresh()

  const message = { messaging_product: 'whatsapp', ...TEXT }
  const write = await token.post(`/upstream/${phoneNumberId}/messages`, message)
  const graph = await token.post(`/graph/v25.0/${phoneNumberId}/messages`, message)
  const template = await token.delete(`/upstream/${wabaId}/message_templates?name=x`)
  const deleted = await acme.delete(`/api/v1/channels/${channel.id}`)

  assert.deepEqual([write.status, write.body.error.code], [503, 'NOT_READY'])
  assert.deepEqual([graph.status, typeof graph.body.error.code], [503, 'number'])
  assert.deepEqual([template.status, deleted.status], [503, 503])
  assert.equal((await token.get(`/upstream/${phoneNumberId}`)).status, 200)
  assert.equal((await acme.get(`/api/v1/channels/${channel.id}`)).body.data.channel.status, 'active')
  assert.equal((await acme.post('/api/v1/webhooks', { name: 'x', url: receiver.url })).status, 201)
  await admin('release')
})

test('jobs that call out stand still on hold, and the others run', {
  rules: ['hold.jobs-that-call-out-stand-still'],
}, async (t) => {
  const { hub, admin, requests } = await startHolding(t)
  await hub.clock.advance('2 days')
  await admin('hold')
  await hub.runJobs()
  const before = (await requests()).length

  await hub.runJobs()
  const held = (await requests()).length
  await admin('release')
  await hub.runJobs()

  assert.equal(held, before)
  assert.ok((await requests()).length > before)
  assert.ok(hub.jobs.some(({ name, callsOut }) => name === 'delete-organizations' && callsOut))
})

test('a start on another database server is on hold, of many at once too, and the release remembers the server', {
  rules: ['hold.another-server-sets-it'],
}, async (t) => {
  const { admin, ready, hub } = await startHolding(t)
  assert.equal(await ready(), 'ready')
  await moveToOtherServer()

  const started = await Promise.all([1, 2, 3].map(() => startHub(t, { ...INSTALLATION, isOwn: true })))
  assert.deepEqual(await Promise.all(started.map(readReady)), ['held', 'held', 'held'])
  const [row] = await hub.sql`select hold_reason, system_identifier from installation`
  assert.deepEqual(row, { hold_reason: 'other_server', system_identifier: '1' })
  await admin('release')

  const again = await startHub(t, { ...INSTALLATION, isOwn: true })
  assert.equal(await readReady(again), 'ready')
})

test('a role that may not read the identifier of the server skips the comparison with a warning', {
  rules: ['hold.another-server-sets-it'],
}, async (t) => {
  const { sql } = await testDatabase()
  await sql`update installation set held_since = null, hold_reason = null`
  await moveToOtherServer()
  const limited = await openLimited(t, 30, 8)
  await sql`revoke all on function pg_control_system() from public, current_user`

  const hub = await startHub(t, { installation: { sql: limited.sql }, isOwn: true })

  assert.equal(await readReady(hub), 'ready')
  assert.ok(hub.logs.some((line) => line.includes('may not read pg_control_system()')))
})
