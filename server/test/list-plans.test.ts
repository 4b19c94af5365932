import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { ALL } from '../src/domains/statistics/counts/store.ts'
import { createPartitions } from '../src/kernel/db/partitions.ts'
import { newId } from '../src/kernel/ids.ts'
import { startHub } from './hub.ts'
import { createChannel } from './hub-with-upstream.ts'
import { countRowsRead, explainStatement, listNodes, openRecordingPool, type Plan } from './query-plans.ts'

/** Rows that each log has, and that each table has of another organization. */
const ROWS = 2000
/** Limits what a list may read: its page, once for each of its tables, and little else. */
const ROWS_READ_MAX = 150
/** Limits what a filter of deliveries looks through in one statement. */
const [SCANNED_MAX, SCANNED_OF_CHANNEL_MAX] = [2000, 1000]
/** Limits what the figures count of the queue. */
const QUEUED_MAX = 1000
const OWN_ROWS = 20

/** Counts of half hours back from now, of the organization and of one channel and endpoint of it. */
function fillCounts(organizationId: string, channelId: string, endpointId: string): string {
  const since = `date_bin('30 minutes', hub_now(), 'epoch') - n * interval '30 minutes'`
  return `
    insert into message_counts
    select '${organizationId}', id, ${since}, 1, 1, 1, 1, 1
    from unnest(array['${ALL}', '${channelId}']::uuid[]) id, generate_series(0, ${ROWS}) n;
    insert into cost_totals
    select '${organizationId}', id, hub_now()::date - n, 'marketing', 'regular', 'BR', 1
    from unnest(array['${ALL}', '${channelId}']::uuid[]) id, generate_series(0, ${ROWS}) n;
    insert into error_counts
    select '${organizationId}', ${since}, '${channelId}', '131047', 1, hub_now() from generate_series(0, ${ROWS}) n;
    insert into attempt_counts
    select '${organizationId}', id, ${since}, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0
    from unnest(array['${ALL}', '${endpointId}']::uuid[]) id, generate_series(0, ${ROWS}) n`
}

