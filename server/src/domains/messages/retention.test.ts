import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newKey, type SendingFixture, startSending, text, toStatusAndCode } from './test/fixture.ts'

async function partitions({ hub }: Pick<SendingFixture, 'hub'>): Promise<string[]> {
  const rows = await hub.sql<{ name: string }[]>`
    select inhrelid::regclass::text as name
    from pg_inherits
    where inhparent = 'messages'::regclass
      and inhrelid <> 'messages_default'::regclass
    order by 1`
  return rows.map(({ name }) => name)
}

async function findPartition({ hub }: Pick<SendingFixture, 'hub'>, id: string): Promise<string> {
  const [row] = await hub.sql<
    { name: string }[]
  >`select tableoid::regclass::text as name from messages where id = ${id}`
  return row?.name ?? ''
}

/** Counts the rows of the channel in a table. */
async function count({ hub, channel }: Pick<SendingFixture, 'hub' | 'channel'>, table: string): Promise<number> {
  const rows = await hub.sql`select 1 from ${hub.sql(table)} where channel_id = ${channel.id}`
  return rows.length
}

test('a key is kept for 30 days; then the same key and body send again', {
  rules: ['send.key-is-kept-30-days'],
}, async (t) => {
  const { hub, send, sendRequests, log } = await startSending(t)
  const [key, body] = [newKey(), text()]
  const first = await send({ key, body })

  await hub.clock.advance('30 days')
  await hub.runJobs()
  const kept = await send({ key, body })
  await hub.clock.advance('1 day')
  await hub.runJobs()
  const sentAgain = await send({ key, body })

  assert.deepEqual([kept.status, kept.body], [202, first.body])
  assert.equal(kept.headers.get('idempotent-replayed'), 'true')
  assert.equal(sentAgain.status, 202, sentAgain.text)
  assert.equal(sentAgain.headers.get('idempotent-replayed'), null)
  assert.notEqual(sentAgain.body.data.message.id, first.body.data.message.id)
  assert.equal((await sendRequests()).length, 2)
  assert.equal((await log()).length, 2)
})

test('a key that outlives its log entry is SEND_RESULT_UNKNOWN, and never sends a second time', {
  rules: ['send.key-without-its-log-entry-is-409'],
}, async (t) => {
  const { hub, send, fault, sendRequests, log } = await startSending(t, { env: { RETENTION_MESSAGES_DAYS: '1' } })
  const sends = ['accepted', 'refused', 'lost'].map(() => ({ key: newKey(), body: text() }))
  const before = []
  before.push(await send(sends[0]))
  await fault('error', '/messages', { code: 131009 })
  before.push(await send(sends[1]))
  await fault('reset_before', '/messages')
  before.push(await send(sends[2]))

  await hub.clock.advance('3 days')
  await hub.runJobs()
  const after = []
  for (const again of sends) after.push(await send(again))
  const reused = await send({ key: sends[0]!.key })

  assert.deepEqual(before.map(toStatusAndCode), [
    [202, 'ok'],
    [400, 'UPSTREAM_REJECTED'],
    [409, 'SEND_RESULT_UNKNOWN'],
  ])
  assert.deepEqual(after.map(toStatusAndCode), Array(3).fill([409, 'SEND_RESULT_UNKNOWN']))
  assert.equal(after[0]?.body.error.details.message_id, before[0]?.body.data.message.id)
  assert.deepEqual(toStatusAndCode(reused), [400, 'IDEMPOTENCY_KEY_REUSED'])
  assert.equal((await sendRequests()).length, 3)
  assert.deepEqual(await log(), [])
})

test('messages are deleted by the day after RETENTION_MESSAGES_DAYS, and not before', async (t) => {
  const { hub, send, log } = await startSending(t, { env: { RETENTION_MESSAGES_DAYS: '5' } })
  await hub.clock.advance('30 days')
  await hub.runJobs()
  const { id } = (await send()).body.data.message
  const partition = await findPartition({ hub }, id)

  await hub.clock.advance('5 days')
  await hub.runJobs()
  const [kept, keptIn] = [await log(), await partitions({ hub })]
  await hub.clock.advance('1 day')
  await hub.runJobs()
  const deleted = await log()
  const next = (await send()).body.data.message

  assert.deepEqual(
    kept.map((message) => message.id),
    [id],
  )
  assert.ok(keptIn.includes(partition))
  assert.deepEqual(deleted, [])
  assert.ok(!(await partitions({ hub })).includes(partition))
  assert.ok((await partitions({ hub })).includes(await findPartition({ hub }, next.id)))
})

test('a status of a deleted message does not create it again', async (t) => {
  const { hub, send, report, log } = await startSending(t, { env: { RETENTION_MESSAGES_DAYS: '1' } })
  const { id: callbackData, upstream_message_id: wamid } = (await send()).body.data.message
  await hub.clock.advance('3 days')
  await hub.runJobs()

  const answer = await report('read', { wamid, callbackData })

  assert.equal(answer.status, 200)
  assert.deepEqual(await log(), [])
})

test('upstream ids are kept as long as the log and at least ten days, and unsettled sends 30 days', async (t) => {
  const fixture = await startSending(t, { env: { RETENTION_MESSAGES_DAYS: '1' } })
  const { hub, fault, send } = fixture
  await send()
  await fault('reset_before', '/messages')
  await send()
  const counts = async () => [await count(fixture, 'message_wamids'), await count(fixture, 'unsettled_sends')]

  const passed = []
  for (const days of ['10 days', '1 day', '19 days', '1 day']) {
    await hub.clock.advance(days)
    await hub.runJobs()
    passed.push(await counts())
  }

  assert.deepEqual(passed, [
    [1, 1],
    [0, 1],
    [0, 1],
    [0, 0],
  ])
})
