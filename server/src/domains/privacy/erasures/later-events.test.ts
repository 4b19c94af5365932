import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildMessagesEntry } from '../../inbound/test/fixture.ts'
import { buildText, CONTACT, startErasures, TYPED, WA_ID } from './test/fixture.ts'

test('a delivery of what the person wrote after the request stays open', { rules: ['PRV-14'] }, async (t) => {
  const { hub, channel, deliver, endpoint, receiver, request, finish, log } = await startErasures(t)
  const failing = await endpoint({ event_types: ['message.received'] })
  receiver.answer(500)
  await deliver(buildMessagesEntry(channel, { messages: [buildText(WA_ID)], contacts: [CONTACT] }))
  await hub.deliver()
  const erasure = await request({ phone: TYPED })
  await hub.clock.advance('1 minute')
  await deliver(buildMessagesEntry(channel, { messages: [buildText(WA_ID)], contacts: [CONTACT] }))
  await hub.deliver()

  const done = await finish(erasure)

  const statuses = (await log(failing)).map(({ status }) => status)
  assert.deepEqual([statuses, done.counts.deliveries_canceled], [['retry', 'canceled'], 1])
})

test('the events of a message that has a status between the request and its erasure are deleted', {
  rules: ['PRV-14'],
}, async (t) => {
  const { hub, channel, deliver, send, sql, request, finish } = await startErasures(t)
  const { wamid } = await send({ to: TYPED, type: 'text', text: { body: 'segredo' } })
  const erasure = await request({ phone: TYPED })
  await hub.clock.advance('1 minute')
  const status = { id: wamid, status: 'delivered', timestamp: '1790000009', recipient_id: WA_ID }
  await deliver(
    buildMessagesEntry(channel, { statuses: [status] }),
    buildMessagesEntry(channel, { messages: [buildText(WA_ID)], contacts: [CONTACT] }),
  )

  await finish(erasure)
  await deliver(buildMessagesEntry(channel, { statuses: [{ ...status, status: 'read' }] }))

  const rows = await sql<{ kind: string; body: string }[]>`
    select kind, encode(body, 'escape') as body
    from events
    where channel_id = ${channel.id} and kind like 'message.%'
    order by id`
  assert.deepEqual(
    rows.map(({ kind, body }) => [kind, body.includes(TYPED), body.includes('"name":"Zuleica Canary"')]),
    [
      ['message.received', false, true],
      ['message.status', false, false],
    ],
  )
})

test('a number that another organization has by now keeps nothing of the person from before', {
  rules: ['PRV-06', 'PRV-12'],
}, async (t) => {
  const { hub, acme, channel, deliver, erase, sql } = await startErasures(t)
  await deliver(buildMessagesEntry(channel, { messages: [buildText(WA_ID)], contacts: [CONTACT] }))
  await acme.delete(`/api/v1/channels/${channel.id}`)
  await hub.clock.advance('1 hour')
  const next = await hub.organization()
  const { number } = channel
  const { id } = (await next.post('/api/v1/channels', { name: 'Outra' })).body.data.channel
  const connection = { access_token: number.accessToken, waba_id: number.wabaId, phone_number_id: number.phoneNumberId }
  const connected = await next.post(`/api/v1/channels/${id}/connection`, connection)
  assert.equal(connected.status, 200, connected.text)
  const theirs = buildText(WA_ID)
  await hub.clock.advance('1 second')
  await deliver(buildMessagesEntry(channel, { messages: [theirs] }))

  const { counts } = await erase({ phone: TYPED })

  const rows = await sql<{ body: string }[]>`
    select encode(body, 'escape') as body from callbacks where position(${Buffer.from(number.phoneNumberId)} in body) > 0`
  assert.equal(counts.callbacks, 1)
  assert.deepEqual(
    rows.filter(({ body }) => body.includes(WA_ID)).map(({ body }) => body.includes(theirs.id)),
    [true],
  )
})
