import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ORIGIN, startHub, type TestHub } from '../../../test/hub.ts'
import { createChannel, listAuditEntries, listEvents, readLinkToken } from '../../../test/hub-with-upstream.ts'
import { dumpDatabase, listEncodings } from '../../../test/stored-secrets.ts'
import { COMPAT_EVENTS } from './compat-events.ts'

const URL = 'https://hooks.example.com/in'
const SECRET = 'a secret that the client chose'

function startWithDns(t: TestContext, env: Record<string, string> = {}) {
  return startHub(t, { env, lookup: async () => [{ address: '93.184.216.34', family: 4 }] })
}

type Endpoint = {
  id: string
  name: string
  url: string
  secret: string
  event_types: string[]
  payload_mode: string
  delivery_format: string
  all_channels: boolean
  status: string
  channel_ids: string[]
}

async function findEndpoint(hub: TestHub, id: string): Promise<Endpoint> {
  const [row] = await hub.sql<Endpoint[]>`
    select e.id, e.name, e.url, e.secret, e.event_types, e.payload_mode, e.delivery_format, e.all_channels, e.status,
      array(select c.channel_id from webhook_endpoint_channels c where c.endpoint_id = e.id) as channel_ids
    from webhook_endpoints e
    where e.id = ${id}`
  if (!row) throw new Error('There is no such endpoint')
  return row
}

/** The secret that the hub signs with. */
async function decryptSecret(hub: TestHub, organizationId: string, endpoint: Endpoint): Promise<string | undefined> {
  const place = { table: 'webhook_endpoints', column: 'secret', organizationId, rowId: endpoint.id }
  return hub.context.sealing.open(endpoint.secret, place)
}

test('a creation with webhook_url also creates the endpoint and a connect link', {
  rules: ['channel.webhook-url-selects-compat-mode', 'token.is-in-no-link', 'connect.link-is-created-on-request'],
}, async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()

  const created = await acme.post('/api/v1/channels', { name: 'Padaria', webhook_url: URL, webhook_secret: SECRET })

  assert.equal(created.status, 201)
  const { channel, webhook_id, connect_url } = created.body.data
  assert.deepEqual(Object.keys(created.body.data).sort(), ['channel', 'connect_url', 'webhook_id'])
  assert.deepEqual(Object.keys(channel).sort(), ['external_id', 'id', 'status', 'token', 'type'])
  assert.match(webhook_id, /^[0-9a-f-]{36}$/)
  assert.ok(connect_url.startsWith(`${ORIGIN}/connect/`))
  assert.ok(!connect_url.includes(channel.token))
  const link = await hub.anonymous.get(`/api/v1/connect/${readLinkToken(connect_url)}`)
  assert.equal(link.body.data.channel_name, 'Padaria')
})

test("the endpoint has the channel's name, the compat format and raw payloads, and only this channel", {
  rules: ['channel.webhook-url-selects-compat-mode', 'channel.compat-endpoint-is-its-own'],
}, async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()

  const { channel, webhook_id } = (await acme.post('/api/v1/channels', { name: 'Padaria', webhook_url: URL })).body.data

  const { secret: _sealed, ...endpoint } = await findEndpoint(hub, webhook_id)
  assert.deepEqual(endpoint, {
    id: webhook_id,
    name: 'Padaria',
    url: URL,
    event_types: [],
    payload_mode: 'upstream_raw',
    delivery_format: 'compat',
    all_channels: false,
    status: 'active',
    channel_ids: [channel.id],
  })
})

const EVENT_TYPES: [string[] | undefined, string[]][] = [
  [['channel_connected'], ['channel.connected']],
  [['channel_disconnected'], ['channel.disconnected']],
  [
    ['channel_disconnected', 'channel_connected'],
    ['channel.disconnected', 'channel.connected', 'channel.degraded'],
  ],
  [['channel_auto_imported'], ['channel.created']],
  [['event_received'], ['upstream.raw']],
  [
    [...COMPAT_EVENTS],
    ['channel.connected', 'channel.created', 'channel.disconnected', 'upstream.raw', 'channel.degraded'],
  ],
  [[], []],
  [undefined, []],
]

