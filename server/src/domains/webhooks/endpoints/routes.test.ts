import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createChannel, listAuditEntries } from '../../../../test/hub-with-upstream.ts'
import { newId } from '../../../kernel/ids.ts'
import { EVENT_KIND_NAMES } from '../../events/catalog.ts'
import { createChannels, createWebhook, getWebhook, readRow, setFailures, startWithDns, URL } from './test/webhooks.ts'

const REDACTED = { from: null, to: null, redacted: true }
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

test('an endpoint created with a name and a URL gets every event of every channel, normalized and native', {
  rules: [
    'endpoint.no-event-types-means-all',
    'endpoint.defaults-are-normalized-and-native',
    'endpoint.serves-all-channels-by-default',
  ],
}, async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()

  const created = await acme.post('/api/v1/webhooks', { name: 'CRM', url: URL })

  assert.equal(created.status, 201)
  assert.deepEqual(Object.keys(created.body.data).sort(), ['secret', 'warning', 'webhook'])
  const { id, created_at, updated_at, ...rest } = created.body.data.webhook
  assert.deepEqual(rest, {
    name: 'CRM',
    url: URL,
    events: [],
    payload_mode: 'normalized',
    delivery_format: 'native',
    media_urls: 'upstream',
    all_channels: true,
    status: 'active',
    consecutive_failures: 0,
    previous_secret_valid_until: null,
    channel_ids: [],
  })
  assert.match(id, /^[0-9a-f-]{36}$/)
  for (const moment of [created_at, updated_at]) assert.match(moment, ISO)
  assert.match(created.body.data.warning, /cannot be shown again/)
})

test('every field of a creation is stored as given', {
  rules: ['endpoint.webhooks-can-be-managed', 'endpoint.events-shows-its-event-types', 'endpoint.can-be-read'],
}, async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()
  const channels = [(await createChannel(acme)).id, (await createChannel(acme)).id]
  const body = {
    name: 'Suporte 🥐',
    url: `${URL}/a/../b?x=%20#part`,
    payload_mode: 'upstream_raw',
    delivery_format: 'compat',
    media_urls: 'hub',
    all_channels: false,
    channel_ids: channels.toReversed(),
  }

  const webhook = await createWebhook(acme, { ...body, event_types: ['upstream.raw', 'channel.created'] })

  const { id: _id, created_at: _created, updated_at: _updated, ...rest } = webhook
  assert.deepEqual(rest, {
    ...body,
    events: ['upstream.raw', 'channel.created'],
    channel_ids: channels,
    status: 'active',
    consecutive_failures: 0,
    previous_secret_valid_until: null,
  })
  assert.deepEqual(await getWebhook(acme, webhook.id), webhook)
})

test('each kind of event can be subscribed to, and all of them at once', {
  rules: ['event.kinds-can-be-subscribed-to', 'event.further-kinds-reach-normalized-only'],
}, async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()
  const { id } = await createWebhook(acme, { event_types: EVENT_KIND_NAMES })

  for (const kind of EVENT_KIND_NAMES) {
    const changed = await acme.patch(`/api/v1/webhooks/${id}`, { event_types: [kind] })
    assert.deepEqual(changed.body.data.webhook.events, [kind])
  }
})

test('a name has 1 to 100 characters of any script, and a URL up to 2048', {
  rules: ['endpoint.patch-checks-the-url'],
}, async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()
  const longestUrl = `${URL}?`.padEnd(2048, 'x')

  const shortest = await createWebhook(acme, { name: 'x' })
  const longest = await createWebhook(acme, { name: '🥐'.repeat(100), url: longestUrl })
  const changed = await acme.patch(`/api/v1/webhooks/${shortest.id}`, { name: 'é'.repeat(100), url: longestUrl })

  assert.deepEqual([shortest.name, longest.name, longest.url], ['x', '🥐'.repeat(100), longestUrl])
  assert.equal(changed.status, 200)
})

test('an endpoint may list up to a hundred channels', { rules: ['endpoint.patch-replaces-lists'] }, async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()
  const channels = await createChannels(hub, acme.organizationId, 100)

  const webhook = await createWebhook(acme, { all_channels: false, channel_ids: channels })
  const changed = await acme.patch(`/api/v1/webhooks/${webhook.id}`, { channel_ids: channels.toReversed() })

  assert.deepEqual(webhook.channel_ids, channels.toSorted())
  assert.deepEqual(changed.body.data.webhook.channel_ids, channels.toSorted())
})

test('the list has all endpoints of the organization only, newest first, each equal to the single endpoint', {
  rules: ['endpoint.list-has-no-pages', 'endpoint.can-be-read'],
}, async (t) => {
  const hub = await startWithDns(t, { env: { BILLING: 'off' } })
  const [acme, other] = [await hub.organization(), await hub.organization()]
  await createWebhook(other)
  const { id: channelId } = await createChannel(acme)
  const made = []
  for (let count = 0; count < 60; count++) {
    made.push(await createWebhook(acme, count % 2 ? { all_channels: false, channel_ids: [channelId] } : {}))
  }

  const list = await acme.get('/api/v1/webhooks')

  assert.equal(list.status, 200)
  assert.deepEqual(list.body.data, { webhooks: made.toReversed() })
  assert.deepEqual(await getWebhook(acme, made[7]?.id ?? ''), made[7])
})

test('an organization without endpoints has an empty list', async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()

  const list = await acme.get('/api/v1/webhooks')

  assert.deepEqual(list.body, { data: { webhooks: [] } })
})

