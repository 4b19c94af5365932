import type { Sql } from '../../../../kernel/db/pool.ts'
import type { PaymentCallback } from '../../../../payments/payments.ts'

/** False where the event came before: however often it is sent, it counts once. */
export async function insertEvent(sql: Sql, { id, type, customerId }: PaymentCallback): Promise<boolean> {
  const rows = await sql`
    insert into payment_events (id, type, customer_id)
    values (${id}, ${type}, ${customerId})
    on conflict (id) do nothing
    returning id`
  return rows.length === 1
}

export async function markHandled(sql: Sql, ids: readonly string[]): Promise<void> {
  await sql`
    update payment_events
    set handled_at = hub_now()
    where id = any(${sql.array([...ids])}::text[])`
}

/** Events whose effect failed at first. */
export async function listOpenEvents(
  sql: Sql,
  l: { olderSeconds: number; limit: number },
): Promise<{ id: string; customer_id: string | null }[]> {
  return sql<{ id: string; customer_id: string | null }[]>`
    select id, customer_id
    from payment_events
    where handled_at is null
      and received_at <= hub_now() - make_interval(secs => ${l.olderSeconds})
    order by received_at
    limit ${l.limit}`
}

/** Up to `limit` events that the provider does not repeat any more. Returns how many went. */
export async function deleteOldEvents(sql: Sql, d: { days: number; limit: number }): Promise<number> {
  const result = await sql`
    delete from payment_events
    where ctid = any(array(
      select ctid
      from payment_events
      where handled_at is not null
        and received_at < hub_now() - make_interval(days => ${d.days})
      limit ${d.limit}))`
  return result.count
}
