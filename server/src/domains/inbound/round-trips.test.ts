import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countingDatabase } from './test/counting-database.ts'
import { startInbound } from './test/fixture.ts'
import { buildStatus, buildText } from './test/samples.ts'

test('a callback of statuses waits twice for the database, however many statuses it has', {
  rules: ['callback.handles-the-whole-batch'],
}, async (t) => {
  const counted = await countingDatabase(t)
  const fixture = await startInbound(t, { installation: { sql: counted.sql }, hasTimers: false })
  const wamids = Array.from({ length: 40 }, (_, i) => `wamid.${i}`)
  await fixture.deliverMessages({ statuses: wamids.map((wamid) => buildStatus(wamid, 'sent')) })
  const report = (count: number, status: string) =>
    counted.countRoundTrips(() =>
      fixture.deliverMessages({ statuses: wamids.slice(0, count).map((wamid) => buildStatus(wamid, status)) }),
    )

  assert.deepEqual([await report(1, 'delivered'), await report(40, 'read')], [2, 2])
  const statuses = (await fixture.log()).map(({ status }) => status)
  assert.deepEqual(new Set(statuses), new Set(['read']))
})

test('a callback of a new message and a status waits four times for the database', async (t) => {
  const counted = await countingDatabase(t)
  const fixture = await startInbound(t, { installation: { sql: counted.sql }, hasTimers: false })
  await fixture.deliverMessages({ messages: [buildText('wamid.in')] }, { statuses: [buildStatus('wamid.out', 'sent')] })

  const roundTrips = await counted.countRoundTrips(() =>
    fixture.deliverMessages({ messages: [buildText('wamid.new')] }, { statuses: [buildStatus('wamid.out', 'read')] }),
  )

  assert.equal(roundTrips, 4)
})
