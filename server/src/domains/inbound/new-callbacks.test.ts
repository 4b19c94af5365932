import assert from 'node:assert/strict'
import { test } from 'node:test'
import { holdTransaction, waitUntilBlocked } from '../../../test/hub-with-upstream.ts'
import { openRecordingPool } from '../../../test/query-plans.ts'
import { buildCallback, buildEntry, buildMessagesEntry, buildMetadata, readData, startInbound } from './test/fixture.ts'
import { buildEcho, buildStatus, buildText } from './test/samples.ts'
import { assertAllAccepted, startTwoProcesses } from './test/two-processes.ts'

const WRITTEN = /\b(?:begin|commit|insert|update|delete|take_callbacks_\d+)\b/i
const WRITTEN_TABLES = /begin|commit|callback|seen_changes|message|events|contacts/

test('a callback of new messages, files and echoes is one statement once the number is known', {
  rules: ['callback.handles-the-whole-batch'],
}, async (t) => {
  const { sql, statements } = await openRecordingPool(t)
  const { channel, deliver, log } = await startInbound(t, { installation: { sql }, hasTimers: false })
  await deliver(buildMessagesEntry(channel, { messages: [buildText('wamid.first')] }))
  const image = { type: 'image', image: { id: '1' } }
  const echoes = { ...buildMetadata(channel), message_echoes: [buildEcho(channel.digits, 'wamid.echo')] }
  const before = statements.length

  await deliver(
    buildMessagesEntry(channel, { messages: [buildText('wamid.1'), buildText('wamid.2', image)] }),
    buildEntry(channel, 'smb_message_echoes', echoes),
  )

  const sent = statements.slice(before).map(({ text }) => text.trim())
  const written = sent.filter((text) => WRITTEN.test(text) && WRITTEN_TABLES.test(text))
  assert.equal(written.length, 1, written.join('\n'))
  assert.match(written.join(), /take_callbacks_1/)
  assert.equal((await log()).length, 4)
})

test('a callback that repeats a message adds only its other parts', {
  rules: ['callback.repeated-message-has-one-effect'],
}, async (t) => {
  const fixture = await startTwoProcesses(t)
  const { channel } = fixture
  const repeated = [0, 3, 6, 9].map((i) => `wamid.known.${i}`)
  await fixture.deliverMessages({ messages: repeated.map((wamid) => buildText(wamid)) })
  const change = (messages: object[], more: object) => buildCallback(buildMessagesEntry(channel, { messages, ...more }))
  const callbacks = Array.from({ length: 12 }, (_, i) =>
    change([...(i % 3 === 0 ? [buildText(`wamid.known.${i}`)] : []), buildText(`wamid.${i}`)], { i }),
  )

  assertAllAccepted(await fixture.postContending('message_wamids', callbacks, 2))

  const wamids = (await fixture.log()).map(({ upstream_message_id }) => upstream_message_id)
  assert.deepEqual(wamids.sort(), [...repeated, ...callbacks.map((_, i) => `wamid.${i}`)].sort())
  assert.equal(readData(await fixture.events(), 'message.received').length, 16)
  assert.equal((await fixture.rawEvents()).length, 13)
  const [counted] = await fixture.sql<{ stored: number; received: number; named: number; seen: number }[]>`
    select
      (select count(*)::int from callbacks where organization_id = ${fixture.acme.organizationId}) as stored,
      (select count(*)::int from message_wamids where channel_id = ${channel.id}) as named,
      (select count(*)::int from seen_changes where channel_id = ${channel.id}) as seen,
      (select sum(received)::int from message_count_deltas where channel_id = ${channel.id}) as received`
  assert.deepEqual({ ...counted }, { stored: 13, received: 16, named: 16, seen: 13 })
})

for (const [what, part] of Object.entries({
  messages: (wamid: string) => ({ messages: [buildText(wamid)] }),
  statuses: (wamid: string) => ({ statuses: [buildStatus(wamid, 'sent')] }),
})) {
  test(`the ${what} of a number that has moved to another channel since the process read it go there`, async (t) => {
    const fixture = await startInbound(t)
    const other = await fixture.connectAnother()
    await fixture.deliverMessages({ messages: [buildText('wamid.before')] })
    const { number, id } = fixture.channel
    await fixture.sql`delete from channel_numbers where channel_id = ${other.id}`
    await fixture.sql`
    update channel_numbers
    set organization_id = ${other.owner.organizationId}, channel_id = ${other.id}
    where phone_number_id = ${number.phoneNumberId}
      and channel_id = ${id}`

    for (const wamid of ['wamid.after', 'wamid.later']) await fixture.deliverMessages(part(wamid))

    const wamids = async (of: typeof other) => (await fixture.log(of)).map((entry) => entry.upstream_message_id)
    assert.deepEqual(await wamids(fixture.channel), ['wamid.before'])
    assert.deepEqual((await wamids(other)).sort(), ['wamid.after', 'wamid.later'])
  })
}

