import type { Pool } from '../../server/src/kernel/db/pool.ts'
import { fillBare } from './bare-tables.ts'
import { LOG_DAYS } from './database.ts'

const BATCH = 250_000
/** Rows of the logs for each other organization, and the share of them that it has itself. */
const ROWS_PER_ORGANIZATION = 100
const SHARE_OF_OTHERS = 0.2
/** Numbers of rows from here on are of other organizations. */
const FIRST_OF_OTHERS = 1_000_000_000

/** The organization whose logs grow. Its channels, endpoints and keys stay the same. */
export type Tenant = {
  organizationId: string
  userId: string
  channelIds: string[]
  endpointIds: string[]
  /** Its queued deliveries are canceled ones only. */
  canceledEndpointId: string
}

/** From one number of rows to the next, in the days before `until`. */
type Growth = { from: number; to: number; until: Date }

/** The columns of a table, as expressions over the row number `n`, its time `at`, its `id`, and `org`, `channel` and `endpoint`. */
type Filling = { table: string; share: number; days: number; columns: Record<string, string> }

const HEADERS = `'{"content-type":"application/json"}'`
const BODY = `convert_to('{"id":"' || id || '","event":"message.received","data":{"message":{"type":"text"}}}', 'UTF8')`
const OWNED = { organization_id: 'org', channel_id: 'channel' }
/** Audit entries are few: their newest page has filled ones only if those are far ahead. */
const LATER_ENTRY = `at + interval '30 days'`
const IS_OUTBOUND = '(n / 10) % 2 = 0'

/** Ten messages of a channel are of one person, at every size. */
const CONTACT = `growth_id('2026-01-01', n / 100 * 10 + n % 10)`

/** Rare rows are a hundredth, so that a page of them is full at both sizes. None is past its retention. */
const LOGS: Filling[] = [
  {
    table: 'messages',
    share: 1,
    days: LOG_DAYS,
    columns: {
      ...OWNED,
      id: 'id',
      direction: `case when ${IS_OUTBOUND} then 'outbound' else 'inbound' end`,
      type: `'text'`,
      status: `case when not ${IS_OUTBOUND} then 'received' when (n / 10) % 100 = 0 then 'failed' else 'delivered' end`,
      sender: `'5511900000000'`,
      recipient: `'5511911111111'`,
      upstream_message_id: `'wamid.' || n`,
      content: `'{"body":"Onde esta o pedido?"}'`,
      statuses_seen: '3',
      created_at: 'at',
      contact_id: CONTACT,
    },
  },
  {
    table: 'contacts',
    share: 0.1,
    days: LOG_DAYS,
    columns: {
      ...OWNED,
      id: `growth_id('2026-01-01', n)`,
      wa_id: `'551199' || lpad(n::text, 7, '0')`,
      user_id: `'BR.' || n`,
      username: `'ana_' || lpad(n::text, 10, '0')`,
      name: `'Ana ' || lpad(n::text, 10, '0')`,
      search_name: `'ana ' || lpad(n::text, 10, '0')`,
      reversed_number: `reverse('551199' || lpad(n::text, 7, '0'))`,
    },
  },
  {
    table: 'message_wamids',
    share: 1,
    days: LOG_DAYS,
    columns: { ...OWNED, wamid: `'wamid.' || n`, message_id: 'id' },
  },
  {
    table: 'message_keys',
    share: 1,
    days: 28,
    columns: { ...OWNED, key: `'order-' || n`, body_hash: `'\\x00'`, message_id: 'id' },
  },
  { table: 'seen_changes', share: 1, days: 9, columns: { ...OWNED, fingerprint: 'id', seen_at: 'at' } },
  {
    table: 'events',
    share: 1,
    days: LOG_DAYS,
    columns: {
      ...OWNED,
      id: 'id',
      kind: `case when (n / 10) % 3 = 0 then 'upstream.raw' else 'message.received' end`,
      occurred_at: 'at',
      body: BODY,
    },
  },
  { table: 'callbacks', share: 1, days: LOG_DAYS, columns: { id: 'id', body: BODY, received_at: 'at' } },
  {
    table: 'deliveries',
    share: 1,
    days: LOG_DAYS,
    columns: {
      organization_id: 'org',
      endpoint_id: 'endpoint',
      id: 'id',
      event_id: 'id',
      event_kind: `'message.received'`,
      status: `'succeeded'`,
      attempts: '1',
      due_at: 'at',
      last_http_status: '200',
      delivered_at: 'at',
      created_at: 'at',
    },
  },
  {
    table: 'delivery_attempts',
    share: 1,
    days: LOG_DAYS,
    columns: {
      organization_id: 'org',
      delivery_id: 'id',
      id: 'id',
      number: '1',
      http_status: '200',
      request_headers: HEADERS,
      response_headers: HEADERS,
      ended_at: 'at',
    },
  },
  {
    table: 'audit_entries',
    share: 0.1,
    days: 350,
    columns: {
      organization_id: 'org',
      id: `growth_id(${LATER_ENTRY}, n)`,
      action: `case when n % 100 = 0 then 'member.removed' else 'webhook.replayed' end`,
      actor_type: `'user'`,
      actor_id: `case when n % 100 = 1 then 'rare' else 'common' end`,
      target_type: `'webhook'`,
      target_id: `case when n % 100 = 2 then 'rare' else endpoint::text end`,
      created_at: LATER_ENTRY,
    },
  },
  { table: 'channel_media', share: 0.1, days: 39, columns: { ...OWNED, media_id: 'n::text', created_at: 'at' } },
]

