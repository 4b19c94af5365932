import assert from 'node:assert/strict'
import { test } from 'node:test'
import { breakableDatabase } from '../../../test/breakable-database.ts'
import { holdTransaction } from '../../../test/connecting.ts'
import { newKey, type Scene, startRelayedSending, text, told } from './test/scene.ts'

const TAKEN = JSON.stringify({ messaging_product: 'whatsapp', messages: [{ id: 'wamid.late' }] })

/** A send whose answer the test keeps back. */
async function startHeld(t: Parameters<typeof startRelayedSending>[0], options = {}) {
  const scene = await startRelayedSending(t, options)
  const [key, body] = [newKey(), text()]
  const caught = scene.relay.catch('/messages')
  const sending = scene.send({ key, body })
  const held = await caught
  return { ...scene, sending, held, again: () => scene.send({ key, body }), other: () => scene.send({ key }) }
}

async function unsettled(sql: Scene['hub']['sql'], channelId: string): Promise<number> {
  const rows = await sql`select 1 from unsettled_sends where channel_id = ${channelId}`
  return rows.length
}

test('a send is under way for as long as it can take and 15 seconds; then nobody knows, and the log says so', {
  rules: ['D7-12'],
}, async (t) => {
  const env = { UPSTREAM_TIMEOUT_MS: '100000' }
  const { hub, channel, again, other, held, sending, log, sent } = await startHeld(t, { env })
  const leases = await hub.sql`
    select extract(epoch from u.sending_until - m.created_at)::int as seconds
    from unsettled_sends u
    join messages m on m.id = u.message_id
    where u.channel_id = ${channel.id}`

  await hub.clock.advance('90 seconds')
  await hub.runJobs()
  const [within, line] = [await again(), (await log())[0]]
  await hub.clock.advance('26 seconds')
  const beyond = await again()
  await hub.runJobs()
  const [still, reused, late] = [await again(), await other(), (await log())[0]]

  assert.deepEqual([...leases], [{ seconds: 115 }])
  assert.deepEqual([told(within), line?.status], [[409, 'OPERATION_IN_PROGRESS'], 'sending'])
  assert.deepEqual(told(beyond), [409, 'SEND_RESULT_UNKNOWN'])
  assert.deepEqual(told(still), [409, 'SEND_RESULT_UNKNOWN'])
  assert.deepEqual(told(reused), [400, 'IDEMPOTENCY_KEY_REUSED'])
  assert.deepEqual([late?.id, late?.status, late?.error], [line?.id, 'unknown', null])
  assert.deepEqual(await sent(), [])
  held.answer(200, TAKEN)
  await sending
})

test('an answer that comes after the lease has run out settles the send all the same, once', async (t) => {
  const { hub, channel, again, held, sending, log, sent } = await startHeld(t)
  await hub.clock.advance('1 minute')
  await hub.runJobs()
  const unknown = await again()

  held.answer(200, TAKEN)
  const answer = await sending
  const replay = await again()
  await hub.runJobs()

  assert.deepEqual(told(unknown), [409, 'SEND_RESULT_UNKNOWN'])
  assert.deepEqual([answer.status, replay.status], [202, 202])
  assert.deepEqual(replay.body, answer.body)
  const [line] = await log()
  assert.deepEqual([line?.status, line?.upstream_message_id], ['accepted', 'wamid.late'])
  assert.equal((await sent()).length, 1)
  assert.equal(await unsettled(hub.sql, channel.id), 0)
})

test('a status after the lease has run out settles the send, and the key gives 202', async (t) => {
  const { hub, again, report, held, sending, log, newest, sent } = await startHeld(t)
  await hub.clock.advance('1 minute')
  await hub.runJobs()
  const { id } = await newest()

  await report('sent', { wamid: 'wamid.late', opaque: id })
  const settled = await again()
  await hub.runJobs()

  assert.equal(settled.status, 202)
  assert.equal((await log())[0]?.status, 'sent')
  assert.equal((await sent()).length, 1)
  held.answer(200, TAKEN)
  assert.equal((await sending).status, 202)
  assert.equal((await sent()).length, 1)
})

test('the hub that gives a send up does not wait for whoever is settling it, and does not undo it', async (t) => {
  const { hub, channel, again, held, sending, log } = await startHeld(t)
  await hub.clock.advance('1 minute')
  const lock = await holdTransaction(
    hub.sql,
    (tx) => tx`select 1 from unsettled_sends where channel_id = ${channel.id} for update`,
  )

  await hub.context.messages.giveUpLate()
  const [line] = await log()
  await lock.release()
  held.answer(200, TAKEN)
  await sending
  await hub.context.messages.giveUpLate()

  assert.equal(line?.status, 'sending')
  assert.equal((await log())[0]?.status, 'accepted')
  assert.equal((await again()).status, 202)
})

test('a database that is away when the outcome is to be recorded is SEND_RESULT_UNKNOWN, and a status settles it later', async (t) => {
  const database = await breakableDatabase(t)
  const { hub, again, report, held, sending, newest, sent } = await startHeld(t, {
    installation: { sql: database.sql },
  })

  database.disrupt('hang up')
  held.answer(200, TAKEN)
  const answer = await sending
  await database.restore()
  const { id } = await newest()
  const within = await again()
  await hub.clock.advance('1 minute')
  await hub.runJobs()
  const [beyond, line] = [await again(), await newest()]
  await report('delivered', { wamid: 'wamid.late', opaque: id })
  const settled = await again()

  assert.deepEqual(told(answer), [409, 'SEND_RESULT_UNKNOWN'])
  assert.deepEqual(answer.body.error.details, { message_id: id })
  assert.deepEqual(told(within), [409, 'OPERATION_IN_PROGRESS'])
  assert.deepEqual([told(beyond), line.status], [[409, 'SEND_RESULT_UNKNOWN'], 'unknown'])
  assert.equal(settled.status, 202)
  assert.equal(settled.body.data.message.upstream_message_id, 'wamid.late')
  assert.equal((await sent()).length, 1)
  assert.ok(hub.logs.some((entry) => entry.includes('the outcome of a send was not recorded') && entry.includes(id)))
})

test('a refusal that could not be recorded is not told as one: the key would not say the same', async (t) => {
  const database = await breakableDatabase(t)
  const { again, held, sending } = await startHeld(t, { installation: { sql: database.sql } })

  database.disrupt('hang up')
  held.answer(400, JSON.stringify({ error: { message: '(#131009) No', type: 'OAuthException', code: 131009 } }))
  const answer = await sending
  await database.restore()

  assert.deepEqual(told(answer), [409, 'SEND_RESULT_UNKNOWN'])
  assert.deepEqual(told(await again()), [409, 'OPERATION_IN_PROGRESS'])
})