test('each name in webhook_events selects its event types, and an empty list selects all', {
  rules: [
    'channel.compat-events-map-to-kinds',
    'channel.no-compat-events-means-all',
    'channel.both-compat-states-add-degraded',
  ],
}, async (t) => {
  const hub = await startWithDns(t, { BILLING: 'off' })
  const acme = await hub.organization()
  assert.deepEqual(new Set(EVENT_TYPES.flatMap(([named = []]) => named)), new Set(COMPAT_EVENTS))

  for (const [named, kinds] of EVENT_TYPES) {
    const body = { name: 'x', webhook_url: URL, ...(named && { webhook_events: named }) }
    const { webhook_id } = (await acme.post('/api/v1/channels', body)).body.data

    assert.deepEqual((await findEndpoint(hub, webhook_id)).event_types, kinds, String(named))
  }
})

test('a given secret is stored encrypted and never returned', {
  rules: ['channel.webhook-secret-is-never-shown', 'auth.secrets-are-sealed'],
}, async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()

  const created = await acme.post('/api/v1/channels', { name: 'Padaria', webhook_url: URL, webhook_secret: SECRET })

  const { channel, connect_url } = created.body.data
  const reads = await Promise.all([
    acme.get('/api/v1/channels'),
    acme.get(`/api/v1/channels/${channel.id}`),
    acme.get('/api/v1/audit-log'),
    hub.anonymous.get(`/api/v1/connect/${readLinkToken(connect_url)}`),
  ])
  for (const { text } of [created, ...reads]) assert.ok(!text.includes(SECRET))
  const endpoint = await findEndpoint(hub, created.body.data.webhook_id)
  assert.equal(await decryptSecret(hub, acme.organizationId, endpoint), SECRET)
  const stored = await dumpDatabase(hub.sql)
  for (const form of listEncodings(SECRET)) assert.ok(!stored.includes(form), form)
})

test('without a given secret the hub creates one, shows it once with a warning, and stores it encrypted', {
  rules: ['auth.secrets-are-sealed', 'channel.compat-secret-is-generated', 'endpoint.creation-returns-the-secret-once'],
}, async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()

  const created = await acme.post('/api/v1/channels', { name: 'Padaria', webhook_url: URL })

  const { secret, warning, webhook_id } = created.body.data
  assert.match(secret, /^whsec_[\w-]{43}$/)
  assert.match(warning, /cannot be shown again/)
  assert.equal(await decryptSecret(hub, acme.organizationId, await findEndpoint(hub, webhook_id)), secret)
  const stored = await dumpDatabase(hub.sql)
  for (const form of listEncodings(secret)) assert.ok(!stored.includes(form), form)
})

test('a creation with webhook_url publishes one event, and records the channel and the endpoint', async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()

  const { channel, webhook_id } = (await acme.post('/api/v1/channels', { name: 'Padaria', webhook_url: URL })).body.data

  assert.deepEqual(
    (await listEvents(hub.sql, channel.id)).map(({ kind }) => kind),
    ['channel.created'],
  )
  assert.deepEqual(
    (await listAuditEntries(acme, channel.id)).map(({ action }) => action),
    ['channel.created'],
  )
  const [entry] = await listAuditEntries(acme, webhook_id)
  assert.equal(entry?.action, 'webhook.created')
  assert.deepEqual(entry?.details, { name: 'Padaria', url: URL })
})

test('the endpoint counts against its quota, and without free quota no channel is created either', {
  rules: [
    'billing.quota-exceeded-is-403',
    'channel.compat-creation-is-atomic',
    'channel.compat-endpoint-counts-as-one',
  ],
}, async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()
  for (let made = 0; made < 5; made++) {
    const { id } = await createChannel(acme, { webhook_url: URL })
    await acme.delete(`/api/v1/channels/${id}`)
  }

  const refused = await acme.post('/api/v1/channels', { name: 'one too many', webhook_url: URL })

  assert.equal(refused.status, 403)
  assert.equal(refused.body.error.code, 'QUOTA_EXCEEDED')
  assert.partialDeepStrictEqual(refused.body.error.details, { quota: 'webhook_endpoints', limit: 5, used: 5 })
  const left = await hub.sql`select id from channels where name = 'one too many'`
  assert.equal(left.length, 0)
  const native = await acme.post('/api/v1/channels', { name: 'native' })
  assert.equal(native.status, 201)
})
