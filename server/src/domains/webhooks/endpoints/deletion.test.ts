import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createChannel, listAuditEntries } from '../../../../test/hub-with-upstream.ts'
import { createWebhook, setFailures, startWithDns, URL } from './test/webhooks.ts'

test('a deleted endpoint is gone at once, with its channel links and failures', {
  rules: ['endpoint.deletion-is-final'],
}, async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()
  const { id: channelId } = await createChannel(acme)
  const { id } = await createWebhook(acme, { all_channels: false, channel_ids: [channelId] })
  const kept = await createWebhook(acme)
  await setFailures(hub, acme.organizationId, id, 3)
  const path = `/api/v1/webhooks/${id}`

  const deleted = await acme.delete(path)

  assert.equal(deleted.status, 200)
  assert.deepEqual(deleted.body, { data: { deleted: true } })
  const again = [
    await acme.get(path),
    await acme.patch(path, { name: 'new' }),
    await acme.patch(path, { url: URL }),
    await acme.post(`${path}/rotate-secret`),
    await acme.delete(path),
  ]
  for (const { status, body } of again) assert.deepEqual([status, body.error.code], [404, 'NOT_FOUND'])
  assert.deepEqual((await acme.get('/api/v1/webhooks')).body.data, { webhooks: [kept] })
  const left = await hub.sql`
    select id from webhook_endpoints where id = ${id}
    union all
    select endpoint_id from webhook_endpoint_channels where endpoint_id = ${id}
    union all
    select endpoint_id from webhook_endpoint_health where endpoint_id = ${id}`
  assert.equal(left.length, 0)
})

test('a deletion records the endpoint for retention', async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()
  const { id } = await createWebhook(acme)

  await acme.delete(`/api/v1/webhooks/${id}`)

  const rows = await hub.sql`select organization_id from deleted_endpoints where endpoint_id = ${id}`
  assert.deepEqual([...rows], [{ organization_id: acme.organizationId }])
})

test('one of many concurrent deletions succeeds, the others are 404', async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()
  const { id } = await createWebhook(acme)

  const answers = await Promise.all(Array.from({ length: 10 }, () => acme.delete(`/api/v1/webhooks/${id}`)))

  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, ...Array(9).fill(404)])
  const entries = (await listAuditEntries(acme, id)).filter(({ action }) => action === 'webhook.deleted')
  assert.equal(entries.length, 1)
})
