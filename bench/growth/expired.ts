import { createPartitions } from '../../server/src/kernel/db/partitions.ts'
import type { Pool } from '../../server/src/kernel/db/pool.ts'
import { PARTITIONED } from './database.ts'
import type { Tenant } from './fill.ts'

const DAY_MS = 86_400_000
/** Rows that each job finds, at every size. */
const EXPIRED = 200
/** Failed deliveries of each endpoint, most of them recent. */
const DEAD = 40

/** The number of requests that an organization keeps. */
const LOGGED = 10_000

const ago = (days: number) => `hub_now() - interval '${days} days'`

/** Inserts the same number of expired rows and failed deliveries, in place of those of an earlier round. */
export async function insertExpired(sql: Pool, tenant: Tenant): Promise<void> {
  const { organizationId, userId, channelIds, canceledEndpointId } = tenant
  const [org, user, channel] = [`'${organizationId}'::uuid`, `'${userId}'::uuid`, `'${channelIds[0]}'::uuid`]
  const from = (count: number) => `from generate_series(1, ${count}) n`
  await insertDead(sql, tenant)
  await sql.unsafe(`
    delete from unsettled_sends;
    insert into message_keys (organization_id, channel_id, key, body_hash, message_id)
      select ${org}, ${channel}, 'old-' || n, '', growth_id(${ago(50)}, n) ${from(EXPIRED)};
    insert into message_wamids (organization_id, channel_id, wamid, message_id)
      select ${org}, ${channel}, 'old-' || n, growth_id(${ago(50)}, n) ${from(EXPIRED)};
    insert into unsettled_sends (organization_id, channel_id, message_id)
      select ${org}, ${channel}, growth_id(${ago(50)}, n) ${from(EXPIRED)};
    insert into unsettled_sends (organization_id, channel_id, message_id, sending_until, type, recipient, content, created_at)
      select ${org}, ${channel}, hub_id(), ${ago(1)}, 'text', '5511911111111', '{"body":"Oi"}', ${ago(1)} ${from(EXPIRED)};
    insert into unsendable_templates (organization_id, waba_id, name, language, status, since, until, is_timed, reported_at)
      select ${org}, 'old', 'old-' || n, 'pt_BR', 'PAUSED', ${ago(2)}, ${ago(1)}, true, ${ago(2)} ${from(EXPIRED)} on conflict do nothing;
    insert into cost_deltas (organization_id, channel_id, day, category, type, country, volume)
      select ${org}, ${channel}, current_date, 'utility', 'regular', 'BR', 1 ${from(EXPIRED)};
    insert into cost_totals (organization_id, channel_id, day, category, type, country, volume)
      select ${org}, ${channel}, current_date - 401 - n, 'utility', 'regular', 'BR', 1 ${from(EXPIRED)} on conflict do nothing;
    insert into seen_changes (organization_id, channel_id, fingerprint, seen_at)
      select ${org}, ${channel}, gen_random_uuid(), ${ago(11)} ${from(EXPIRED)};
    insert into channel_media (organization_id, channel_id, media_id, created_at)
      select ${org}, ${channel}, 'old-' || n, ${ago(41)} ${from(EXPIRED)};
    insert into credentials (organization_id, id, kind, name, last4, scopes, revoked_at)
      select ${org}, growth_id(${ago(100)}, n), 'api_key', 'old', '0000', '{}', ${ago(91)} ${from(EXPIRED)};
    insert into audit_entries (organization_id, id, action, actor_type, target_type, target_id, created_at)
      select ${org}, growth_id(${ago(366)}, n), 'webhook.deleted', 'system', 'webhook', 'old', ${ago(366)} ${from(EXPIRED)};
    insert into sessions (id, user_id, organization_id, token_hash, expires_at)
      select hub_id(), ${user}, ${org}, convert_to('old-' || n, 'UTF8'), ${ago(1)} ${from(EXPIRED)};
    insert into password_resets (id, user_id, token_hash, expires_at)
      select hub_id(), ${user}, convert_to('old-' || n, 'UTF8'), ${ago(8)} ${from(EXPIRED)};
    insert into invitations (organization_id, id, email, role, invited_by, expires_at)
      select ${org}, growth_id(${ago(100)}, n), 'old@example.com', 'viewer', 'Ana', ${ago(91)} ${from(EXPIRED)};
    insert into connect_links (organization_id, id, channel_id, expires_at, exchanged_token, exchanged_until)
      select ${org}, growth_id(${ago(100)}, n), ${channel}, ${ago(31)}, 'sealed', ${ago(31)} ${from(EXPIRED)};
    with listener as (
      insert into listeners (organization_id, id, secret_hash, event_types, payload_mode, expires_at)
        select growth_id('2026-01-01', n % 10), hub_id(), '', '{}', 'normalized', ${ago(1)} ${from(EXPIRED)}
        returning *)
    insert into listener_deliveries (organization_id, listener_id, id, event_id, event_kind)
      select organization_id, id, id, id, 'message.received' from listener;
    insert into rate_limits (bucket, subject, used, window_ends_at)
      select 'old', n::text, 1, ${ago(1)} ${from(EXPIRED)};
    insert into message_count_deltas (organization_id, channel_id, error_code, sent, delivered, read, failed, received)
      select ${org}, ${channel}, '', 1, 1, 0, 0, 1 ${from(EXPIRED)};
    insert into attempt_count_deltas
      (organization_id, endpoint_id, succeeded, failed, ms_50, ms_100, ms_200, ms_400, ms_800, ms_1600, ms_3200, ms_6400, ms_more)
      select ${org}, '${canceledEndpointId}'::uuid, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0 ${from(EXPIRED)};
    insert into message_counts
      select ${org}, ${channel}, ${ago(91)} - n * interval '1 hour', 1, 1, 1, 1, 1 ${from(EXPIRED)} on conflict do nothing;
    insert into error_counts
      select ${org}, ${ago(91)} - n * interval '1 hour', ${channel}, '131047', 1, ${ago(91)} ${from(EXPIRED)} on conflict do nothing;
    insert into attempt_counts
      select ${org}, '${canceledEndpointId}'::uuid, ${ago(91)} - n * interval '1 hour', 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0
      ${from(EXPIRED)} on conflict do nothing;
    insert into usage_deltas (organization_id, at, counter, amount)
      select ${org}, ${ago(1)}, 'deliveries', 1 ${from(EXPIRED)};
    insert into usage_totals (organization_id, counter, since, amount)
      select ${org}, 'deliveries', ${ago(401)} - n * interval '1 day', 1 ${from(EXPIRED)};
    insert into refused_callbacks (waba_id, refused, refused_at)
      select 'old-' || n, 1, ${ago(8)} ${from(EXPIRED)};
    insert into payment_events (id, type, received_at, handled_at)
      select 'old-' || n, 'invoice.paid', ${ago(91)}, ${ago(91)} ${from(EXPIRED)};
    insert into billing_requests (organization_id, id, route, key, body_hash, created_at)
      select ${org}, growth_id(${ago(31)}, n), 'addons', 'old-' || n, '', ${ago(31)} ${from(EXPIRED)};
    insert into billing_links (organization_id, id, kind, expires_at)
      select ${org}, growth_id(${ago(8)}, n), 'portal', ${ago(8)} ${from(EXPIRED)};
    insert into channels (organization_id, id, name, created_at)
      select ${org}, hub_id(), 'Abandoned', ${ago(8)} ${from(10)};
    update channels set checked_at = ${ago(1)} where organization_id = ${org} and status = 'active'`)
  await insertRequests(sql, org)
  await insertDeletedEndpoint(sql, org)
  await insertCanceled(sql, org, `'${canceledEndpointId}'::uuid`)
  for (const table of PARTITIONED) await createPartitions(sql, table, new Date(Date.now() - 100 * DAY_MS), 1)
}

