import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startScene } from './test/scene.ts'

test('the figures of the queue are those of the moment at which they are asked for, the first time too', async (t) => {
  const { hub, endpoint, publish } = await startScene(t)
  await hub.sql`delete from delivery_queue`
  await endpoint()
  await publish({}, {}, {})
  const depth = async () => /^hubline_delivery_queue_depth (\d+)$/m.exec((await hub.anyone.get('/metrics')).text)?.[1]

  const before = await depth()
  await hub.deliver()
  const after = await depth()

  assert.deepEqual([before, after], ['3', '0'])
})
