import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startHub } from '../../../../test/hub.ts'
import { buildMessagesEntry } from '../../inbound/test/fixture.ts'
import { addEndpoints, countDeliveries } from '../../webhooks/test/many-endpoints.ts'
import { buildText, CONTACT, OTHER, OTHER_CONTACT, startErasures, TYPED, USER_ID, WA_ID } from './test/fixture.ts'

test('a preview counts what an erasure then erases, and changes nothing', {
  rules: ['erasure.preview-changes-nothing'],
}, async (t) => {
  const { hub, channel, deliver, send, endpoint, patch, preview, erase, log } = await startErasures(t)
  const [crm, held] = [await endpoint(), await endpoint()]
  await deliver(buildMessagesEntry(channel, { messages: [buildText(WA_ID)], contacts: [CONTACT] }))
  await deliver(buildMessagesEntry(channel, { messages: [buildText(OTHER)], contacts: [OTHER_CONTACT] }))
  await send({ to: TYPED, type: 'text', text: { body: 'oi' } })
  await patch(held, { status: 'paused' })
  await hub.deliver()

  const before = await preview({ phone: TYPED })
  const again = await preview({ phone: `+${WA_ID}` })
  const none = await preview({ phone: '5511900000000' })
  const erasure = await erase({ phone: TYPED })
  const after = await preview({ phone: TYPED })

  const { messages_sent, messages_received, events, deliveries, open_deliveries } = before.counts
  assert.deepEqual([messages_sent, messages_received, before.complete], [1, 1, true])
  assert.ok(events >= 3 && deliveries >= 2 && open_deliveries >= 2, JSON.stringify(before))
  assert.deepEqual(again, before)
  const zero = { messages_sent: 0, messages_received: 0, events: 0, deliveries: 0, open_deliveries: 0 }
  assert.deepEqual([none.counts, after.counts], [zero, zero])
  assert.deepEqual(
    [erasure.counts.messages_sent, erasure.counts.events, erasure.counts.deliveries_canceled],
    [1, events, open_deliveries],
  )
  const statuses = (await log(held)).map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 'canceled').length, open_deliveries)
  assert.ok(statuses.includes('pending'))
  assert.ok((await log(crm)).every(({ status }) => status === 'succeeded'))
})

test('an erasure deletes the contacts of its person, and no other', {
  rules: ['person.contact-follows-its-messages'],
}, async (t) => {
  const { hub, acme, channel, deliver, erase } = await startErasures(t)
  const hidden = { profile: { name: 'Zuleica' }, user_id: USER_ID }
  await deliver(buildMessagesEntry(channel, { messages: [buildText(WA_ID)], contacts: [CONTACT] }))
  await deliver(buildMessagesEntry(channel, { messages: [buildText(OTHER)], contacts: [OTHER_CONTACT] }))
  const { from: _, ...text } = buildText('')
  await deliver(buildMessagesEntry(channel, { messages: [{ ...text, from_user_id: USER_ID }], contacts: [hidden] }))

  await erase({ phone: TYPED })

  const contacts = await hub.sql`select name from contacts where organization_id = ${acme.organizationId}`
  const messages = await hub.sql`
    select 1 from messages where organization_id = ${acme.organizationId} and contact_id is not null`
  assert.deepEqual([...contacts], [{ name: OTHER_CONTACT.profile.name }])
  assert.equal(messages.length, 1)
})

test('the same person in any spelling while an erasure runs is the running one', {
  rules: ['erasure.repeat-is-the-running-one'],
}, async (t) => {
  const { request, finish, path, owner } = await startErasures(t)

  const requests = await Promise.all(['+55 11 97654-3210', TYPED, WA_ID].map((phone) => request({ phone })))
  const other = await request({ phone: OTHER })
  const done = await finish(requests[0]!)
  const next = await request({ phone: TYPED })

  assert.equal(new Set(requests.map(({ id }) => id)).size, 1)
  assert.equal(new Set([requests[0]?.id, other.id, next.id]).size, 3)
  assert.equal(done.status, 'done')
  const { erasures, next_cursor } = (await owner.get(`${path}?limit=2`)).body.data
  assert.deepEqual(
    erasures.map(({ id }: { id: string }) => id),
    [next.id, other.id],
  )
  const rest = (await owner.get(`${path}?cursor=${next_cursor}`)).body.data.erasures
  assert.deepEqual(rest, [done])
})

