import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startHub } from '../../../../test/hub.ts'
import { contend } from '../../../../test/lock-contention.ts'
import { buildMessagesEntry } from '../../inbound/test/fixture.ts'
import { buildText, CONTACT, OTHER, OTHER_CONTACT, startErasures, TYPED, WA_ID } from './test/fixture.ts'

const THIRD = '5511933333333'

test('two erasures at once remove both people from a payload and a callback that they share with a third', {
  rules: ['erasure.shared-payload-keeps-the-others', 'erasure.survives-a-dead-worker'],
}, async (t) => {
  const { hub, sql, channel, deliver, request, work, finish } = await startErasures(t)
  const second = await startHub(t, { env: { BILLING: 'off' } })
  const both = () => Promise.all([work(), work(second)])
  const messages = [WA_ID, OTHER, THIRD].map((from) => buildText(from))
  await deliver(buildMessagesEntry(channel, { messages, contacts: [CONTACT, OTHER_CONTACT] }))
  const erasures = [await request({ phone: TYPED }), await request({ phone: OTHER })]
  const findRows = (table: 'events' | 'callbacks') => sql<{ id: string; body: string }[]>`
    select id, encode(body, 'escape') as body from ${sql(table)}
    where position(${Buffer.from(`segredo-${THIRD}`)} in body) > 0
      and position(${Buffer.from('whatsapp_business_account')} in body) > 0`

  for (const table of ['events', 'callbacks'] as const) {
    const [shared] = await findRows(table)
    for (const { clock } of [hub, second]) await clock.advance('3 minutes')
    await contend((tx) => tx`select id from ${tx(table)} where id = ${shared?.id ?? null} for update`, {
      waiting: 2,
      work: both,
    })
  }
  for (const erasure of erasures) await finish(erasure)

  for (const table of ['events', 'callbacks'] as const) {
    const rows = await findRows(table)
    assert.equal(rows.length, 1, table)
    for (const number of [WA_ID, OTHER]) assert.ok(!rows[0]?.body.includes(number), `${table}: ${rows[0]?.body}`)
  }
})
