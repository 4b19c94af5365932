import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { holdTransaction, waitUntilBlocked } from '../../../../test/hub-with-upstream.ts'
import { PROCESS_LOCKS } from '../../../kernel/db/session-lock.ts'
import { eraseMessages } from '../erasure/store.ts'
import {
  newKey,
  type SendingFixture,
  startRelayedSending,
  startSecondHub,
  text,
  toStatusAndCode,
} from '../test/fixture.ts'

const ACCEPTED = JSON.stringify({ messaging_product: 'whatsapp', messages: [{ id: 'wamid.late' }] })

/** A send whose response the test holds back. */
async function startHeld(t: Parameters<typeof startRelayedSending>[0], options = {}) {
  const fixture = await startRelayedSending(t, options)
  const [key, body] = [newKey(), text()]
  const caught = fixture.relay.catch('/messages')
  // On a busy machine a process may have to confirm its lock first.
  while (fixture.hub.context.processLock.readKey() === null) await delay(20)
  const sending = fixture.send({ key, body })
  const held = await caught
  return { ...fixture, sending, held, again: () => fixture.send({ key, body }), other: () => fixture.send({ key }) }
}

async function countUnsettled(sql: SendingFixture['hub']['sql'], channelId: string): Promise<number> {
  const rows = await sql`select 1 from unsettled_sends where channel_id = ${channelId}`
  return rows.length
}

test("a send is in progress for the upstream's timeout plus 15 seconds, and then unknown", {
  rules: ['send.crash-leaves-it-unknown'],
}, async (t) => {
  const env = { UPSTREAM_TIMEOUT_MS: '100000' }
  const { hub, channel, again, other, held, sending, log, sent } = await startHeld(t, { env })
  const leases = await hub.sql`
    select extract(epoch from sending_until - created_at)::int as seconds
    from unsettled_sends
    where channel_id = ${channel.id}`

  await hub.clock.advance('90 seconds')
  await hub.runJobs()
  const [within, line] = [await again(), (await log())[0]]
  await hub.clock.advance('26 seconds')
  const beyond = await again()
  await hub.runJobs()
  const [still, reused, late] = [await again(), await other(), (await log())[0]]

  assert.deepEqual([...leases], [{ seconds: 115 }])
  assert.deepEqual([toStatusAndCode(within), line?.status], [[409, 'OPERATION_IN_PROGRESS'], 'sending'])
  assert.deepEqual(toStatusAndCode(beyond), [409, 'SEND_RESULT_UNKNOWN'])
  assert.deepEqual(toStatusAndCode(still), [409, 'SEND_RESULT_UNKNOWN'])
  assert.deepEqual(toStatusAndCode(reused), [400, 'IDEMPOTENCY_KEY_REUSED'])
  assert.deepEqual([late?.id, late?.status, late?.error], [line?.id, 'unknown', null])
  assert.deepEqual(await sent(), [])
  held.answer(200, ACCEPTED)
  await sending
})

test('a response after the lease expired settles the send once', async (t) => {
  const { hub, channel, again, held, sending, log, sent } = await startHeld(t)
  await hub.clock.advance('1 minute')
  await hub.runJobs()
  const unknown = await again()

  held.answer(200, ACCEPTED)
  const answer = await sending
  const replay = await again()
  await hub.runJobs()

  assert.deepEqual(toStatusAndCode(unknown), [409, 'SEND_RESULT_UNKNOWN'])
  assert.deepEqual([answer.status, replay.status], [202, 202])
  assert.deepEqual(replay.body, answer.body)
  const [line] = await log()
  assert.deepEqual([line?.status, line?.upstream_message_id], ['accepted', 'wamid.late'])
  assert.equal((await sent()).length, 1)
  assert.equal(await countUnsettled(hub.sql, channel.id), 0)
})