test('an erasure that is done has counts, the requester and times, and the audit log has counts only', {
  rules: ['erasure.forgets-the-person-afterwards'],
}, async (t) => {
  const { sql, channel, deliver, erase, owner, request } = await startErasures(t)
  await deliver(buildMessagesEntry(channel, { messages: [buildText(WA_ID)], contacts: [CONTACT] }))
  const running = await request({ phone: TYPED })
  const [sealed] = await sql`select person, place, counts::text from erasures where id = ${running.id}`

  const done = await erase({ phone: TYPED })

  assert.equal(done.id, running.id)
  assert.deepEqual(done.requested_by, { id: owner.userId, name: 'Ana' })
  assert.ok(sealed?.person && !JSON.stringify(sealed).includes(WA_ID.slice(-8)))
  const [row] = await sql`select person, stage, place, claim from erasures where id = ${done.id}`
  assert.deepEqual({ ...row }, { person: null, stage: null, place: null, claim: null })
  const { entries } = (await owner.get(`/api/v1/audit-log?target_id=${done.id}`)).body.data
  assert.deepEqual(
    entries.map(({ action, actor, details }: { action: string; actor: object; details: object }) => [
      action,
      actor,
      details,
    ]),
    [
      ['person.erased', { type: 'user', id: owner.userId, name: 'Ana' }, { counts: done.counts }],
      ['person.erasure_requested', { type: 'user', id: owner.userId, name: 'Ana' }, {}],
    ],
  )
})

test('another organization with the same person keeps everything', {
  rules: ['erasure.touches-no-other-organization'],
}, async (t) => {
  const { sql, channel, deliver, erase, connectAnother } = await startErasures(t)
  const theirs = await connectAnother()
  const entries = [channel, theirs].map((each) =>
    buildMessagesEntry(each, { messages: [buildText(WA_ID)], contacts: [CONTACT] }),
  )
  // One callback of the upstream for both.
  await deliver(...entries)
  const read = () => sql`
    select (select json_agg(m) from messages m where channel_id = ${theirs.id}) as messages,
      (select json_agg(e) from events e where channel_id = ${theirs.id}) as events,
      (select string_agg(encode(body, 'escape'), '') from callbacks) as callbacks`
  const [before] = await read()

  await erase({ phone: TYPED })

  const [after] = await read()
  assert.deepEqual([after?.messages, after?.events], [before?.messages, before?.events])
  const callbacks = String(after?.callbacks)
  assert.ok(callbacks.includes(JSON.stringify(entries[1]?.changes[0]?.value)))
  assert.ok(!callbacks.includes(JSON.stringify(entries[0]?.changes[0]?.value)))
})

test('a user id erases what has it, and a number also the messages of its user ids', {
  rules: ['erasure.covers-spellings-and-user-ids'],
}, async (t) => {
  const { channel, deliver, erase, sql } = await startErasures(t)
  const withoutNumber = { ...buildText(''), from: undefined, from_user_id: USER_ID }
  const readRows = () => sql`select sender, contact from messages where channel_id = ${channel.id} order by id`
  await deliver(
    buildMessagesEntry(
      channel,
      { messages: [withoutNumber], contacts: [{ profile: { name: 'Z' }, user_id: USER_ID }] },
      { messages: [buildText(WA_ID)] },
    ),
  )

  await erase({ user_id: USER_ID })
  const first = await readRows()
  await deliver(
    buildMessagesEntry(
      channel,
      { messages: [{ ...withoutNumber, id: 'wamid.again' }], contacts: [{ profile: { name: 'Z' }, user_id: USER_ID }] },
      { messages: [buildText(WA_ID)], contacts: [CONTACT] },
    ),
  )
  await erase({ phone: WA_ID })

  assert.deepEqual(
    first.map(({ sender, contact }) => [sender, contact]),
    [
      [null, null],
      [WA_ID, null],
    ],
  )
  for (const { sender, contact } of await readRows()) assert.deepEqual([sender, contact], [null, null])
})

test('messages after the request stay, and a later status does not bring an erased person back', {
  rules: ['erasure.later-messages-stay'],
}, async (t) => {
  const { hub, channel, deliver, send, request, finish, sql } = await startErasures(t)
  const { id, wamid } = await send({ to: TYPED, type: 'text', text: { body: 'oi' } })
  const erasure = await request({ phone: TYPED })
  await hub.clock.advance('1 minute')
  await deliver(buildMessagesEntry(channel, { messages: [buildText(WA_ID)], contacts: [CONTACT] }))

  await finish(erasure)
  const status = { id: wamid, status: 'read', timestamp: '1790000009', recipient_id: WA_ID }
  await deliver(buildMessagesEntry(channel, { statuses: [status], contacts: [CONTACT] }))

  const rows =
    await sql`select id, status, sender, recipient, contact from messages where channel_id = ${channel.id} order by id`
  assert.deepEqual({ ...rows[0] }, { id, status: 'read', sender: channel.digits, recipient: null, contact: null })
  assert.equal(rows[1]?.sender, WA_ID)
})