test('consecutive_failures is in the list and in the single endpoint', async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()
  const [failing, well] = [await createWebhook(acme), await createWebhook(acme)]
  await setFailures(hub, acme.organizationId, failing.id, 7)

  const { webhooks } = (await acme.get('/api/v1/webhooks')).body.data

  assert.deepEqual(
    webhooks.map(({ consecutive_failures }: { consecutive_failures: number }) => consecutive_failures),
    [0, 7],
  )
  assert.equal((await getWebhook(acme, failing.id)).consecutive_failures, 7)
  assert.equal((await getWebhook(acme, well.id)).consecutive_failures, 0)
})

test('the endpoint of a compatible channel creation is listed, and can be changed, rotated and deleted', async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()
  const created = await acme.post('/api/v1/channels', { name: 'Padaria', webhook_url: URL })
  const { channel, webhook_id: id } = created.body.data
  const path = `/api/v1/webhooks/${id}`

  const shown = await getWebhook(acme, id)
  const answers = [
    await acme.patch(path, { name: 'new' }),
    await acme.post(`${path}/rotate-secret`),
    await acme.delete(path),
  ]

  assert.equal(shown.delivery_format, 'compat')
  assert.deepEqual(shown.channel_ids, [channel.id])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200],
  )
})

test('each action on an endpoint leaves an audit entry with actor and action', async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()
  const { id } = await createWebhook(acme, { url: `${URL}?token=canary` })
  const path = `/api/v1/webhooks/${id}`

  await acme.patch(path, { name: 'new', url: `${URL}/two?token=canary#canary`, event_types: [], status: 'paused' })
  await acme.post(`${path}/rotate-secret`)
  await acme.delete(path)

  const entries = await listAuditEntries(acme, id)
  assert.deepEqual(
    entries.map(({ action, details }) => ({ action, details })),
    [
      { action: 'webhook.created', details: { name: 'CRM', url: URL } },
      {
        action: 'webhook.updated',
        details: {
          name: 'new',
          url: `${URL}/two`,
          event_types: [],
          status: 'paused',
          changes: {
            name: { from: 'CRM', to: 'new' },
            url: { from: URL, to: `${URL}/two` },
            status: { from: 'active', to: 'paused' },
          },
        },
      },
      { action: 'webhook.secret_rotated', details: { changes: { secret: REDACTED } } },
      { action: 'webhook.deleted', details: { name: 'new', url: `${URL}/two` } },
    ],
  )
  for (const { actor } of entries) assert.deepEqual(actor, { type: 'api_key', id: acme.keyId, name: 'test key' })
})

test('a change of the query of a URL is recorded without the query', {
  rules: ['audit.empty-update-has-no-changes', 'audit.secrets-are-redacted'],
}, async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()
  const [one, two] = [await createChannel(acme), await createChannel(acme)]
  const events = ['message.received', 'message.sent']
  const { id } = await createWebhook(acme, {
    event_types: events,
    url: `${URL}?token=canary-a`,
    all_channels: false,
    channel_ids: [one.id],
  })
  const path = `/api/v1/webhooks/${id}`

  await acme.patch(path, { url: `${URL}?token=canary-b` })
  await acme.patch(path, { name: 'CRM', event_types: events.toReversed(), channel_ids: [one.id], status: 'active' })
  await acme.patch(path, { channel_ids: [two.id, one.id], event_types: ['message.status'] })

  const updates = (await listAuditEntries(acme, id)).filter(({ action }) => action === 'webhook.updated')
  assert.deepEqual(
    updates.map(({ details }) => details.changes),
    [
      { url: REDACTED },
      {},
      {
        event_types: { from: events.toReversed(), to: ['message.status'] },
        channel_ids: { from: [one.id], to: [one.id, two.id].toSorted() },
      },
    ],
  )
  assert.doesNotMatch(JSON.stringify(updates), /canary/)
})

test('a refused action leaves no audit entry', async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()
  const { id } = await createWebhook(acme)

  await acme.patch(`/api/v1/webhooks/${id}`, { all_channels: false })
  await acme.patch(`/api/v1/webhooks/${id}`, { all_channels: false, channel_ids: [newId()] })
  await acme.patch(`/api/v1/webhooks/${id}`, { url: 'https://127.0.0.1/' })

  assert.equal((await listAuditEntries(acme, id)).length, 1)
  assert.equal((await readRow(hub, id)).version, 1)
})

test('ids of endpoints and channels are case-insensitive', async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()
  const { id: channelId } = await createChannel(acme)
  const { id, channel_ids } = await createWebhook(acme, { all_channels: false, channel_ids: [channelId.toUpperCase()] })
  const path = `/api/v1/webhooks/${id.toUpperCase()}`

  const shown = await acme.get(path)
  const changed = await acme.patch(path, { channel_ids: [channelId.toUpperCase()] })
  const deleted = await acme.delete(path)

  assert.deepEqual(channel_ids, [channelId])
  assert.equal(shown.body.data.webhook.id, id)
  assert.deepEqual(changed.body.data.webhook.channel_ids, [channelId])
  assert.equal(deleted.status, 200)
  assert.equal((await listAuditEntries(acme, id)).length, 3)
})

test('an id that is not a UUID is refused', async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()

  const refused = await acme.get('/api/v1/webhooks/7')

  assert.equal(refused.status, 400)
})
