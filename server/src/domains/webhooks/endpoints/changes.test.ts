import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createChannel, holdTransaction, waitUntilBlocked } from '../../../../test/hub-with-upstream.ts'
import { contend } from '../../../../test/lock-contention.ts'
import { createWebhook, getWebhook, readRow, startWithDns, URL } from './test/webhooks.ts'

/** Each field alone, and the expected result. */
const CHANGES: [object, object][] = [
  [{ name: 'new' }, { name: 'new' }],
  [{ url: `${URL}/two` }, { url: `${URL}/two` }],
  [{ event_types: ['message.sent'] }, { events: ['message.sent'] }],
  [{ event_types: [] }, { events: [] }],
  [{ payload_mode: 'upstream_raw' }, { payload_mode: 'upstream_raw' }],
  [{ payload_mode: 'normalized' }, { payload_mode: 'normalized' }],
  [
    { all_channels: true, channel_ids: [] },
    { all_channels: true, channel_ids: [] },
  ],
  [{ status: 'paused' }, { status: 'paused' }],
  [{ status: 'disabled' }, { status: 'disabled' }],
]

for (const [named, shown] of CHANGES) {
  test(`a change of ${JSON.stringify(named)} keeps the values of other fields`, {
    rules: ['endpoint.delivery-format-is-fixed', 'endpoint.patch-keeps-what-it-omits', 'endpoint.patch-checks-the-url'],
  }, async (t) => {
    const hub = await startWithDns(t)
    const acme = await hub.organization()
    const { id: channelId } = await createChannel(acme)
    const before = await createWebhook(acme, {
      event_types: ['message.received', 'message.status'],
      delivery_format: 'compat',
      all_channels: false,
      channel_ids: [channelId],
    })
    await hub.clock.advance('1 minute')

    const changed = await acme.patch(`/api/v1/webhooks/${before.id}`, named)

    assert.equal(changed.status, 200)
    assert.deepEqual(Object.keys(changed.body.data), ['webhook'])
    const { updated_at, ...after } = changed.body.data.webhook
    const { updated_at: updatedBefore, ...rest } = before
    assert.deepEqual(after, { ...rest, ...shown })
    assert.ok(updated_at > updatedBefore)
    assert.deepEqual(await getWebhook(acme, before.id), changed.body.data.webhook)
  })
}

test('one change may set every field', async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()
  const { id: channelId } = await createChannel(acme)
  const { id } = await createWebhook(acme)
  const fields = {
    name: 'new',
    url: `${URL}/two`,
    payload_mode: 'upstream_raw',
    media_urls: 'hub',
    status: 'disabled',
  }
  const choice = { all_channels: false, channel_ids: [channelId] }

  const changed = await acme.patch(`/api/v1/webhooks/${id}`, { ...fields, ...choice, event_types: ['upstream.raw'] })

  assert.equal(changed.status, 200)
  const { created_at: _created, updated_at: _updated, ...shown } = changed.body.data.webhook
  assert.deepEqual(shown, {
    id,
    ...fields,
    ...choice,
    events: ['upstream.raw'],
    delivery_format: 'native',
    consecutive_failures: 0,
    previous_secret_valid_until: null,
  })
})

// A worker compares the version to decide whether its cached endpoint is current.
test('every change and rotation raises the version, even without an effect', async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()
  const { id } = await createWebhook(acme)
  const path = `/api/v1/webhooks/${id}`
  const versions = [(await readRow(hub, id)).version]

  for (const initiator of [
    () => acme.patch(path, { name: 'new' }),
    () => acme.patch(path, { name: 'new' }),
    () => acme.patch(path, { status: 'paused' }),
    () => acme.post(`${path}/rotate-secret`),
  ]) {
    assert.equal((await initiator()).status, 200)
    versions.push((await readRow(hub, id)).version)
  }

  assert.deepEqual(versions, [1, 2, 3, 4, 5])
})

test('concurrent changes of different fields are all kept', async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()
  const { id } = await createWebhook(acme)
  const changes = [
    { name: 'new' },
    { url: `${URL}/two` },
    { event_types: ['message.sent'] },
    { payload_mode: 'upstream_raw' },
    { status: 'paused' },
  ]

  const answers = await contend((tx) => tx`select 1 from webhook_endpoints where id = ${id} for update`, {
    waiting: changes.length,
    work: () => Promise.all(changes.map((change) => acme.patch(`/api/v1/webhooks/${id}`, change))),
  })

  for (const { status } of answers) assert.equal(status, 200)
  const { name, url, events, payload_mode, status } = await getWebhook(acme, id)
  assert.deepEqual(
    [name, url, events, payload_mode, status],
    ['new', `${URL}/two`, ['message.sent'], 'upstream_raw', 'paused'],
  )
  assert.equal((await readRow(hub, id)).version, 1 + changes.length)
})

test('a change of channels is checked against the result of the change before it', async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()
  const { id: channelId } = await createChannel(acme)
  const { id } = await createWebhook(acme)
  const path = `/api/v1/webhooks/${id}`
  const held = await holdTransaction(hub.sql, (tx) => tx`select 1 from webhook_endpoints where id = ${id} for update`)

  const first = acme.patch(path, { all_channels: false, channel_ids: [channelId] })
  await waitUntilBlocked(hub.sql, 1)
  const second = acme.patch(path, { all_channels: true })
  await waitUntilBlocked(hub.sql, 2)
  await held.release()

  assert.equal((await first).status, 200)
  assert.deepEqual([(await second).status, (await second).body.error?.code], [400, 'INVALID_WEBHOOK'])
  const { all_channels, channel_ids } = await getWebhook(acme, id)
  assert.deepEqual([all_channels, channel_ids], [false, [channelId]])
})

test('a list of channels that comes after a change to every channel is refused', async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()
  const [a, b] = [(await createChannel(acme)).id, (await createChannel(acme)).id]
  const { id } = await createWebhook(acme, { all_channels: false, channel_ids: [a] })
  const path = `/api/v1/webhooks/${id}`
  const held = await holdTransaction(hub.sql, (tx) => tx`select 1 from webhook_endpoints where id = ${id} for update`)

  const first = acme.patch(path, { all_channels: true, channel_ids: [] })
  await waitUntilBlocked(hub.sql, 1)
  const second = acme.patch(path, { channel_ids: [b] })
  await waitUntilBlocked(hub.sql, 2)
  await held.release()

  assert.deepEqual([(await first).status, (await second).status], [200, 400])
  const { all_channels, channel_ids } = await getWebhook(acme, id)
  assert.deepEqual([all_channels, channel_ids], [true, []])
})

test('a change that waits for a deletion is 404', async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()
  const { id } = await createWebhook(acme)
  const path = `/api/v1/webhooks/${id}`
  const held = await holdTransaction(hub.sql, (tx) => tx`select 1 from webhook_endpoints where id = ${id} for update`)

  const deletion = acme.delete(path)
  await waitUntilBlocked(hub.sql, 1)
  const change = acme.patch(path, { status: 'paused' })
  const rotation = acme.post(`${path}/rotate-secret`)
  await waitUntilBlocked(hub.sql, 3)
  await held.release()

  assert.deepEqual([(await deletion).status, (await change).status, (await rotation).status], [200, 404, 404])
})