/** A hub that keeps the statements it sends, and an organization with long logs beside another one. */
async function startFilled(t: TestContext) {
  const { sql, statements } = await openRecordingPool(t)
  const hub = await startHub(t, {
    installation: { sql },
    hasTimers: false,
    env: { WEBHOOK_ALLOWED_DESTINATIONS: '127.0.0.1:9' },
  })
  const owner = await hub.person()
  const { organizationId: other } = await hub.organization()
  const channel = await createChannel(owner)
  const endpoint = await owner.post('/api/v1/webhooks', { name: 'log', url: 'http://127.0.0.1:9' })
  await owner.post('/api/v1/api-keys', { name: 'ci', scopes: ['audit:read'] })
  await owner.post('/console/invitations', { email: 'bob@example.com', role: 'viewer' })
  const webhookId: string = endpoint.body.data.webhook.id
  const deliveryId = newId()
  const [actorId, targetId] = [newId(), newId()]

  /** Inserts copies of a row with other values, which may use the number `n` of the copy. */
  async function copy(table: string, count: number, changes: Record<string, string>): Promise<void> {
    const values = Object.entries(changes).map(([column, value]) => `'${column}', ${value}`)
    await hub.sql.unsafe(`
      insert into ${table}
      select (jsonb_populate_record(null::${table}, to_jsonb(r) || jsonb_build_object(${values.join(', ')}))).*
      from (select * from ${table} order by organization_id = '${owner.organizationId}' desc limit 1) r,
        generate_series(1, ${count}) n`)
  }
  const idAt = `(lpad(to_hex((extract(epoch from hub_now()) * 1000)::bigint - n * 60000), 12, '0')
    || '70008000' || lpad(to_hex(n), 12, '0'))::uuid`
  const createdAt = `hub_now() - n * interval '1 minute'`
  for (const table of ['channels', 'webhook_endpoints', 'credentials', 'invitations']) {
    await copy(table, OWN_ROWS, { id: 'hub_id()' })
    await copy(table, ROWS, { id: 'hub_id()', organization_id: `'${other}'` })
  }
  await copy('audit_entries', ROWS, {
    id: idAt,
    created_at: createdAt,
    // Any two of the common values are together in a third of the entries, all three in none, and two of the others in none.
    action: `case when n % 500 = 0 then 'rare.action' when n % 3 = 0 then 'other.action' else 'common.action' end`,
    actor_id: `case when n % 400 = 0 then '${actorId}' when n % 3 = 1 then 'other' else 'common' end`,
    target_id: `case when n % 300 = 0 then '${targetId}' when n % 3 < 2 then 'common' when n % 2 = 0 then n::text else 'other' end`,
  })
  // Other organizations, with few entries: the planner assumes that every organization has as few.
  await hub.sql.unsafe(`
    insert into organizations (id, name) select hub_id(), 'Other' from generate_series(1, ${ROWS});
    insert into audit_entries (organization_id, id, action, actor_type, target_type, target_id)
    select id, hub_id(), 'common.action', 'system', 'webhook', id from organizations`)
  const delivery = `'${owner.organizationId}', '${webhookId}'`
  await hub.sql.unsafe(`
    insert into delivery_queue (organization_id, endpoint_id, id, event_id, event_kind, generation)
    select ${delivery}, ${idAt}, hub_id(), 'message.sent', 1 from generate_series(1, ${ROWS}) n;
    insert into deliveries (organization_id, endpoint_id, id, event_id, event_kind, status, attempts, due_at, delivered_at,
      created_at)
    select ${delivery}, case when n = 1 then '${deliveryId}' else hub_id() end, hub_id(), 'message.sent', 'succeeded', 1,
      hub_now(), hub_now(), hub_now()
    from generate_series(1, ${ROWS}) n;
    insert into delivery_attempts (organization_id, delivery_id, id, number)
    select '${owner.organizationId}', case when n < 10 then '${deliveryId}' else hub_id() end, hub_id(), 1
    from generate_series(1, ${ROWS}) n;
    insert into events (organization_id, id, kind, channel_id, occurred_at, body)
    select '${owner.organizationId}', ${idAt}, case when n = ${ROWS} then 'upstream.raw' else 'message.sent' end,
      '${channel.id}', hub_now(), '{}'
    from generate_series(1, ${ROWS}) n;
    update channels set waba_id = '1' where id = '${channel.id}';
    insert into unsettled_sends (organization_id, channel_id, message_id, sending_until, type, created_at)
    select '${owner.organizationId}', '${channel.id}', ${idAt}, hub_now() + interval '1 day', 'text', hub_now() from generate_series(1, ${ROWS}) n;
    insert into connect_links (organization_id, id, channel_id, expires_at)
    select organization_id, hub_id(), id, hub_now() from channels where organization_id = '${other}'
    union all
    select '${owner.organizationId}', ${idAt}, '${channel.id}', hub_now() from generate_series(1, ${ROWS}) n;
    insert into channel_activity (organization_id, channel_id, last_inbound_at)
    select organization_id, id, hub_now() from channels on conflict do nothing;
    ${fillCounts(owner.organizationId, channel.id, webhookId)};
    insert into logged_requests (organization_id, number, answered_at, request_id, method, route, path, status,
      duration_ms, credential_type, credential_id)
    select id, n, ${createdAt}, hub_id(), 'GET', '/api/v1/usage', '/api/v1/usage', case when n % 40 = 0 then 404 else 200 end,
      1, 'api_key', hub_id()
    from unnest(array['${owner.organizationId}', '${other}']::uuid[]) id, generate_series(1, ${ROWS}) n;
    ${fillCounts(other, newId(), newId())};
    analyze`)

  async function explainRequest(path: string): Promise<{ text: string; plan: Plan }[]> {
    statements.length = 0
    const { status, text } = await owner.get(path)
    assert.equal(status, 200, `${path}: ${text}`)
    const reads = statements.filter(
      ({ text }) => /^\s*(select|with)\b/.test(text) && !/\b(insert into|update|delete from)\b/.test(text),
    )
    return Promise.all(
      reads.map(async (statement) => ({ text: statement.text, plan: await explainStatement(sql, statement) })),
    )
  }
  return { hub, owner, channelId: channel.id, webhookId, deliveryId, actorId, targetId, explainRequest }
}

