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
