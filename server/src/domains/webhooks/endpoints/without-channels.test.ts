import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createChannel } from '../../../../test/connecting.ts'
import { createWebhook, getWebhook, startWithDns } from './test/webhooks.ts'

test('an endpoint whose channels were all deleted is for none, receives nothing, and can be deleted', {
  rules: ['D6-42', 'D6-43'],
}, async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()
  const [gone, other] = [await createChannel(acme), await createChannel(acme)]
  const { id } = await createWebhook(acme, { all_channels: false, channel_ids: [gone.id] })
  await acme.delete(`/api/v1/channels/${gone.id}`)
  const path = `/api/v1/webhooks/${id}`

  await hub.sql.begin((tx) =>
    hub.context.publish(
      tx,
      [gone.id, other.id, null].map((channelId) => ({
        ...{ organizationId: acme.organizationId, kind: 'account.update' as const, channelId },
        data: { change: { field: 'account_update' } },
      })),
    ),
  )
  const left = await getWebhook(acme, id)
  const log = await acme.get(`${path}/deliveries`)
  const deleted = await acme.delete(path)

  assert.deepEqual([left.all_channels, left.channel_ids, left.status], [false, [], 'active'])
  assert.deepEqual(log.body, { data: { deliveries: [] } })
  assert.equal(deleted.status, 200)
  assert.equal((await acme.get(path)).status, 404)
})
