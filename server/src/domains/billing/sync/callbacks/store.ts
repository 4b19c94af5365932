import type { Sql } from '../../../../kernel/db/pool.ts'
import type { PaymentEvent } from '../../../../payments/payments.ts'

/** False if the event is already stored: the provider may send it several times. */
export async function insertEvent(sql: Sql, { id, type, customerId }: PaymentEvent): Promise<boolean> {
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
    where id = any(${ids}::text[])`
}

type OpenEvent = { id: string; customer_id: string | null }

/** Events that could not be handled when they arrived. */
export async function listOpenEvents(sql: Sql, l: { olderSeconds: number; limit: number }): Promise<OpenEvent[]> {
  return sql<OpenEvent[]>`
    select id, customer_id
    from payment_events
    where handled_at is null
      and received_at <= hub_now() - make_interval(secs => ${l.olderSeconds})
    order by received_at
    limit ${l.limit}`
}

/** Deletes up to `limit` handled events and returns how many: after that time the provider no longer repeats them. */
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
