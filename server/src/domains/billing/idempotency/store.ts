import type { Json, Sql, Tx } from '../../../kernel/db/pool.ts'

export type Route = 'addons' | 'checkout'

type Key = { organizationId: string; id: string }

/** A row of billing_requests. `answer` is the sealed response. */
type IdempotencyRecord = { id: string; body_hash: Buffer; change: Json | null; answer: string | null }

/**
 * Creates the record, or claims an open one with the same body. An open one whose change is older than `changeHours`
 * begins anew, with another id. Undefined if the record is claimed, has a response or another body.
 */
export async function claimRecord(
  sql: Sql,
  r: Key & { route: Route; key: string; bodyHash: Buffer; seconds: number; changeHours: number },
): Promise<IdempotencyRecord | undefined> {
  const [row] = await sql<IdempotencyRecord[]>`
    insert into billing_requests as r (organization_id, id, route, key, body_hash, claimed_until)
    values (${r.organizationId}, ${r.id}, ${r.route}, ${r.key}, ${r.bodyHash},
      hub_now() + make_interval(secs => ${r.seconds}))
    on conflict (organization_id, route, key) do update
    set claimed_until = excluded.claimed_until,
        id = case when ${isStale(sql, r.changeHours)} then excluded.id else r.id end,
        change = case when ${isStale(sql, r.changeHours)} then null else r.change end,
        changed_at = case when ${isStale(sql, r.changeHours)} then null else r.changed_at end
    where r.answer is null
      and r.claimed_until <= hub_now()
      and r.body_hash = excluded.body_hash
    returning id, body_hash, change, answer`
  return row
}

function isStale(sql: Sql, hours: number) {
  return sql`r.changed_at <= hub_now() - make_interval(hours => ${hours})`
}

export async function findRecord(
  sql: Sql,
  r: { organizationId: string; route: Route; key: string },
): Promise<IdempotencyRecord | undefined> {
  const [row] = await sql<IdempotencyRecord[]>`
    select id, body_hash, change, answer
    from billing_requests
    where organization_id = ${r.organizationId}
      and route = ${r.route}
      and key = ${r.key}`
  return row
}

export async function updateChange(tx: Tx, r: Key & { change: Json }): Promise<void> {
  await tx`
    update billing_requests
    set change = ${tx.json(r.change)}, changed_at = coalesce(changed_at, hub_now())
    where organization_id = ${r.organizationId}
      and id = ${r.id}`
}

export async function updateResponse(tx: Tx, r: Key & { sealedResponse: string }): Promise<void> {
  await tx`
    update billing_requests
    set answer = ${r.sealedResponse}, claimed_until = null
    where organization_id = ${r.organizationId}
      and id = ${r.id}`
}

/** Opens the record for a retry. Without a stored change none was sent to the provider, so the key becomes free. */
export async function releaseRecord(sql: Sql, r: Key): Promise<void> {
  await sql`
    with freed as (
      delete from billing_requests
      where organization_id = ${r.organizationId}
        and id = ${r.id}
        and answer is null
        and change is null
    )
    update billing_requests
    set claimed_until = hub_now()
    where organization_id = ${r.organizationId}
      and id = ${r.id}
      and answer is null
      and change is not null`
}

/** Deletes up to `limit` records past their retention and returns how many. */
export async function deleteOldRecords(sql: Sql, d: { days: number; limit: number }): Promise<number> {
  const result = await sql`
    delete from billing_requests
    where ctid = any(array(
      select ctid
      from billing_requests
      where created_at < hub_now() - make_interval(days => ${d.days})
      limit ${d.limit}))`
  return result.count
}
