import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { startHub } from './hub.ts'
import { startHubWithUpstream } from './hub-with-upstream.ts'

/** Returns what a part of a test gets from `work`, after everything that it started was left. */
async function inTest<T>(t: TestContext, work: (t: TestContext) => Promise<T>): Promise<T> {
  const { promise, resolve } = Promise.withResolvers<T>()
  await t.test('part', async (part) => resolve(await work(part)))
  return promise
}

test('a hub that a test has left is the next one of its kind, and of no other', async (t) => {
  const first = await inTest(t, startHub)
  const other = await inTest(t, (part) => startHub(part, { env: { BILLING: 'off' } }))
  const own = await inTest(t, (part) => startHub(part, { isOwn: true }))
  const [again, beside] = [await startHub(t), await startHub(t)]

  assert.equal(again.url, first.url)
  for (const { url } of [other, own, beside]) assert.notEqual(url, first.url)
})

test('a hub that a test has stopped is gone', async (t) => {
  const stopped = await inTest(t, async (part) => {
    const hub = await startHub(part)
    await hub.stop()
    return hub
  })

  assert.notEqual((await startHub(t)).url, stopped.url)
})

test('the log of a hub has its start and nothing of other tests, and its clock is that of the database', async (t) => {
  const first = await inTest(t, async (part) => {
    const hub = await startHub(part, { env: { WEBHOOK_ALLOWED_DESTINATIONS: 'crm.internal:443' } })
    const started = [...hub.logs]
    await hub.anonymous.get('/health')
    return { ...hub, started }
  })
  await inTest(t, async (part) => (await startHub(part)).clock.advance('1 day'))

  const hub = await startHub(t, { env: { WEBHOOK_ALLOWED_DESTINATIONS: 'crm.internal:443' } })

  assert.equal(hub.url, first.url)
  assert.ok(first.logs.length > first.started.length)
  assert.deepEqual(hub.logs, first.started)
  assert.match(hub.logs.join(''), /crm\.internal/)
  assert.ok(hub.context.now().getTime() - Date.now() > 23 * 3_600_000)
})

test('the upstream of a hub is as new: another test left no number, request or fault', async (t) => {
  const first = await inTest(t, async (part) => {
    const setup = await startHubWithUpstream(part)
    const { number } = await setup.connect(await setup.hub.organization())
    await setup.fault('http', '/', { times: null })
    return { ...setup, number }
  })

  const setup = await startHubWithUpstream(t)
  const { number } = await setup.connect(await setup.hub.organization())

  assert.equal(setup.hub.url, first.hub.url)
  assert.notEqual(number.phoneNumberId, first.number.phoneNumberId)
  const { numbers } = await setup.up.simulator.control<{ numbers: number }>('GET', '/')
  assert.equal(numbers, 1)
})
