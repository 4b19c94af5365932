import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startErasures, TYPED } from './test/fixture.ts'

test('a message whose recipient the upstream refused is erased with what the error says of it', {
  rules: ['erasure.covers-spellings-and-user-ids'],
}, async (t) => {
  const { hub, channel, acme, erase, sql } = await startErasures(t)
  const facade = await hub.channelToken(acme.organizationId, channel.id, ['messages:send'])
  const spellings = [`whatsapp:+${TYPED}`, '55/11/97654-3210', `${TYPED}@c.us`, '+55 11 97654–3210']
  const other = 'whatsapp:+5511912345678'
  for (const to of [...spellings, other]) {
    const body = { messaging_product: 'whatsapp', to, type: 'text', text: { body: 'segredo' } }
    const answer = await facade.post(`/upstream/${channel.number.phoneNumberId}/messages`, body)
    assert.equal(answer.status, 400, answer.text)
  }

  const { counts } = await erase({ phone: TYPED })

  const rows = await sql`
    select recipient, content ->> 'body' as body, error ->> 'code' as code, error ->> 'details' as details
    from messages where channel_id = ${channel.id} order by id`
  const details = 'The phone number is malformed: '
  assert.equal(counts.messages_sent, spellings.length)
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    [
      ...spellings.map(() => ({ recipient: null, body: null, code: '131009', details: `${details}[erased]` })),
      { recipient: other, body: 'segredo', code: '131009', details: `${details}${other}` },
    ],
  )
})