test('a send in progress is erased once it has ended', { rules: ['erasure.waits-for-a-send'] }, async (t) => {
  const { hub, channel, acme, sql, request, show, work, finish } = await startErasures(t)
  await sql`
    insert into messages (organization_id, channel_id, id, direction, type, status, recipient, content)
    values (${acme.organizationId}, ${channel.id}, hub_id(), 'outbound', 'text', 'sending', ${TYPED}, '{"body":"x"}')`
  const erasure = await request({ phone: TYPED })
  await hub.clock.advance('1 minute')
  await work()
  await work()

  const waiting = await show(erasure.id)
  const [during] = await sql`select recipient from messages where channel_id = ${channel.id}`
  await sql`update messages set status = 'accepted' where channel_id = ${channel.id}`
  const done = await finish(erasure)

  assert.deepEqual([waiting.status, waiting.stage, during?.recipient], ['running', 'messages', TYPED])
  const [after] = await sql`select recipient, status from messages where channel_id = ${channel.id}`
  assert.deepEqual([{ ...after }, done.counts.messages_sent], [{ recipient: null, status: 'accepted' }, 1])
})

test('a delivery in progress ends, and its retry is canceled', {
  rules: ['erasure.cancels-open-deliveries'],
}, async (t) => {
  const { hub, channel, deliver, endpoint, receiver, request, finish, only } = await startErasures(t)
  const crm = await endpoint({ event_types: ['message.received'] })
  receiver.answer(500)
  receiver.hold()
  await deliver(buildMessagesEntry(channel, { messages: [buildText(WA_ID)], contacts: [CONTACT] }))
  const delivering = hub.deliver()
  await receiver.until(1)

  const erasure = await request({ phone: TYPED })
  await hub.clock.advance('15 seconds')
  await hub.context.erasureWorker.runAll()
  const during = await only(crm)
  receiver.letGo()
  await delivering
  const done = await finish(erasure)

  assert.equal(during.status, 'processing')
  const { status, attempts } = await only(crm)
  assert.deepEqual([status, attempts, done.counts.deliveries_canceled], ['canceled', 1, 1])
  await hub.clock.advance('1 hour')
  await hub.deliver()
  assert.equal(receiver.received.length, 1)
})

test('a payload that others share is sent without the person, and the events of the person are not replayed', {
  rules: ['erasure.shared-payload-keeps-the-others', 'erasure.cancels-open-deliveries'],
}, async (t) => {
  const { hub, channel, deliver, endpoint, receiver, erase, log, replay } = await startErasures(t)
  const raw = await endpoint({ payload_mode: 'upstream_raw' })
  const crm = await endpoint({ event_types: ['message.received'] })
  await deliver(
    buildMessagesEntry(channel, { messages: [buildText(OTHER), buildText(WA_ID)], contacts: [OTHER_CONTACT, CONTACT] }),
  )
  await hub.deliver()
  const [deliveries, [shared]] = [await log(crm), await log(raw)]
  await erase({ phone: TYPED })
  const before = receiver.received.length

  const answers = await Promise.all(deliveries.map((delivery) => replay(crm, delivery)))
  const replayed = await replay(raw, shared!)
  await hub.deliver()

  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [202, 404])
  assert.match(answers.find(({ status }) => status === 404)?.body.error.message, /was erased with its person/)
  assert.equal(replayed.status, 202)
  const bodies = receiver.received.slice(before).map(({ body }) => body.toString())
  assert.equal(bodies.length, 2)
  for (const body of bodies) assert.ok(body.includes(`segredo-${OTHER}`) && !body.includes(WA_ID), body)
})

test('two workers and one that dies in between erase each message once', {
  rules: ['erasure.survives-a-dead-worker'],
}, async (t) => {
  const { hub, sql, channel, acme, request, show, work, finish } = await startErasures(t)
  await sql`
    insert into messages (organization_id, channel_id, id, direction, type, status, sender, content)
    select ${acme.organizationId}, ${channel.id}, hub_id(), 'inbound', 'text', 'received',
      case when n % 3 = 0 then ${WA_ID} else ${OTHER} end, '{"body":"x"}'
    from generate_series(1, 6000) n`
  const second = await startHub(t, { installation: { sql: hub.sql }, env: { ROLE: 'all' }, isOwn: true })
  const erasure = await request({ phone: TYPED })
  await hub.clock.advance('1 minute')
  // A worker that was killed after its first batch left its claim.
  await sql`update erasures set claim = gen_random_uuid(), leased_until = hub_now() + interval '60 seconds'`
  await work()
  const claimed = await show(erasure.id)
  await hub.clock.advance('2 minutes')

  await Promise.all([work(), work(second), work(), work(second)])
  const done = await finish(erasure)

  assert.deepEqual([claimed.stage, claimed.counts.messages_received], [null, 0])
  assert.equal(done.counts.messages_received, 2000)
  const [left] = await sql`
    select count(*) filter (where sender is null)::int as erased, count(*) filter (where sender = ${OTHER})::int as others
    from messages where channel_id = ${channel.id}`
  assert.deepEqual({ ...left }, { erased: 2000, others: 4000 })
})

