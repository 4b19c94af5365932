import type { Sql } from '../../../kernel/db/pool.ts'

/** Beyond this the exact number says nothing more, and costs too much to count. */
const COUNTED_MAX = 100_000

/** How many deliveries are not over, and for how long the one that is due longest has waited. */
export async function readFigures(sql: Sql): Promise<{ depth: number; oldest_due_seconds: number }> {
  const [row] = await sql<{ depth: number; oldest_due_seconds: number }[]>`
    with recursive first_turns as (
      (select organization_id, endpoint_id, turn_at, due_at
       from delivery_queue
       where claim is null
       order by organization_id, endpoint_id, turn_at
       limit 1)
      union all
      select n.organization_id, n.endpoint_id, n.turn_at, n.due_at
      from first_turns f
      cross join lateral (
        select q.organization_id, q.endpoint_id, q.turn_at, q.due_at
        from delivery_queue q
        where q.claim is null
          and (q.organization_id, q.endpoint_id) > (f.organization_id, f.endpoint_id)
        order by q.organization_id, q.endpoint_id, q.turn_at
        limit 1
      ) n
    )
    select (select count(*)::int from (select 1 from delivery_queue limit ${COUNTED_MAX}) q) as depth,
      coalesce(extract(epoch from hub_now() - min(f.due_at)), 0)::float8 as oldest_due_seconds
    from first_turns f
    join webhook_endpoints e on e.organization_id = f.organization_id and e.id = f.endpoint_id and e.status = 'active'
    where f.turn_at <= hub_now()`
  return row ?? { depth: 0, oldest_due_seconds: 0 }
}
