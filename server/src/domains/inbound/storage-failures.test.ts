import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { breakableDatabase } from '../../../test/breakable-database.ts'
import {
  AT,
  buildCallback,
  buildEntry,
  buildMessagesEntry,
  buildMetadata,
  type InboundFixture,
  startInbound,
} from './test/fixture.ts'
import { buildEcho, buildStatus, buildText } from './test/samples.ts'

/** A callback that writes to every table of the inbound path. */
function fullCallback({ channel }: InboundFixture) {
  const image = { type: 'image', image: { id: '9007199254740993', mime_type: 'image/png', sha256: 'x' } }
  return buildCallback(
    buildMessagesEntry(
      channel,
      { messages: [buildText('wamid.in'), buildText('wamid.image', image)] },
      { statuses: [buildStatus('wamid.out', 'sent')] },
    ),
    buildEntry(channel, 'account_update', { event: 'ACCOUNT_RESTRICTION' }),
  )
}

/** The rows of a channel in every table that a callback writes to. */
async function countRows({ sql, channel, log }: InboundFixture) {
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

/** Makes the database refuse a kind of statement until the returned function is called. */
async function refuse(t: TestContext, { sql }: InboundFixture, on: string, when: 'at once' | 'at the commit') {
  const [operation = '', table = ''] = on.split(' ')
  const isLate = when === 'at the commit'
  await sql.unsafe(`
    create or replace function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
    create ${isLate ? 'constraint' : ''} trigger refused ${isLate ? 'after' : 'before'} ${operation} on ${table}
      ${isLate ? 'deferrable initially deferred' : ''} for each row execute function refuse();`)
  const allow = async () => void (await sql.unsafe(`drop trigger if exists refused on ${table}`))
  t.after(allow)
  return allow
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
  test(`a callback is 503 and leaves no rows if the database refuses to ${on}, and is accepted later`, {
    rules: ['callback.is-answered-after-the-commit'],
  }, async (t) => {
    const fixture = await startInbound(t)
    const before = await countRows(fixture)
    const allow = await refuse(t, fixture, on, 'at once')

    const refused = await fixture.post(fullCallback(fixture))
    const during = await countRows(fixture)
    await allow()
    const taken = await fixture.post(fullCallback(fixture))

    assert.deepEqual([refused.status, refused.body.error.code], [503, 'NOT_READY'])
    assert.deepEqual(during, before)
    assert.equal(taken.status, 200)
    assertComplete(await countRows(fixture), before)
  })
}

test('a callback is 503 and leaves no rows if the database refuses to commit', {
  rules: ['callback.is-answered-after-the-commit'],
}, async (t) => {
  const fixture = await startInbound(t)
  const before = await countRows(fixture)
  const allow = await refuse(t, fixture, 'insert seen_changes', 'at the commit')

  const refused = await fixture.post(fullCallback(fixture))
  const during = await countRows(fixture)
  await allow()
  const taken = await fixture.post(fullCallback(fixture))

  assert.deepEqual([refused.status, taken.status], [503, 200])
  assert.deepEqual(during, before)
  assertComplete(await countRows(fixture), before)
})

test('a callback is 503 without a database, and is stored completely when the database is back', {
  rules: ['callback.is-answered-after-the-commit'],
}, async (t) => {
  const database = await breakableDatabase(t)
  const fixture = await startInbound(t, { installation: { sql: database.sql } })
  const before = await countRows(fixture)

  database.disrupt('hang up')
  const refused = await fixture.post(fullCallback(fixture))
  await database.restore()
  const during = await countRows(fixture)
  const taken = await fixture.post(fullCallback(fixture))

  assert.deepEqual([refused.status, taken.status], [503, 200])
  assert.deepEqual(during, before)
  assertComplete(await countRows(fixture), before)
})

for (const [what, failure] of [
  ['53100', `raise 'could not extend file' using errcode = '53100'`],
  ['XX000', `raise 'could not write to file: No space left on device' using errcode = 'XX000'`],
  ['XX000 for a quota', `raise 'could not extend file: Disk quota exceeded' using errcode = 'XX000'`],
] as const) {
  test(`callbacks and sends are 503 while the disk of the database is full (${what})`, {
    rules: ['database.full-disk-is-503'],
  }, async (t) => {
    const fixture = await startInbound(t, { isOwn: true })
    await refuse(t, fixture, 'insert messages', 'at once')
    await refuse(t, fixture, 'insert unsettled_sends', 'at once')
    await fixture.sql.unsafe(
      `create or replace function refuse() returns trigger language plpgsql as $$ begin ${failure}; end $$`,
    )
    const { id } = fixture.channel
    const body = { to: '5511900000000', type: 'text', text: { body: 'Hi' } }

    const callback = await fixture.post(fullCallback(fixture))
    const sent = await fixture.acme.post(`/api/v1/channels/${id}/messages`, body, {
      headers: { 'idempotency-key': `disk-${what}` },
    })

    assert.deepEqual([callback.status, callback.body.error.code], [503, 'NOT_READY'])
    assert.deepEqual([sent.status, sent.body.error.code], [503, 'NOT_READY'])
  })
}

test('an outage of the database is one line in the log, and one with the number of failures when it is over', {
  rules: ['database.outage-is-two-log-lines'],
}, async (t) => {
  const database = await breakableDatabase(t)
  const fixture = await startInbound(t, { installation: { sql: database.sql }, hasTimers: false })
  const { logs } = fixture.hub
  const read = () =>
    logs
      .map((line) => JSON.parse(line))
      .filter(({ level, msg }) => level === 'error' || /database|refused/.test(msg))
      .map(({ level, msg, failures }) => [level, msg, failures])

  database.disrupt('hang up')
  const refused = await Promise.all(Array.from({ length: 6 }, () => fixture.post(fullCallback(fixture))))
  await database.restore()
  while (!t.signal.aborted && read().length < 2) await setImmediate()

  assert.deepEqual(new Set(refused.map(({ status }) => status)), new Set([503]))
  assert.deepEqual(read(), [
    ['error', 'the database is unavailable, and requests that need it are refused', undefined],
    ['warn', 'the database is available again', 6],
  ])
})

test('a callback that the database refuses does not fail those that arrive with it', async (t) => {
  const fixture = await startInbound(t)
  await fixture.sql.unsafe(`alter table messages add constraint no_poison check (type <> 'poison')`)
  t.after(() => fixture.sql.unsafe('alter table messages drop constraint no_poison'))
  const texts = Array.from({ length: 12 }, (_, i) => buildText(`wamid.${i}`, i % 4 === 1 ? { type: 'poison' } : {}))

  const answers = await Promise.all(
    texts.map((message) => fixture.post(buildCallback(buildMessagesEntry(fixture.channel, { messages: [message] })))),
  )

  assert.deepEqual(
    answers.map(({ status }) => status),
    texts.map(({ type }) => (type === 'poison' ? 503 : 200)),
  )
  const log = await fixture.log()
  assert.deepEqual(
    log.map(({ upstream_message_id }) => upstream_message_id).sort(),
    texts.flatMap(({ id, type }) => (type === 'poison' ? [] : [id])).sort(),
  )
})

test('the upstream repeats a callback that was 503, and the message is logged once', async (t) => {
  const fixture = await startInbound(t)
  const allow = await refuse(t, fixture, 'insert messages', 'at once')

  await fixture.up.simulator.control('POST', '/contacts/5511987654321/messages', {
    to: fixture.channel.number.phoneNumberId,
    type: 'text',
  })
  const during = await fixture.log()
  await allow()
  await fixture.up.simulator.control('POST', '/clock', { advance_seconds: 86_400 })

  assert.deepEqual(during, [])
  assert.equal((await fixture.log()).length, 1)
})

test('a repeated echo that was refused first is merged with a status that arrived in between', async (t) => {
  const fixture = await startInbound(t)
  const echo = { ...buildMetadata(fixture.channel), message_echoes: [buildEcho(fixture.channel.digits, 'wamid.e')] }
  const echoed = { id: fixture.channel.number.wabaId, changes: [{ field: 'smb_message_echoes', value: echo }] }
  const allow = await refuse(t, fixture, 'insert messages', 'at once')

  const refused = await fixture.post(buildCallback(echoed))
  await allow()
  await fixture.deliverMessages({ statuses: [buildStatus('wamid.e', 'read', { timestamp: String(AT + 5) })] })
  await fixture.deliver(echoed)

  assert.equal(refused.status, 503)
  const [line, ...others] = await fixture.log()
  assert.deepEqual([line?.type, line?.status, others.length], ['text', 'read', 0])
})

type Counts = Awaited<ReturnType<typeof countRows>> & Record<string, unknown>

function assertComplete(after: Counts, before: Counts): void {
  assert.equal(after.callbacks, Number(before.callbacks) + 1)
  assert.deepEqual([after.seen, after.wamids, after.media, after.status], [3, 3, 1, 'degraded'])
  // Two received, one status, one account update and its channel event, and three raw changes.
  assert.equal(after.events, Number(before.events) + 2 + 1 + 2 + 3)
  assert.deepEqual(after.log, [
    ['wamid.image', 'received'],
    ['wamid.in', 'received'],
    ['wamid.out', 'sent'],
  ])
}

const LOST = { before: 'while statuses of sends are looked up', after: 'with the answer to a commit' } as const

for (const when of ['before', 'after'] as const) {
  test(`a connection that is lost ${LOST[when]} leaves no rejection unhandled, and the repeat is stored once`, async (t) => {
    const database = await breakableDatabase(t)
    const fixture = await startInbound(t, { installation: { sql: database.sql }, hasTimers: false })
    const { channel } = fixture
    const sent = buildStatus('wamid.cut', 'sent', { biz_opaque_callback_data: 'order-1' })
    const callback = buildCallback(buildMessagesEntry(channel, { messages: [buildText('wamid.in')], statuses: [sent] }))
    const unhandled: unknown[] = []
    const note = (err: unknown) => void unhandled.push(err)
    process.on('unhandledRejection', note)
    t.after(() => process.off('unhandledRejection', note))

    const { callbacks }: Partial<Counts> = await countRows(fixture)
    database.cutAt('wamid.cut', when)
    const refused = await fixture.post(callback)
    const accepted = await fixture.post(callback)
    await setImmediate()

    assert.deepEqual([refused.status, accepted.status, unhandled], [503, 200, []])
    assert.equal((await fixture.log()).length, 2)
    const kinds = (await fixture.events()).map(({ kind }) => kind).filter((kind) => kind.startsWith('message.'))
    assert.deepEqual(kinds.sort(), ['message.received', 'message.status'])
    // A callback that was committed is not undone: its repeat is kept beside it.
    const after: Partial<Counts> = await countRows(fixture)
    assert.equal(after.callbacks, Number(callbacks) + (when === 'after' ? 2 : 1))
  })
}