test('messages from after a move of their number are not stored where the number was', {
  rules: ['message.foreign-one-is-404'],
}, async (t) => {
  const fixture = await startInbound(t)
  const { channel, hub, sql } = fixture
  const [taker, bystander] = [await fixture.connectAnother(), await fixture.connectAnother()]
  const build = (of: typeof channel, value: object) => buildCallback(buildMessagesEntry(of, value))
  const written = (of: typeof channel, wamid: string) => build(of, { messages: [buildText(wamid)] })
  const receive = (callback: object) => {
    const bytes = Buffer.from(JSON.stringify(callback))
    return hub.context.inbound.receive(bytes, fixture.sign(bytes))
  }
  await receive(written(channel, 'wamid.before'))
  await receive(written(bystander, 'wamid.other'))
  await sql`delete from channel_numbers where channel_id = ${taker.id}`
  await sql`
    update channel_numbers
    set organization_id = ${taker.owner.organizationId}, channel_id = ${taker.id}
    where channel_id = ${channel.id}`

  // While three statements of the process wait, the next callbacks of messages gather, and a status makes it read the number.
  const held = await holdTransaction(sql, (tx) => tx.unsafe('lock table seen_changes in exclusive mode'))
  const received: Promise<void>[] = []
  for (let n = 1; n <= 3; n++) {
    received.push(receive(written(bystander, `wamid.other.${n}`)))
    await waitUntilBlocked(sql, n)
  }
  received.push(receive(written(channel, 'wamid.after')))
  received.push(receive(build(channel, { statuses: [buildStatus('wamid.unknown', 'sent')] })))
  await waitUntilBlocked(sql, 4)
  received.push(receive(written(channel, 'wamid.later')))
  await held.release()
  await Promise.all(received)

  const wamids = async (of: typeof channel) => (await fixture.log(of)).map((entry) => entry.upstream_message_id).sort()
  assert.deepEqual(await wamids(channel), ['wamid.before'])
  assert.deepEqual(await wamids(taker), ['wamid.after', 'wamid.later', 'wamid.unknown'])
})

test('a number whose channel is gone gets no messages, and its callbacks are accepted', async (t) => {
  const fixture = await startInbound(t)
  await fixture.deliverMessages({ messages: [buildText('wamid.before')] })
  await fixture.sql`delete from channel_numbers where channel_id = ${fixture.channel.id}`

  await fixture.deliverMessages({ messages: [buildText('wamid.after')] })

  assert.equal((await fixture.log()).length, 1)
  assert.equal((await fixture.rawEvents()).length, 1)
})

test('what callbacks that are taken together tell of one person adds up, and the later one counts', async (t) => {
  const fixture = await startTwoProcesses(t)
  const said = (profile: object, i: number) =>
    buildCallback(
      buildMessagesEntry(fixture.channel, {
        contacts: [{ wa_id: '5511987654321', profile }],
        messages: [buildText(`wamid.${i}`, { from: '5511987654321' })],
      }),
    )
  const profiles = [{ name: 'Ana', username: 'ana' }, { name: 'Ana Souza' }, { name: 'Ana Souza' }]

  // Both processes wait with one of these, and take the others together.
  const first = Array.from({ length: 6 }, (_, i) => said({ name: 'Ana' }, 100 + i))
  const callbacks = profiles.flatMap((profile, i) => [said(profile, 2 * i), said(profile, 2 * i + 1)])
  assertAllAccepted(await fixture.postContending('message_wamids', [...first, ...callbacks], 2))

  const contacts = await fixture.sql<{ name: string; username: string; search_name: string }[]>`
    select name, username, search_name from contacts where channel_id = ${fixture.channel.id}`
  assert.equal(contacts.length, 1)
  assert.equal(contacts[0]?.username, 'ana')
  assert.match(contacts[0]?.name ?? '', /^Ana/)
})

test('a message and a status of it that arrive at the same time are both applied', async (t) => {
  const fixture = await startTwoProcesses(t)
  const { channel } = fixture
  const echoes = (id: string) => ({ ...buildMetadata(channel), message_echoes: [buildEcho(channel.digits, id)] })
  const callbacks = Array.from({ length: 10 }, (_, i) => [
    buildCallback(buildEntry(channel, 'smb_message_echoes', echoes(`wamid.${i}`))),
    buildCallback(buildMessagesEntry(channel, { statuses: [buildStatus(`wamid.${i}`, 'read')] })),
  ]).flat()

  assertAllAccepted(await fixture.postContending('message_wamids', callbacks, 2))

  const log = await fixture.log()
  assert.equal(log.length, 10)
  assert.ok(log.every(({ status, type }) => status === 'read' && type === 'text'))
})
