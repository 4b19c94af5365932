import type { Pool, Tx } from '../src/kernel/db/pool.ts'

/** Rows in each of the tables that grow. What takes long with millions of them reads them all, however few they are. */
const ROWS = 1000
const ROWS_MAX = 500

/** Locks that a write waits for. */
const BLOCKING = ['ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock']

/** Fills the tables that sends, callbacks and deliveries read and write, as they were when the rule began. */
export async function fillLogs(sql: Pool): Promise<void> {
  await sql.unsafe(`
    create temporary table n as select hub_id() as id, gen_random_uuid() as org, n::text as name
      from generate_series(1, ${ROWS}) n;
    insert into organizations (id, name) select org, name from n;
    insert into messages (organization_id, channel_id, id, direction, type, status)
      select org, id, id, 'outbound', 'text', 'sent' from n;
    insert into message_wamids (organization_id, channel_id, wamid, message_id) select org, id, name, id from n;
    insert into message_keys (organization_id, channel_id, key, body_hash, message_id) select org, id, name, '', id from n;
    insert into unsettled_sends (organization_id, channel_id, message_id) select org, id, id from n;
    insert into seen_changes (organization_id, channel_id, fingerprint) select org, id, id from n;
    insert into callbacks (id, body) select id, '' from n;
    insert into events (organization_id, channel_id, id, kind, occurred_at, body)
      select org, id, id, 'message.sent', now(), '' from n;
    insert into delivery_queue (organization_id, endpoint_id, id, event_id, event_kind, generation)
      select org, id, id, id, 'message.sent', 1 from n;
    insert into deliveries (organization_id, endpoint_id, id, event_id, event_kind, status, attempts, due_at, created_at)
      select org, id, id, id, 'message.sent', 'succeeded', 1, now(), now() from n;
    insert into delivery_attempts (organization_id, delivery_id, id, number) select org, id, id, 1 from n;
    insert into audit_entries (organization_id, id, action, actor_type, target_type, target_id)
      select org, id, 'webhook.created', 'system', 'webhook', 'x' from n;
    insert into channel_media (organization_id, channel_id, media_id) select org, id, name from n;
    insert into credentials (organization_id, id, kind, name, last4, scopes) select org, id, 'api_key', name, '0000', '{}' from n;
    insert into credential_hashes (token_hash, organization_id, credential_id) select sha256(name::bytea), org, id from n;
    insert into channels (organization_id, id, name, status) select org, id, name, 'active' from n;
    insert into channel_numbers (phone_number_id, waba_id, display_digits, organization_id, channel_id)
      select name, name, name, org, id from n;
    insert into webhook_endpoints
      (organization_id, id, name, url, secret, event_types, payload_mode, delivery_format, all_channels)
      select org, id, name, 'https://a.example', '', '{}', 'normalized', 'native', true from n;
    insert into webhook_endpoint_channels (organization_id, endpoint_id, channel_id) select org, id, id from n;
    insert into webhook_endpoint_health (organization_id, endpoint_id, consecutive_failures) select org, id, 1 from n;
    drop table n`)
}

type Work = { table: string; read: number; changed: number }

/**
 * Runs the statements of a migration, and returns why they would hold up writes of a large table: they read many rows while
 * a lock keeps writes out, or lock many rows themselves. It measures rows, not time, so that it does not depend on the
 * machine.
 */
export async function findBlockingWork(tx: Tx, statements: string): Promise<string[]> {
  const existing = await tx<{ oid: number }[]>`select oid::int from pg_class where relkind in ('r', 'p')`
  const before = await measureWork(tx)
  await tx.unsafe(statements)
  const done = (await measureWork(tx)).map((work) => {
    const known = before.find(({ table }) => table === work.table)
    return { ...work, read: work.read - (known?.read ?? 0), changed: work.changed - (known?.changed ?? 0) }
  })
  const locked = await tx<{ table: string }[]>`
    select distinct relation::regclass::text as table
    from pg_locks
    where pid = pg_backend_pid()
      and mode = any(${BLOCKING})
      and relation::int = any(${existing.map(({ oid }) => oid)})`
  return done.flatMap(({ table, read, changed }) => [
    ...(changed > ROWS_MAX ? [`changes every row of ${table} in one transaction`] : []),
    ...(read > ROWS_MAX && locked.length > 0 ? [`reads every row of ${table} while writes wait`] : []),
  ])
}

/** By this session since the server last collected it, which happens only between transactions. */
async function measureWork(tx: Tx): Promise<Work[]> {
  return tx<Work[]>`
    select relid::regclass::text as table,
      (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read,
      (n_tup_ins + n_tup_upd + n_tup_del)::int as changed
    from pg_stat_xact_user_tables`
}
