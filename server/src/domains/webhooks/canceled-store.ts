import type { Fragment, Sql } from '../../kernel/db/pool.ts'

/** The end of a statement whose part `dequeued` deletes deliveries from the queue: moves them into the log as canceled. */
export function logDequeued(sql: Sql): Fragment {
  return sql`
    insert into deliveries (organization_id, endpoint_id, id, event_id, event_kind, replay_of, status, attempts, due_at,
      last_http_status, last_error_code, created_at)
    select organization_id, endpoint_id, id, event_id, event_kind, replay_of, 'canceled', attempts,
      coalesce(last_attempt_due_at, due_at), last_http_status, last_error_code, created_at
    from dequeued
    returning id`
}
