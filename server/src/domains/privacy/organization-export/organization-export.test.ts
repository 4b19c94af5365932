import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bearer, startHub, type TestHub } from '../../../../test/hub.ts'
import { newId } from '../../../kernel/ids.ts'

type Line = { type: string; data: Record<string, unknown> }

function readLines(text: string): Line[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

async function fillMessages(hub: TestHub, organizationId: string, count: number, content = '{"body":"segredo"}') {
  await hub.sql`
    insert into messages (organization_id, channel_id, id, direction, type, status, recipient, content)
    select ${organizationId}, ${newId()}::uuid, hub_id(), 'outbound', 'text', 'sent', '5511955500199', ${content}::text::json
    from generate_series(1, ${count})`
}

/** Final deliveries of two endpoints, one of them deleted, and open ones of the first. */
async function fillDeliveries({ sql }: TestHub, organizationId: string, endpointId: string, counts: [number, number]) {
  const [final, open] = counts
  await sql`
    insert into deliveries (organization_id, endpoint_id, id, event_id, event_kind, status, attempts, due_at, created_at)
    select ${organizationId}, case when n % 2 = 0 then ${endpointId}::uuid else ${newId()}::uuid end, hub_id(), hub_id(),
      'message.sent', 'succeeded', 1, hub_now(), hub_now()
    from generate_series(1, ${final}) n`
  await sql`
    insert into delivery_queue (organization_id, endpoint_id, id, event_id, event_kind, generation)
    select ${organizationId}, ${endpointId}, hub_id(), hub_id(), 'message.sent', 1
    from generate_series(1, ${open})`
}

/** Priced messages of many days, of which some are folded, and one day is in both tables. */
async function fillPriced({ sql, context }: TestHub, organizationId: string, days: number): Promise<void> {
  const insert = (first: number, count: number) => sql`
    insert into cost_deltas (organization_id, channel_id, day, category, type, country, volume)
    select ${organizationId}, ${organizationId}, '2026-01-01'::date + n, 'marketing', 'regular', 'BR', 1
    from generate_series(${first}::int, ${first + count - 1}::int) n`
  await insert(1, days)
  await context.costVolumes.fold()
  await insert(days, 2)
}

test('an export has every kind of data of the organization, a line each, and a last line with their counts', {
  rules: ['export.has-everything-of-the-organization', 'export.last-line-has-the-counts'],
}, async (t) => {
  const hub = await startHub(t)
  const owner = await hub.person()
  await owner.post('/api/v1/channels', { name: 'Padaria' })
  const webhook = await owner.post('/api/v1/webhooks', { name: 'CRM', url: 'https://93.184.216.34/in' })
  const endpointId = webhook.body.data.webhook.id
  const key = await owner.post('/api/v1/api-keys', { name: 'ci', scopes: ['audit:read'] })
  await owner.post('/console/invitations', { email: 'bia@example.com', role: 'viewer' })
  await fillMessages(hub, owner.organizationId, 1201)
  await fillDeliveries(hub, owner.organizationId, endpointId, [1201, 601])
  await hub.sql`
    insert into contacts (organization_id, channel_id, id, name)
    select ${owner.organizationId}, ${newId()}::uuid, hub_id(), 'Ana' from generate_series(1, 601)`
  for (let i = 0; i < 101; i++) await hub.anonymous.with(bearer(key.body.data.secret)).get('/api/v1/audit-log?limit=1')
  await hub.context.requestLog.flush()
  await hub.sql`
    insert into usage_totals (organization_id, counter, since, amount)
    values (${owner.organizationId}, 'messages_sent', date_trunc('day', hub_now()), 7)`
  await fillPriced(hub, owner.organizationId, 601)

  const answer = await owner.get(`/console/organizations/${owner.organizationId}/export`)

  const lines = readLines(answer.text)
  const end = lines.at(-1)
  const counts = Object.fromEntries(
    [...Map.groupBy(lines.slice(0, -1), ({ type }) => type)].map(([type, group]) => [type, group.length]),
  )
  assert.equal(answer.headers.get('content-disposition'), 'attachment; filename=organization.jsonl')
  assert.deepEqual(end, { type: 'end', data: { complete: true, counts } })
  const { audit_entry, event, ...others } = counts
  assert.deepEqual(others, {
    organization: 1,
    contact: 601,
    member: 1,
    invitation: 1,
    channel: 1,
    webhook: 1,
    api_key: 1,
    usage: 1,
    priced_messages: 602,
    request: 101,
    message: 1201,
    delivery: 1802,
  })
  assert.ok(Number(audit_entry) > 3 && Number(event) === 1, JSON.stringify(counts))
  const { created_at, ...settings } = lines[0]?.data ?? {}
  assert.deepEqual(settings, {
    id: owner.organizationId,
    name: settings.name,
    language: 'en',
    time_zone: 'UTC',
    two_factor_required: false,
    color: null,
    logo: null,
  })
  const message = lines.find(({ type }) => type === 'message')?.data
  assert.deepEqual([message?.to, message?.content], ['5511955500199', { body: 'segredo' }])
  const deliveries = lines.filter(({ type }) => type === 'delivery').map(({ data }) => data)
  assert.equal(new Set(deliveries.map(({ id }) => id)).size, 1802)
  assert.deepEqual(Object.keys(deliveries[0] ?? {}).sort(), [
    'attempts',
    'created_at',
    'delivered_at',
    'event',
    'event_id',
    'id',
    'last_error_code',
    'last_http_status',
    'next_attempt_at',
    'replay_of_delivery_id',
    'status',
    'webhook_id',
  ])
  assert.equal(
    deliveries.filter(({ status, webhook_id }) => status === 'pending' && webhook_id === endpointId).length,
    601,
  )
  const priced = lines.filter(({ type }) => type === 'priced_messages').map(({ data }) => data)
  assert.equal(
    priced.reduce((sum, { messages }) => sum + Number(messages), 0),
    603,
  )
  const requests = lines.filter(({ type }) => type === 'request').map(({ data }) => data)
  assert.deepEqual([requests[0]?.path, requests[0]?.number, requests.at(-1)?.number], ['/api/v1/audit-log', 101, 1])
  const payload = lines.find(({ type }) => type === 'event')?.data.payload as Line['data'] | undefined
  assert.equal(payload?.event, 'channel.created')
})

test('an export has no secret, no hash of one, and nothing of another organization', {
  rules: ['export.has-no-secret'],
}, async (t) => {
  const hub = await startHub(t)
  const [owner, other] = [await hub.person(), await hub.person()]
  const webhook = await owner.post('/api/v1/webhooks', { name: 'CRM', url: 'https://93.184.216.34/in' })
  const key = await owner.post('/api/v1/api-keys', { name: 'ci', scopes: ['audit:read'] })
  const invited = await owner.post('/console/invitations', { email: 'bia@example.com', role: 'viewer' })
  const channel = await owner.post('/api/v1/channels', { name: 'Padaria' })
  await hub.sql`
    update channels set access_token = 'sealed-canary' where organization_id = ${owner.organizationId}`
  await fillMessages(hub, other.organizationId, 1, '{"body":"de outra"}')
  const foreign = newId()
  await fillDeliveries(hub, other.organizationId, foreign, [3, 3])

  const { text } = await owner.get(`/console/organizations/${owner.organizationId}/export`)

  const secrets = [
    webhook.body.data.secret,
    key.body.data.secret,
    invited.body.data.invitation_url.split('/').at(-1),
    'sealed-canary',
    'de outra',
    other.organizationId,
    foreign,
  ]
  for (const secret of secrets) assert.ok(secret.length > 5 && !text.includes(secret), secret)
  const stored = await hub.sql<{ value: string }[]>`
    select password_hash as value from users where id = ${owner.userId}
    union all select encode(h.token_hash, 'hex') from credential_hashes h where h.organization_id = ${owner.organizationId}
    union all select e.secret from webhook_endpoints e where e.organization_id = ${owner.organizationId}`
  assert.ok(stored.length >= 3)
  for (const { value } of stored) assert.ok(!text.includes(value), value)
  assert.ok(text.includes(channel.body.data.channel.id))
})

test('an export is in the audit log from its begin to its end, with counts and without content', {
  rules: ['export.is-audited'],
}, async (t) => {
  const hub = await startHub(t)
  const owner = await hub.person()
  await fillMessages(hub, owner.organizationId, 3)

  const { status } = await owner.get(`/console/organizations/${owner.organizationId}/export`)

  const { entries } = (await owner.get('/api/v1/audit-log?limit=2')).body.data
  assert.equal(status, 200)
  assert.deepEqual(
    entries.map(({ action }: { action: string }) => action),
    ['organization.exported', 'organization.export_started'],
  )
  assert.deepEqual([entries[0].details.complete, entries[0].details.counts.message, entries[1].details], [true, 3, {}])
})

test('an organization has one export at a time, of messages or of everything, and the end of the role cuts it off', {
  rules: ['export.one-at-a-time'],
}, async (t) => {
  const hub = await startHub(t)
  const owner = await hub.person()
  const leaving = await hub.person({ organizationId: owner.organizationId, role: 'owner' })
  await fillMessages(hub, owner.organizationId, 300, JSON.stringify({ body: 'x'.repeat(100_000) }))
  const path = `/console/organizations/${owner.organizationId}/export`

  const response = await fetch(`${hub.url}${path}`, { headers: { cookie: leaving.cookie } })
  const refused = [await owner.get(path), await owner.get('/console/messages/export')]
  const demoted = await owner.patch(`/console/members/${leaving.userId}`, { role: 'admin' })

  assert.deepEqual([response.status, ...refused.map(({ status }) => status), demoted.status], [200, 409, 409, 200])
  await assert.rejects(response.text())
  const [ended] = (await owner.get('/api/v1/audit-log?action=organization.exported')).body.data.entries
  assert.equal(ended.details.complete, false)
  assert.equal((await owner.get('/console/messages/export?status=failed')).status, 200)
})

test('an event whose bytes are not JSON in UTF-8 is exported as base64, and others with all their digits', {
  rules: ['export.last-line-has-the-counts'],
}, async (t) => {
  const hub = await startHub(t)
  const owner = await hub.person()
  const bodies = [Buffer.from([0x7b, 0xff, 0x7d]), Buffer.from('{"id":\n12345678901234567890}')]
  for (const body of bodies) {
    await hub.sql`
      insert into events (organization_id, id, kind, occurred_at, body)
      values (${owner.organizationId}, ${newId(hub.clock.now())}, 'upstream.raw', hub_now(), ${body})`
  }

  const { text } = await owner.get(`/console/organizations/${owner.organizationId}/export`)

  assert.ok(text.includes(`"payload":null,"payload_base64":"${bodies[0]?.toString('base64')}"`))
  assert.ok(text.includes('"payload":{"id": 12345678901234567890}'))
})