test('an erasure that fails does not keep another one from being done', {
  rules: ['erasure.survives-a-dead-worker'],
}, async (t) => {
  const { hub, sql, request, show, work } = await startErasures(t)
  const [failing, other] = [await request({ phone: TYPED }), await request({ phone: OTHER })]
  await sql.unsafe(`
    create function fail() returns trigger language plpgsql as $$ begin raise 'failed'; end $$;
    create trigger fail before update of stage on erasures for each row
      when (old.id = '${failing.id}') execute function fail()`)
  t.after(() => sql.unsafe('drop function fail cascade'))

  await hub.clock.advance('1 minute')
  await assert.rejects(work(), /failed/)

  assert.deepEqual([(await show(failing.id)).status, (await show(other.id)).status], ['running', 'done'])
})

test('a person who is no number and no user id is 400', { rules: ['erasure.needs-exactly-one-person'] }, async (t) => {
  const { owner, path } = await startErasures(t)
  const refused = [
    {},
    { phone: TYPED, user_id: USER_ID },
    { phone: 'abc' },
    { phone: '12' },
    { phone: '%' },
    { phone: `${TYPED}; drop` },
    { phone: '1'.repeat(39) },
    { phone: 5_511_976_543_210 },
    { phone: null },
    { user_id: 'x' },
    { user_id: 'BR.%' },
    { user_id: 'BR."' },
    { phone: TYPED, more: 1 },
    [],
  ]

  for (const body of refused) {
    for (const route of [path, `${path}/preview`]) {
      const { status } = await owner.post(route, body)
      assert.ok(status === 400 || status === 429, `${JSON.stringify(body)}: ${status}`)
    }
  }
})

test('an organization may ask for 60 erasures an hour, and leaves another its own', {
  rules: ['erasure.sixty-an-hour'],
}, async (t) => {
  const { hub, owner, path } = await startErasures(t)
  const neighbor = await hub.person()
  const body = { phone: TYPED }

  const accepted = await Promise.all(Array.from({ length: 60 }, () => owner.post(path, body)))
  const refused = await owner.post(path, body)
  const beside = await neighbor.post(`/console/organizations/${neighbor.organizationId}/erasures`, body)
  await hub.clock.advance('1 hour')
  const later = await owner.post(path, body)

  assert.deepEqual(new Set(accepted.map(({ status }) => status)), new Set([202]))
  assert.deepEqual([refused.status, refused.body.error.code], [429, 'RATE_LIMITED'])
  assert.deepEqual([beside.status, later.status], [202, 202])
})

test('an erasure removes the deferred fan-outs of deleted events, and those of others are delivered', {
  rules: ['fanout.retention-waits-for-it', 'erasure.cancels-open-deliveries'],
}, async (t) => {
  const { hub, acme, channel, deliver, receiver, preview, erase } = await startErasures(t)
  const eventTypes = ['message.received']
  await addEndpoints(hub, acme.organizationId, { count: 51, url: receiver.url, eventTypes })
  await deliver(buildMessagesEntry(channel, { messages: [buildText(WA_ID)], contacts: [CONTACT] }))
  await deliver(buildMessagesEntry(channel, { messages: [buildText(OTHER)], contacts: [OTHER_CONTACT] }))

  const { counts } = await preview({ phone: TYPED })
  const erasure = await erase({ phone: TYPED })
  const left = await countDeliveries(hub, acme.organizationId)
  await hub.deliver()

  assert.equal(counts.open_deliveries, 51)
  assert.equal(erasure.counts.deliveries_canceled, 51)
  assert.deepEqual(left, { queued: 0, deferred: 51 })
  const bodies = receiver.received.map(({ body }) => body.toString())
  assert.equal(bodies.filter((body) => body.includes(OTHER)).length, 51)
  assert.ok(!bodies.some((body) => body.includes(WA_ID)))
})