/** Failed deliveries over thirty days, with their events. */
async function insertDead(sql: Pool, { organizationId, endpointIds }: Tenant): Promise<void> {
  const failedAt = `hub_now() - interval '30 days' * power(n::float8 / ${DEAD}, 3)`
  await sql.unsafe(`
    delete from deliveries where status <> 'succeeded' or replay_of is not null;
    with made as (
      select e.id as endpoint_id, ${failedAt} as at, growth_id(${failedAt}, (random() * 1e12)::bigint) as id
      from unnest('{${endpointIds.join(',')}}'::uuid[]) as e (id)
      cross join generate_series(1, ${DEAD}) n
    ),
    event as (
      insert into events (organization_id, id, kind, channel_id, occurred_at, body)
      select '${organizationId}', id, 'message.received', null, at, '{}' from made
    )
    insert into deliveries
      (organization_id, endpoint_id, id, event_id, event_kind, status, attempts, due_at, created_at)
    select '${organizationId}', endpoint_id, id, id, 'message.received', 'dead', 10, at, at from made`)
}

/** A full log of the organization, in which a hundredth failed, and old requests of others. */
async function insertRequests(sql: Pool, org: string): Promise<void> {
  const columns = `organization_id, number, answered_at, request_id, method, route, path, status, duration_ms,
    credential_type, credential_id`
  const request = (status: string) =>
    `hub_id(), 'GET', '/api/v1/usage', '/api/v1/usage', ${status}, 1, 'api_key', ${org}`
  await sql.unsafe(`
    delete from logged_requests where organization_id = ${org};
    insert into request_log_positions values (${org}, ${LOGGED})
      on conflict (organization_id) do update set written = excluded.written;
    insert into logged_requests (${columns})
      select ${org}, n, hub_now(), ${request('case when n % 100 = 0 then 404 else 200 end')}
      from generate_series(1, ${LOGGED}) n;
    insert into logged_requests (${columns})
      select growth_id('2026-01-01', n), 0, ${ago(8)}, ${request('200')} from generate_series(1, ${EXPIRED}) n
      on conflict do nothing`)
}