const OTHER = `growth_id('2026-01-01', n)`
const HASH = `sha256(convert_to(n::text, 'UTF8'))`
const OTHER_KEY = { organization_id: OTHER, id: OTHER }
const LATER = `hub_now() + interval '1 day'`

/** The rows of each other organization. The first tables are those that others refer to. */
const OTHERS: Record<string, Record<string, string>> = {
  organizations: { id: OTHER, name: `'Other'` },
  users: { id: OTHER, email: `n || '@example.com'`, name: `'Ana'`, password_hash: `''` },
  memberships: { organization_id: OTHER, user_id: OTHER, role: `'owner'` },
  sessions: { id: OTHER, user_id: OTHER, organization_id: OTHER, token_hash: HASH, expires_at: LATER },
  password_resets: { id: OTHER, user_id: OTHER, token_hash: HASH, expires_at: LATER },
  credentials: { ...OTHER_KEY, kind: `'api_key'`, name: `'key'`, last4: `'0000'`, scopes: `'{}'` },
  credential_hashes: { token_hash: HASH, organization_id: OTHER, credential_id: OTHER },
  channels: { ...OTHER_KEY, name: `'Other'`, status: `'active'`, waba_id: `'w' || n`, checked_at: LATER },
  channel_numbers: {
    phone_number_id: `'p' || n`,
    waba_id: `'w' || n`,
    display_digits: `'5511'`,
    organization_id: OTHER,
    channel_id: OTHER,
  },
  webhook_endpoints: {
    ...OTHER_KEY,
    name: `'Other'`,
    url: `'https://hooks.example/'`,
    secret: `''`,
    event_types: `'{}'`,
    payload_mode: `'normalized'`,
    delivery_format: `'native'`,
    all_channels: 'true',
  },
  invitations: { ...OTHER_KEY, email: `'bob@example.com'`, role: `'viewer'`, invited_by: `'Ana'`, expires_at: LATER },
  invitation_links: { token_hash: HASH, organization_id: OTHER, invitation_id: OTHER },
  connect_links: { ...OTHER_KEY, channel_id: OTHER, expires_at: LATER },
  connect_link_hashes: { token_hash: HASH, organization_id: OTHER, link_id: OTHER },
  webhook_pauses: { organization_id: OTHER, endpoint_id: OTHER, cause: `'person'`, ended_at: 'hub_now()' },
  unsendable_templates: {
    organization_id: OTHER,
    waba_id: `'w' || n`,
    name: `'promotion'`,
    language: `'pt_BR'`,
    status: `'PAUSED'`,
    since: 'hub_now()',
    until: LATER,
    is_timed: 'false',
    reported_at: 'hub_now()',
  },
  cost_totals: {
    organization_id: OTHER,
    channel_id: OTHER,
    day: 'current_date - (n % 100)::int',
    category: `'utility'`,
    type: `'regular'`,
    country: `'BR'`,
    volume: '1',
  },
  usage_totals: {
    organization_id: OTHER,
    counter: `'deliveries'`,
    since: `hub_now() - interval '2 days'`,
    amount: '1',
  },
  listeners: {
    ...OTHER_KEY,
    secret_hash: HASH,
    event_types: `'{}'`,
    payload_mode: `'normalized'`,
    expires_at: LATER,
  },
  listener_deliveries: { ...OTHER_KEY, listener_id: OTHER, event_id: OTHER, event_kind: `'message.received'` },
  refused_callbacks: { waba_id: `'w' || n`, refused: '1', refused_at: 'hub_now()' },
  request_log_positions: { organization_id: OTHER, written: '1' },
  logged_requests: {
    organization_id: OTHER,
    number: '1',
    answered_at: 'hub_now()',
    request_id: OTHER,
    method: `'GET'`,
    route: `'/api/v1/usage'`,
    path: `'/api/v1/usage'`,
    status: '200',
    duration_ms: '1',
    credential_type: `'api_key'`,
    credential_id: OTHER,
  },
  rate_limits: { bucket: `'other'`, subject: 'n::text', used: '1', window_ends_at: LATER },
  payment_events: { id: `'evt_' || n`, type: `'invoice.paid'`, handled_at: 'hub_now()' },
  billing_requests: { ...OTHER_KEY, route: `'addons'`, key: `'key'`, body_hash: HASH },
  billing_links: { ...OTHER_KEY, kind: `'portal'`, expires_at: LATER },
}

