import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { breakableDatabase } from '../../../test/breakable-database.ts'
import { echoOf, statusOf, textMessage } from './test/samples.ts'
import { AT, callbackOf, framed, type Scene, saying, startInbound, telling } from './test/scene.ts'

/** A callback of which every table of the inbound path gets a row. */
function fullCallback({ channel }: Scene) {
  const image = { type: 'image', image: { id: '9007199254740993', mime_type: 'image/png', sha256: 'x' } }
  return callbackOf(
    saying(
      channel,
      { messages: [textMessage('wamid.in'), textMessage('wamid.image', image)] },
      { statuses: [statusOf('wamid.out', 'sent')] },
    ),
    telling(channel, 'account_update', { event: 'ACCOUNT_RESTRICTION' }),
  )
}

/** What the database holds of a channel, in every table that a callback writes to. */
async function holdings({ sql, channel, log }: Scene) {
  const [counts] = await sql<Record<string, unknown>[]>`
    select
      (select count(*)::int from callbacks) as callbacks,
      (select count(*)::int from seen_changes where channel_id = ${channel.id}) as seen,
      (select count(*)::int from message_wamids where channel_id = ${channel.id}) as wamids,
      (select count(*)::int from channel_media where channel_id = ${channel.id}) as media,
      (select count(*)::int from events where channel_id = ${channel.id}) as events,
      (select status from channels where id = ${channel.id}) as status`
  const lines = (await log()).map(({ upstream_message_id, status }) => [upstream_message_id, status])
  return { ...counts, log: lines.sort() }
}

/** Makes the database refuse a kind of statement until it is let go. */
async function refuse(t: TestContext, { sql }: Scene, on: string, when: 'at once' | 'at the commit') {
  const [operation = '', table = ''] = on.split(' ')
  const isLate = when === 'at the commit'
  await sql.unsafe(`
    create or replace function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
    create ${isLate ? 'constraint' : ''} trigger refused ${isLate ? 'after' : 'before'} ${operation} on ${table}
      ${isLate ? 'deferrable initially deferred' : ''} for each row execute function refuse();`)
  const letGo = async () => void (await sql.unsafe(`drop trigger if exists refused on ${table}`))
  t.after(letGo)
  return letGo
}

for (const on of [
  'insert callbacks',
  'insert seen_changes',
  'insert message_wamids',
  'insert messages',
  'insert channel_media',
  'update channels',
  'insert events',
]) {
  test(`where the database refuses to ${on}, the callback is 503 and nothing of it stays, and is taken later`, {
    rules: ['D8-04'],
  }, async (t) => {
    const scene = await startInbound(t)
    const before = await holdings(scene)
    const letGo = await refuse(t, scene, on, 'at once')

    const refused = await scene.post(fullCallback(scene))
    const during = await holdings(scene)
    await letGo()
    const taken = await scene.post(fullCallback(scene))

    assert.deepEqual([refused.status, refused.body.error.code], [503, 'NOT_READY'])
    assert.deepEqual(during, before)
    assert.equal(taken.status, 200)
    assertWhole(await holdings(scene), before)
  })
}

test('a database that refuses to commit makes the callback 503, and nothing of it stays', {
  rules: ['D8-04'],
}, async (t) => {
  const scene = await startInbound(t)
  const before = await holdings(scene)
  const letGo = await refuse(t, scene, 'insert seen_changes', 'at the commit')

  const refused = await scene.post(fullCallback(scene))
  const during = await holdings(scene)
  await letGo()
  const taken = await scene.post(fullCallback(scene))

  assert.deepEqual([refused.status, taken.status], [503, 200])
  assert.deepEqual(during, before)
  assertWhole(await holdings(scene), before)
})

test('a database that is away makes the callback 503, and the same callback is taken whole when it is back', {
  rules: ['D8-04'],
}, async (t) => {
  const database = await breakableDatabase(t)
  const scene = await startInbound(t, { installation: { sql: database.sql } })
  const before = await holdings(scene)

  database.disrupt('hang up')
  const refused = await scene.post(fullCallback(scene))
  await database.restore()
  const during = await holdings(scene)
  const taken = await scene.post(fullCallback(scene))

  assert.deepEqual([refused.status, taken.status], [503, 200])
  assert.deepEqual(during, before)
  assertWhole(await holdings(scene), before)
})

test('a callback that the database refuses does not take along those that came at the same time', async (t) => {
  const scene = await startInbound(t)
  await scene.sql.unsafe(`alter table messages add constraint no_poison check (type <> 'poison')`)
  t.after(() => scene.sql.unsafe('alter table messages drop constraint no_poison'))
  const texts = Array.from({ length: 12 }, (_, i) => textMessage(`wamid.${i}`, i % 4 === 1 ? { type: 'poison' } : {}))

  const answers = await Promise.all(
    texts.map((message) => scene.post(callbackOf(saying(scene.channel, { messages: [message] })))),
  )

  assert.deepEqual(
    answers.map(({ status }) => status),
    texts.map(({ type }) => (type === 'poison' ? 503 : 200)),
  )
  const log = await scene.log()
  assert.deepEqual(
    log.map(({ upstream_message_id }) => upstream_message_id).sort(),
    texts.flatMap(({ id, type }) => (type === 'poison' ? [] : [id])).sort(),
  )
})

test('the upstream that got a 503 posts again, and the message is in the log once', async (t) => {
  const scene = await startInbound(t)
  const letGo = await refuse(t, scene, 'insert messages', 'at once')

  await scene.up.simulator.control('POST', '/contacts/5511987654321/messages', {
    to: scene.channel.number.phoneNumberId,
    type: 'text',
  })
  const during = await scene.log()
  await letGo()
  await scene.up.simulator.control('POST', '/clock', { advance_seconds: 86_400 })

  assert.deepEqual(during, [])
  assert.equal((await scene.log()).length, 1)
})

test('an echo after a refused one is taken, with the status that came between', async (t) => {
  const scene = await startInbound(t)
  const echo = { ...framed(scene.channel), message_echoes: [echoOf(scene.channel.digits, 'wamid.e')] }
  const echoed = { id: scene.channel.number.wabaId, changes: [{ field: 'smb_message_echoes', value: echo }] }
  const letGo = await refuse(t, scene, 'insert messages', 'at once')

  const refused = await scene.post(callbackOf(echoed))
  await letGo()
  await scene.say({ statuses: [statusOf('wamid.e', 'read', { timestamp: String(AT + 5) })] })
  await scene.deliver(echoed)

  assert.equal(refused.status, 503)
  const [line, ...others] = await scene.log()
  assert.deepEqual([line?.type, line?.status, others.length], ['text', 'read', 0])
})

type Holdings = Awaited<ReturnType<typeof holdings>> & Record<string, unknown>

function assertWhole(after: Holdings, before: Holdings): void {
  assert.equal(after.callbacks, Number(before.callbacks) + 1)
  assert.deepEqual([after.seen, after.wamids, after.media, after.status], [3, 3, 1, 'degraded'])
  // Two received, one status, one account word and what it does to the channel, and three changes as they came.
  assert.equal(after.events, Number(before.events) + 2 + 1 + 2 + 3)
  assert.deepEqual(after.log, [
    ['wamid.image', 'received'],
    ['wamid.in', 'received'],
    ['wamid.out', 'sent'],
  ])
}