test('a response after the person of an unknown send was erased brings the person back nowhere', {
  rules: ['erasure.late-arrivals-have-no-person'],
}, async (t) => {
  const { hub, acme, channel, relay, send, log } = await startRelayedSending(t, { hasTimers: false })
  const owner = await hub.person({ organizationId: acme.organizationId, role: 'owner' })
  const [to, wa_id, user_id] = ['5511976543210', '551176543210', 'BR.canary777user']
  const [key, body] = [newKey(), text('segredo', to)]
  const caught = relay.catch('/messages')
  const sending = send({ key, body })
  const held = await caught
  await hub.clock.advance('1 minute')
  await hub.context.messages.markExpiredUnknown()
  const path = `/console/organizations/${acme.organizationId}/erasures`
  const { erasure } = (await owner.post(path, { phone: to })).body.data
  const isDone = async () => (await owner.get(`${path}/${erasure.id}`)).body.data.erasure.status === 'done'
  for (let minutes = 0; minutes < 10 && !(await isDone()); minutes++) {
    await hub.clock.advance('1 minute')
    await hub.context.erasureWorker.runAll()
  }

  held.answer(200, JSON.stringify({ contacts: [{ input: to, wa_id, user_id }], messages: [{ id: 'wamid.late' }] }))
  const answer = await sending
  const replay = await send({ key, body })

  assert.ok(await isDone())
  assert.deepEqual([answer.status, replay.status, replay.body.data.message.contact], [202, 202, null])
  const [entry] = await log()
  assert.deepEqual([entry?.status, entry?.upstream_message_id], ['accepted', 'wamid.late'])
  const stored = await hub.sql<{ text: string }[]>`
    select m::text as text from messages m where channel_id = ${channel.id}
    union all
    select convert_from(body, 'utf8') from events where channel_id = ${channel.id} and kind = 'message.sent'
    union all
    select c::text from contacts c where channel_id = ${channel.id}`
  assert.equal(stored.length, 2)
  for (const { text } of stored) {
    for (const trace of [to, wa_id, user_id, 'segredo']) assert.ok(!text.includes(trace), text)
  }
})

test('a response that is recorded while the person of its unknown send is erased does not bring the person back', {
  rules: ['erasure.late-arrivals-have-no-person'],
}, async (t) => {
  const { hub, acme, channel, relay, send, log } = await startRelayedSending(t, { hasTimers: false })
  const [to, wa_id, user_id] = ['5511976543210', '551176543210', 'BR.canary777user']
  const caught = relay.catch('/messages')
  const sending = send({ body: text('segredo', to) })
  const held = await caught
  await hub.clock.advance('1 minute')
  await hub.context.messages.markExpiredUnknown()
  const [{ id } = { id: '' }] = await log()
  const message = { channelId: channel.id, id, error: null }
  const erasing = await holdTransaction(hub.sql, (tx) => eraseMessages(tx, acme.organizationId, [message]))

  held.answer(200, JSON.stringify({ contacts: [{ input: to, wa_id, user_id }], messages: [{ id: 'wamid.late' }] }))
  await waitUntilBlocked(hub.sql, 1)
  await erasing.release()
  const answer = await sending

  assert.equal(answer.status, 202)
  const [entry] = await log()
  assert.deepEqual([entry?.status, entry?.upstream_message_id], ['accepted', 'wamid.late'])
  const stored = await hub.sql<{ text: string }[]>`
    select m::text as text from messages m where channel_id = ${channel.id}
    union all
    select convert_from(body, 'utf8') from events where channel_id = ${channel.id} and kind = 'message.sent'
    union all
    select c::text from contacts c where channel_id = ${channel.id} and (c.user_id is not null or c.wa_id is not null)`
  assert.equal(stored.length, 2)
  for (const { text } of stored) {
    for (const trace of [to, wa_id, user_id, 'segredo']) assert.ok(!text.includes(trace), text)
  }
})

test('a status callback after the lease expired settles the send, and the key gets 202', async (t) => {
  const { hub, again, report, held, sending, log, newest, sent } = await startHeld(t)
  await hub.clock.advance('1 minute')
  await hub.runJobs()
  const { id } = await newest()

  await report('sent', { wamid: 'wamid.late', callbackData: id })
  const settled = await again()
  await hub.runJobs()

  assert.equal(settled.status, 202)
  assert.equal((await log())[0]?.status, 'sent')
  assert.equal((await sent()).length, 1)
  held.answer(200, ACCEPTED)
  assert.equal((await sending).status, 202)
  assert.equal((await sent()).length, 1)
})

