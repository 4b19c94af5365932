import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildMessagesEntry } from '../../inbound/test/fixture.ts'
import { startErasures } from './test/fixture.ts'

/** An Argentine number as a client wrote it, and as the upstream writes it: no spellings that the hub knows. */
const WRITTEN = '541123456789'
const WA_ID = '5491123456789'

for (const [what, phone] of [
  ['by the number of the upstream', WA_ID],
  ['by the number that the client wrote', WRITTEN],
]) {
  test(`an erasure ${what} deletes both contacts of a person to whom the upstream gave another number`, {
    rules: ['person.contact-follows-its-messages'],
  }, async (t) => {
    const { channel, deliver, send, sql, request, finish } = await startErasures(t)
    const { wamid } = await send({ to: WRITTEN, type: 'text', text: { body: 'segredo' } })
    const contact = { profile: { name: 'Ana' }, wa_id: WA_ID }
    const status = { id: wamid, status: 'delivered', timestamp: '1790000009', recipient_id: WA_ID }
    await deliver(buildMessagesEntry(channel, { statuses: [status], contacts: [contact] }))

    await finish(await request({ phone }))

    const left = await sql`select wa_id, reversed_number from contacts where channel_id = ${channel.id}`
    assert.deepEqual([...left], [])
  })
}