test('every list, and the diagnostics, read few more rows than they return, with each filter', async (t) => {
  const { hub, owner, channelId, webhookId, deliveryId, actorId, targetId, explainRequest } = await startFilled(t)
  const toTime = (hoursAgo: number) => new Date(hub.clock.now().getTime() - hoursAgo * 3_600_000).toISOString()
  const log = '/api/v1/audit-log?limit=10'
  const costs = `/api/v1/usage/costs?since=${toTime(240)}`
  const requests = `/console/organizations/${owner.organizationId}/requests?limit=10`
  const { next_cursor: cursor } = (await owner.get(log)).body.data

  for (const path of [
    log,
    `${log}&cursor=${cursor}`,
    `${log}&action=rare.action`,
    `${log}&action=common.action`,
    `${log}&action=absent.action`,
    `${log}&actor_id=${actorId}`,
    `${log}&actor_id=common`,
    `${log}&actor_id=absent`,
    `${log}&target_id=${targetId}`,
    `${log}&target_id=common`,
    `${log}&target_id=absent`,
    `${log}&since=${toTime(1)}`,
    `${log}&since=${toTime(-1)}`,
    `${log}&until=${toTime(20)}`,
    `${log}&until=${toTime(1000)}`,
    `${log}&since=${toTime(21)}&until=${toTime(20)}&action=absent.action`,
    `${log}&action=common.action&target_id=${targetId}`,
    `${log}&action=common.action&actor_id=${actorId}&until=${toTime(1)}`,
    `${log}&action=common.action&actor_id=common`,
    `${log}&action=other.action&actor_id=other`,
    `${log}&action=other.action&target_id=other`,
    `${log}&actor_id=other&target_id=other`,
    `${log}&actor_id=other&target_id=other&since=${toTime(21)}`,
    `${log}&action=common.action&actor_id=common&target_id=common`,
    `${log}&action=common.action&actor_id=common&target_id=common&until=${toTime(1)}`,
    '/api/v1/api-keys',
    '/api/v1/channels',
    `/api/v1/channels/${channelId}`,
    `/api/v1/channels/${channelId}/diagnostics`,
    `/api/v1/channels/${channelId}/messages?limit=10`,
    '/api/v1/webhooks',
    `/api/v1/webhooks/${webhookId}/deliveries`,
    `/api/v1/webhooks/${webhookId}/deliveries/${deliveryId}`,
    `/console/channels/${channelId}/connect-links`,
    `/console/webhooks/${webhookId}/deliveries?limit=10`,
    `/console/webhooks/${webhookId}/deliveries?limit=10&since=${toTime(1)}`,
    `/console/webhooks/${webhookId}/deliveries?limit=10&until=${toTime(20)}`,
    '/console/members',
    '/console/invitations',
    '/console/sessions',
    '/console/statistics?range=24h',
    `/console/statistics?range=24h&channel_id=${channelId}`,
    '/console/endpoint-statistics?range=24h',
    ...['day', 'channel', 'category', 'country'].map((by) => `${costs}&group_by=${by}`),
    `${costs}&group_by=channel&channel_id=${channelId}`,
    '/console/channel-activity?limit=10',
    `/console/channel-activity?ids=${channelId}`,
    '/console/attention',
    requests,
    `${requests}&status=2xx`,
    `${requests}&status=404`,
    `${requests}&status=5xx`,
    `${requests}&error_code=NOT_FOUND`,
    `/console/organizations/${owner.organizationId}/requests/errors`,
  ]) {
    for (const { text, plan } of await explainRequest(path)) {
      const read = countRowsRead(plan)
      const max = ROWS_READ_MAX + (/as queued,/.test(text) ? QUEUED_MAX : 0)
      assert.ok(read <= max, `${path} reads ${read} rows:\n${text}\n${JSON.stringify(plan)}`)
    }
  }
})

test('a filter of deliveries looks through a bounded number of each table, by the keys of the endpoint', {
  rules: ['delivery.console-page-is-bounded'],
}, async (t) => {
  const { channelId, webhookId, explainRequest } = await startFilled(t)
  const deliveries = `/console/webhooks/${webhookId}/deliveries?limit=10`

  for (const [filter, max] of [
    ['status=canceled', SCANNED_MAX],
    ['event=absent', SCANNED_MAX],
    ['http_status=4xx', SCANNED_MAX],
    ['http_status=none&status=dead', SCANNED_MAX],
    [`channel_id=${channelId}`, SCANNED_OF_CHANNEL_MAX],
  ] as const) {
    for (const { text, plan } of await explainRequest(`${deliveries}&${filter}`)) {
      const read = countRowsRead(plan)
      assert.ok(read <= max + ROWS_READ_MAX, `${filter} reads ${read} rows:\n${text}\n${JSON.stringify(plan)}`)
    }
  }
})

test('a rare filter of the request log reads the log of its organization, and nothing of another', async (t) => {
  const { owner, explainRequest } = await startFilled(t)
  const requests = `/console/organizations/${owner.organizationId}/requests?limit=10`

  for (const filter of [
    'method=DELETE',
    'route=/api/v1/channels',
    `credential_id=${newId()}`,
    `request_id=${newId()}`,
    'until=2026-01-01T00:00:00.000Z',
  ]) {
    for (const { text, plan } of await explainRequest(`${requests}&${filter}`)) {
      const read = countRowsRead(plan)
      assert.ok(read <= ROWS + OWN_ROWS, `${filter} reads ${read} rows:\n${text}\n${JSON.stringify(plan)}`)
    }
  }
})

test('the attempts of a delivery are looked up in the partitions of its time', async (t) => {
  const { hub, webhookId, deliveryId, explainRequest } = await startFilled(t)
  const days = 35
  await createPartitions(hub.sql, 'delivery_attempts', new Date(hub.clock.now().getTime() - days * 86_400_000), days)

  const plans = await explainRequest(`/api/v1/webhooks/${webhookId}/deliveries/${deliveryId}`)

  const attempts = plans.find(({ text }) => /from delivery_attempts/.test(text))
  assert.ok(attempts)
  const partitions = listNodes(attempts.plan).filter((node) => node['Relation Name'] && node['Actual Loops'] > 0)
  assert.ok(partitions.length <= 3, JSON.stringify(attempts.plan))
})
