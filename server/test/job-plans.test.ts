import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { parseRateCards } from '../src/domains/costs/rates/rate-card.ts'
import { createPartitions } from '../src/kernel/db/partitions.ts'
import { newId } from '../src/kernel/ids.ts'
import { startHub } from './hub.ts'
import { createChannel } from './hub-with-upstream.ts'
import { countBlocksRead, countRowsRead, explainStatement, openRecordingPool } from './query-plans.ts'

/** Rows of each table that no job has to do anything with. */
const ROWS = 2000
/** Limits what a statement may read to delete or change a few rows. */
const ROWS_READ_MAX = 100
const BLOCKS_READ_MAX = 1000
/** With a partition for each. */
const DAYS = 35
const DAY_MS = 86_400_000
const REPEATABLE = /^\s*(select|with|update|delete)\b/
/** It has a row for each partition and index, and as many blocks as other tests of the server have left there. */
const CATALOG = /\bpg_inherits\b/

const RATE_CARDS =
  '[{"currency":"BRL","valid_from":"2020-01-01","rates":[{"country":"*","category":"marketing","amount":1}]}]'

async function startFilled(t: TestContext) {
  const { sql, statements } = await openRecordingPool(t)
  const hub = await startHub(t, {
    installation: { sql, rateCards: parseRateCards(RATE_CARDS) },
    hasTimers: false,
    env: { WEBHOOK_ALLOWED_DESTINATIONS: '127.0.0.1:9' },
  })
  const acme = await hub.organization()
  const channel = await createChannel(acme)
  const webhook = await acme.post('/api/v1/webhooks', { name: 'log', url: 'http://127.0.0.1:9' })
  const [org, channelId, deletedId] = [`'${acme.organizationId}'::uuid`, `'${channel.id}'::uuid`, `'${newId()}'::uuid`]
  const webhookId = `'${webhook.body.data.webhook.id}'::uuid`
  const delivery = `hub_id(), 'message.sent', 'succeeded', 1, hub_now(), hub_now()`
  const idOfDay = `(lpad(to_hex((extract(epoch from hub_now()) * 1000)::bigint - n % ${DAYS} * ${DAY_MS}), 12, '0')
    || '70008000' || lpad(to_hex(n), 12, '0'))::uuid`
  await createPartitions(hub.sql, 'messages', new Date(hub.clock.now().getTime() - DAYS * DAY_MS), DAYS)

  await hub.sql.unsafe(`
    insert into organizations (id, name) select hub_id(), 'Other' from generate_series(1, ${ROWS});
    insert into credentials (organization_id, id, kind, name, last4, scopes, revoked_at)
      select ${org}, hub_id(), 'api_key', 'key', '0000', '{}', hub_now() from generate_series(1, ${ROWS});
    insert into audit_entries (organization_id, id, action, actor_type, target_type, target_id)
      select id, hub_id(), 'webhook.created', 'system', 'webhook', 'x' from organizations;
    insert into channels (organization_id, id, name, status, checked_at)
      select id, hub_id(), 'Other', 'active', hub_now() from organizations;
    insert into messages (organization_id, channel_id, id, direction, type, status)
      select organization_id, id, ${idOfDay}, 'outbound', 'text', 'unknown'
      from (select *, row_number() over () as n from channels) c;
    insert into unsettled_sends (organization_id, channel_id, message_id)
      select organization_id, channel_id, id from messages;
    insert into webhook_endpoints
      (organization_id, id, name, url, secret, event_types, payload_mode, delivery_format, all_channels)
      select id, hub_id(), 'Other', 'https://x.example', '', '{}', 'normalized', 'native', true from organizations;
    insert into listeners (organization_id, id, secret_hash, event_types, payload_mode, expires_at)
      select id, hub_id(), '', '{}', 'normalized', hub_now() + interval '1 hour' from organizations;
    insert into message_counts select id, hub_id(), hub_now(), 1, 1, 1, 1, 1 from organizations;
    update channels set monthly_budget = 1;
    insert into cost_totals select organization_id, id, hub_now()::date, 'marketing', 'regular', 'BR', 1 from channels;
    insert into cost_alerts
      select organization_id, id, date_trunc('month', hub_now())::date, percent
      from channels, unnest('{80,100}'::int[]) percent;
    insert into error_counts select id, hub_now(), hub_id(), '131047', 1, hub_now() from organizations;
    insert into attempt_counts select id, hub_id(), hub_now(), 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0 from organizations;
    insert into request_log_positions select id, 20000 from organizations
      on conflict (organization_id) do update set written = excluded.written;
    insert into logged_requests (organization_id, number, answered_at, request_id, method, route, path, status,
      duration_ms, credential_type, credential_id)
      select id, 20000, hub_now(), id, 'GET', '/', '/', 200, 1, 'api_key', id from organizations
      union all
      select ${org}, n, hub_now(), ${org}, 'GET', '/', '/', 200, 1, 'api_key', ${org}
      from generate_series(10001, 10000 + ${ROWS}) n;
    insert into channel_activity select organization_id, id, hub_now(), hub_now() from channels;
    insert into listener_deliveries (organization_id, listener_id, id, event_id, event_kind)
      select organization_id, id, hub_id(), hub_id(), 'message.sent' from listeners;
    insert into connect_links (organization_id, id, channel_id, expires_at)
      select ${org}, hub_id(), ${channelId}, hub_now() from generate_series(1, ${ROWS});
    insert into channel_media (organization_id, channel_id, media_id)
      select ${org}, ${channelId}, n::text from generate_series(1, ${ROWS}) n;
    insert into upload_sessions (organization_id, channel_id, id, credential_id, file_name, file_bytes, expires_at)
      select ${org}, ${channelId}, n::text, ${org}, 'a.png', 1, hub_now() + interval '1 hour'
      from generate_series(1, ${ROWS}) n;
    insert into usage_totals (organization_id, counter, since, amount)
      select id, 'deliveries', hub_now(), 1 from organizations;
    insert into refused_callbacks (waba_id, refused, refused_at)
      select gen_random_uuid(), 1, hub_now() from generate_series(1, ${ROWS});
    insert into deliveries (organization_id, endpoint_id, id, event_id, event_kind, status, attempts, due_at, created_at)
      select ${org}, ${webhookId}, hub_id(), ${delivery} from generate_series(1, ${ROWS});
    insert into delivery_attempts (organization_id, delivery_id, id, number)
      select organization_id, id, id, 1 from deliveries`)

  /** A row for each job. */
  const insertExpired = () =>
    hub.sql.unsafe(`
      insert into audit_entries (organization_id, id, action, actor_type, target_type, target_id)
        values (${org}, '00000000-0000-7000-8000-000000000001', 'webhook.created', 'system', 'webhook', 'x')
        on conflict do nothing;
      insert into credentials (organization_id, id, kind, name, last4, scopes, revoked_at)
        values (${org}, '00000000-0000-7000-8000-000000000001', 'api_key', 'key', '0000', '{}', 'epoch')
        on conflict do nothing;
      insert into listeners (organization_id, id, secret_hash, event_types, payload_mode, expires_at)
        values (${org}, '00000000-0000-7000-8000-000000000001', '', '{}', 'normalized', 'epoch')
        on conflict do nothing;
      insert into listener_deliveries (organization_id, listener_id, id, event_id, event_kind)
        values (${org}, '00000000-0000-7000-8000-000000000001', ${org}, hub_id(), 'message.sent')
        on conflict do nothing;
      with send as (
        insert into messages (organization_id, channel_id, id, direction, type, status)
        values (${org}, ${channelId}, hub_id(), 'outbound', 'text', 'sending')
        returning *)
      insert into unsettled_sends (organization_id, channel_id, message_id, sending_until)
        select organization_id, channel_id, id, 'epoch' from send;
      insert into connect_links (organization_id, id, channel_id, expires_at)
        values (${org}, '00000000-0000-7000-8000-000000000001', ${channelId}, 'epoch')
        on conflict do nothing;
      insert into channel_media (organization_id, channel_id, media_id, created_at)
        values (${org}, ${channelId}, 'old', 'epoch')
        on conflict do nothing;
      insert into upload_sessions (organization_id, channel_id, id, credential_id, file_name, file_bytes, expires_at)
        values (${org}, ${channelId}, 'old', ${org}, 'a.png', 1, 'epoch')
        on conflict do nothing;
      insert into usage_totals (organization_id, counter, since, amount) values (${org}, 'deliveries', 'epoch', 1)
        on conflict do nothing;
      insert into cost_totals values (${org}, ${channelId}, 'epoch', 'marketing', 'regular', 'BR', 1) on conflict do nothing;
      insert into cost_alerts values (${org}, ${channelId}, 'epoch', 80) on conflict do nothing;
      insert into cost_deltas (organization_id, channel_id, day, category, type, country, volume)
        values (${org}, ${channelId}, hub_now()::date, 'marketing', 'regular', 'BR', 1);
      insert into cost_checks (organization_id, channel_id, month)
        values (${org}, ${channelId}, date_trunc('month', hub_now())::date);
      insert into message_counts values (${org}, ${channelId}, 'epoch', 1, 1, 1, 1, 1, 0) on conflict do nothing;
      insert into error_counts values (${org}, 'epoch', ${channelId}, '131047', 1, 'epoch') on conflict do nothing;
      insert into attempt_counts values (${org}, ${webhookId}, 'epoch', 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0)
        on conflict do nothing;
      insert into message_count_deltas
        (organization_id, channel_id, error_code, sent, delivered, read, failed, received)
        values (${org}, ${channelId}, '131047', 0, 0, 0, 1, 0);
      insert into logged_requests (organization_id, number, answered_at, request_id, method, route, path, status,
        duration_ms, credential_type, credential_id)
        values (${org}, 0, 'epoch', ${org}, 'GET', '/', '/', 200, 1, 'api_key', ${org})
        on conflict do nothing;
      insert into refused_callbacks (waba_id, refused, refused_at) values ('old', 1, 'epoch')
        on conflict do nothing;
      insert into deleted_endpoints (organization_id, endpoint_id) values (${org}, ${deletedId})
        on conflict do nothing;
      with old as (
        insert into deliveries
          (organization_id, endpoint_id, id, event_id, event_kind, status, attempts, due_at, created_at)
        values (${org}, ${deletedId}, hub_id(), ${delivery})
        returning *)
      insert into delivery_attempts (organization_id, delivery_id, id, number)
        select organization_id, id, id, 1 from old`)
  await insertExpired()
  await hub.sql`analyze`

  /** The statements of `work`, each with the rows that it reads when it runs again. */
  async function explain(work: () => Promise<unknown>) {
    await insertExpired()
    statements.length = 0
    // A request to log.
    await acme.get('/api/v1/usage')
    await work()
    const sent = statements.filter(({ text }) => REPEATABLE.test(text) && !CATALOG.test(text))
    await insertExpired()
    const plans = []
    for (const statement of sent) plans.push({ ...statement, plan: await explainStatement(sql, statement) })
    return plans
  }
  return { hub, acme, explain }
}

test('no job, and no revocation of a key, reads the rows that it leaves alone', async (t) => {
  const { hub, acme, explain } = await startFilled(t)
  const created = await acme.post('/api/v1/api-keys', { name: 'ci', scopes: ['audit:read'] })
  const revoke = () => acme.post(`/api/v1/api-keys/${created.body.data.api_key.id}/revoke`)

  for (const { name, run } of [...hub.jobs, { name: 'a revocation', run: revoke }]) {
    for (const { text, plan } of await explain(run)) {
      const read = countRowsRead(plan)
      assert.ok(read <= ROWS_READ_MAX, `${name} reads ${read} rows:\n${text}\n${JSON.stringify(plan)}`)
      const blocks = countBlocksRead(plan)
      assert.ok(blocks <= BLOCKS_READ_MAX, `${name} reads ${blocks} blocks:\n${text}\n${JSON.stringify(plan)}`)
    }
  }
})