/** The rows of the past that the growing organization keeps in lists that show only what is current. */
const HISTORY: Record<string, Record<string, string>> = {
  credentials: {
    organization_id: 'org',
    id: 'id',
    kind: `'api_key'`,
    name: `'key'`,
    last4: `'0000'`,
    scopes: `'{}'`,
    revoked_at: 'hub_now()',
  },
  invitations: {
    organization_id: 'org',
    id: 'id',
    email: `'bob@example.com'`,
    role: `'viewer'`,
    invited_by: `'Ana'`,
    expires_at: LATER,
    accepted_at: 'hub_now()',
  },
}

/**
 * Fills the tables from one size to the next, spread over the same days as the rows that are there. A page of a list is in
 * as many blocks as it has rows, at every size.
 */
export async function fillTables(
  sql: Pool,
  tenant: Tenant,
  { from, to, until }: Growth,
  report: (line: string) => void,
): Promise<void> {
  const others = { from: from / ROWS_PER_ORGANIZATION, to: to / ROWS_PER_ORGANIZATION }
  const fillings = [OTHERS, HISTORY].flatMap(Object.entries) as [string, Record<string, string>][]
  for (const [table, columns] of fillings) {
    await insertRows(sql, tenant, { table, columns, days: 1, first: others.from, last: others.to, until }, others)
  }
  report(`    ${others.to} other organizations`)
  async function fillOne(filling: Filling): Promise<void> {
    await fillLog(sql, tenant, { ...filling, first: from * filling.share, last: to * filling.share, until })
    const [first, last] = [from, to].map((n) => FIRST_OF_OTHERS + n * filling.share * SHARE_OF_OTHERS) as [
      number,
      number,
    ]
    await fillLog(sql, { ...tenant, others: others.to }, { ...filling, first, last, until })
    report(`    ${filling.table}: ${to * filling.share} rows, and those of others`)
  }
  await Promise.all(LOGS.map((filling) => fillBare(sql, filling.table, () => fillOne(filling))))
}

async function fillLog(sql: Pool, owner: Owner, f: Filled): Promise<void> {
  for (let n = f.first; n < f.last; n += BATCH) {
    await insertRows(sql, owner, f, { from: n, to: Math.min(n + BATCH, f.last) })
  }
}

/** A UUIDv7 without random bits: the same number and time are the same id in every table. */
export async function createIdFunction(sql: Pool): Promise<void> {
  await sql.unsafe(`
    create or replace function growth_id(at timestamptz, n bigint) returns uuid
    language sql stable
    as $$
      select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid
    $$`)
}

/** With `others`, the rows belong to that many other organizations in turn. */
type Owner = Tenant & { others?: number }
type Filled = Omit<Filling, 'share'> & { first: number; last: number; until: Date }

async function insertRows(
  sql: Pool,
  { organizationId, channelIds, endpointIds, others }: Owner,
  f: Filled,
  { from, to }: { from: number; to: number },
): Promise<void> {
  const other = others && `growth_id('2026-01-01', n % ${others})`
  const pick = (ids: string[]) => other ?? `('{${ids.join(',')}}'::uuid[])[(1 + n % ${ids.length})::int]`
  // Every row refers to organizations and channels that were inserted before: their keys need no look.
  await sql.unsafe(`
    set local session_replication_role = replica;
    insert into ${f.table} (${Object.keys(f.columns).join(', ')})
    select ${Object.values(f.columns).join(', ')}
    from (
      select n, at, growth_id(at, n) as id, ${other ?? `'${organizationId}'::uuid`} as org, ${pick(channelIds)} as channel,
        ${pick(endpointIds)} as endpoint
      from (
        select n, '${f.until.toISOString()}'::timestamptz
          - interval '${f.days} days' * (1 - (n - ${f.first})::float8 / ${f.last - f.first}) as at
        from generate_series(${from}::bigint, ${to - 1}) n
      ) numbered
    ) r
    order by random()`)
}