test('marking expired sends skips a send that is being settled', async (t) => {
  const { hub, channel, again, held, sending, log } = await startHeld(t)
  await hub.clock.advance('1 minute')
  const lock = await holdTransaction(
    hub.sql,
    (tx) => tx`select 1 from unsettled_sends where channel_id = ${channel.id} for update`,
  )

  await hub.context.messages.markExpiredUnknown()
  const [line] = await log()
  await lock.release()
  held.answer(200, ACCEPTED)
  await sending
  await hub.context.messages.markExpiredUnknown()

  assert.equal(line?.status, 'sending')
  assert.equal((await log())[0]?.status, 'accepted')
  assert.equal((await again()).status, 202)
})

/** The sessions that hold the locks which unsettled sends name. */
async function listLockSessions(sql: SendingFixture['hub']['sql']): Promise<{ pid: number }[]> {
  return sql<{ pid: number }[]>`
    select l.pid
    from pg_locks l
    join unsettled_sends u on u.lock_key = l.objid::bigint::int
    where l.locktype = 'advisory'
      and l.classid::bigint = ${PROCESS_LOCKS}
      and l.objsubid = 2`
}

test('a send is unknown when the lock of its process has been gone for three seconds', {
  rules: ['outcome.killed-process-leaves-unknown-soon'],
}, async (t) => {
  const { hub, up, relay, again, sending, held, log } = await startHeld(t, { hasTimers: false })
  const other = await startSecondHub(t, up, { url: relay.url, hasTimers: false })

  const seen: (string | undefined)[] = []
  const look = async (seconds: number) => {
    await other.clock.advance(`${seconds} seconds`)
    await other.context.messages.markUnknownOfLostProcesses()
    seen.push((await log())[0]?.status)
  }
  await look(0)
  await look(10)
  await hub.context.processLock.stop()
  while ((await listLockSessions(hub.sql)).length > 0) await delay(20)
  await look(0)
  await look(2)
  await look(1)
  const unknown = await again()
  held.answer(200, ACCEPTED)
  const answer = await sending

  assert.deepEqual(seen, ['sending', 'sending', 'sending', 'sending', 'unknown'])
  assert.deepEqual(toStatusAndCode(unknown), [409, 'SEND_RESULT_UNKNOWN'])
  assert.equal(answer.status, 202)
})

test('a process whose connection is replaced keeps its sends in progress', {
  rules: ['outcome.living-process-keeps-its-sends'],
}, async (t) => {
  const { hub, up, relay, again, sending, held } = await startHeld(t, { hasTimers: false })
  const other = await startSecondHub(t, up, { url: relay.url, hasTimers: false })
  const [before] = await listLockSessions(hub.sql)

  await hub.sql`select pg_terminate_backend(${before?.pid ?? null})`
  await other.context.messages.markUnknownOfLostProcesses()
  while (!(await listLockSessions(hub.sql)).some(({ pid }) => pid !== before?.pid)) await delay(20)
  for (let n = 0; n < 3; n++) {
    await other.context.messages.markUnknownOfLostProcesses()
    await other.clock.advance('5 seconds')
  }
  const repeat = await again()
  held.answer(200, ACCEPTED)

  assert.deepEqual(toStatusAndCode(repeat), [409, 'OPERATION_IN_PROGRESS'])
  assert.equal((await sending).status, 202)
})

test('a response while other processes mark the send unknown settles it once', {
  rules: ['outcome.late-one-replaces-unknown'],
}, async (t) => {
  const { hub, up, relay, again, sending, held, log, sent } = await startHeld(t, { hasTimers: false })
  const others = [await startSecondHub(t, up, { url: relay.url, hasTimers: false }), await startSecondHub(t, up)]
  await hub.context.processLock.stop()
  for (const { context, clock } of others) {
    await context.messages.markUnknownOfLostProcesses()
    await clock.advance('10 seconds')
  }

  held.answer(200, ACCEPTED)
  const marking = others.map(({ context }) => context.messages.markUnknownOfLostProcesses())
  const [answer] = await Promise.all([sending, ...marking])
  const replay = await again()

  assert.deepEqual([answer.status, replay.status], [202, 202])
  assert.equal((await log())[0]?.status, 'accepted')
  assert.equal((await sent()).length, 1)
})