/** In place of those that an earlier round deleted, which the job keeps for some minutes. */
async function insertDeletedEndpoint(sql: Pool, org: string): Promise<void> {
  await sql.unsafe(`
    delete from deleted_endpoints;
    with deleted as (
      insert into deleted_endpoints (organization_id, endpoint_id, deleted_at)
      values (${org}, gen_random_uuid(), ${ago(1)})
      returning *
    ),
    delivery as (
      insert into deliveries (organization_id, endpoint_id, id, event_id, event_kind, status, attempts, due_at, created_at)
      select organization_id, endpoint_id, growth_id(hub_now() - n * interval '2 hours', (random() * 1e12)::bigint),
        hub_id(), 'message.received', 'succeeded', 1, hub_now(), hub_now()
      from deleted, generate_series(1, ${EXPIRED}) n
      returning *
    )
    insert into delivery_attempts (organization_id, delivery_id, id, number)
    select organization_id, id, id, 1 from delivery`)
}

/** Queued deliveries of a generation that was canceled, some of them with a claim that has expired. */
async function insertCanceled(sql: Pool, org: string, endpoint: string): Promise<void> {
  await sql.unsafe(`
    update webhook_endpoints set generation = 2, canceled_generation = 1, canceled_at = hub_now()
    where organization_id = ${org} and id = ${endpoint};
    insert into delivery_queue (organization_id, endpoint_id, id, event_id, event_kind, generation, attempts, claim, leased_until)
    select ${org}, ${endpoint}, hub_id(), hub_id(), 'message.received', 1, case when n <= 5 then 1 else 0 end, case when n <= 5 then gen_random_uuid() end,
      case when n <= 5 then ${ago(1)} end
    from generate_series(1, ${EXPIRED}) n`)
}
