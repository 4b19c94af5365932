import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { bearer } from '../../../test/hub.ts'
import { newKey, recorded, startBeside, startSending, text, told } from './test/scene.ts'

const SENDS = 150
const LOST_MAX = 50

test('sends of two processes, many of them with a lost answer, while statuses pour in twice and out of order: one message and one message.sent each', {
  rules: ['D1-02'],
}, async (t) => {
  const { hub, up, acme, channel, fault, liftLimit, send, wait, asked, taken, log, sent } = await startSending(t)
  const beside = (await startBeside(t, up)).anonymous.with(bearer(acme.key))
  await up.simulator.control('PUT', '/limits', { enforced: false })
  await up.simulator.control('PUT', '/webhooks/policy', { batch: 20, shuffle: true, duplicates: 1 })
  await liftLimit()
  await fault('reset_after', '/messages', { rate: 0.5, times: LOST_MAX })
  const sends = Array.from({ length: SENDS }, (_, i) => ({ key: newKey(), body: text(`no ${i}`) }))

  let isOver = false
  const statuses = (async () => {
    while (!isOver) {
      await wait(1)
      await setImmediate()
    }
    await wait(60)
  })()
  const answers = await Promise.all(sends.map((one, i) => send({ ...one, as: i % 2 === 0 ? acme : beside })))
  isOver = true
  await statuses
  const replays = await Promise.all(sends.map((one, i) => send({ ...one, as: i % 2 === 0 ? beside : acme })))

  const kinds = new Set(answers.map((answer) => told(answer).join(' ')))
  kinds.delete('409 SEND_RESULT_UNKNOWN')
  assert.deepEqual([...kinds], ['202 ok'])
  assert.deepEqual([...new Set(replays.map(({ status }) => status))], [202])
  const requests = await asked()
  assert.equal(requests.length, SENDS)
  assert.ok(requests.some(({ status }) => status === null))
  const ids = replays.map(({ body }) => body.data.message.id).sort()
  assert.deepEqual((await taken()).map((message) => message.biz_opaque_callback_data).sort(), ids)
  assert.deepEqual((await sent()).map(({ id }) => id).sort(), ids)
  assert.deepEqual((await recorded(hub.sql, channel.id, 'message.status')).map(({ id }) => id).sort(), ids)
  const lines = await log('status=failed&limit=100')
  assert.equal(lines.length, 100)
  const [left] = await hub.sql`select count(*)::int as count from unsettled_sends where channel_id = ${channel.id}`
  assert.equal(left?.count, 0)
})
