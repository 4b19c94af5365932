import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import type { InspectorAnswer } from '../attempts/inspector-answer.ts'
import type { EndpointStatus } from '../endpoints/schemas.ts'
import type { EndpointKey } from '../wake-ups.ts'
import type { InspectedRequest } from './schemas.ts'

export type StoredInspector = {
  id: string
  status: EndpointStatus
  answer: InspectorAnswer
  consecutive_failures: number
  secret: string
  created_at: string
  expires_at: string
}

/** The inspector of an organization. One whose time is over is gone, also before the job has deleted it. */
export async function findInspector(
  sql: Sql,
  i: { organizationId: string; lifeHours: number },
): Promise<StoredInspector | undefined> {
  const [row] = await sql<StoredInspector[]>`
    select e.id, e.status, e.inspector_answer as answer, coalesce(h.consecutive_failures, 0) as consecutive_failures,
      e.secret, e.created_at, e.created_at + make_interval(hours => ${i.lifeHours}) as expires_at
    from webhook_endpoints e
    left join webhook_endpoint_health h on h.organization_id = e.organization_id and h.endpoint_id = e.id
    where e.organization_id = ${i.organizationId}
      and e.inspector_answer is not null
      and e.created_at > hub_now() - make_interval(hours => ${i.lifeHours})`
  return row
}

/** It receives every event of every channel, in the native format. */
export async function insertInspector(
  tx: Tx,
  i: { organizationId: string; id: string; name: string; sealedSecret: string },
): Promise<void> {
  await tx`
    insert into webhook_endpoints
      (organization_id, id, name, url, secret, event_types, payload_mode, delivery_format, media_urls, all_channels,
       inspector_answer)
    values
      (${i.organizationId}, ${i.id}, ${i.name}, '', ${i.sealedSecret}, '{}', 'normalized', 'native', 'upstream', true,
       '200')`
}

/** The new version makes workers reload the answer, so that no later claim has an older one. */
export async function updateInspector(
  tx: Tx,
  key: EndpointKey,
  c: { answer: InspectorAnswer | null; isResumed: boolean },
): Promise<{ was: EndpointStatus } | undefined> {
  const [row] = await tx<{ was: EndpointStatus }[]>`
    with before as (
      select status
      from webhook_endpoints
      where organization_id = ${key.organizationId}
        and id = ${key.endpointId}
        and inspector_answer is not null
      for update
    )
    update webhook_endpoints e
    set inspector_answer = coalesce(${c.answer}, e.inspector_answer),
        status = case when ${c.isResumed} then 'active' else e.status end,
        generation = case when ${c.isResumed} and b.status <> 'active' then e.generation + 1 else e.generation end,
        paused_at = case when ${c.isResumed} then null else e.paused_at end,
        version = e.version + 1,
        updated_at = hub_now()
    from before b
    where e.organization_id = ${key.organizationId}
      and e.id = ${key.endpointId}
    returning b.status as was`
  return row
}

/** Its channel links and pauses are deleted with it; retention deletes its log by `deleted_endpoints`. */
export async function deleteInspector(tx: Tx, organizationId: string): Promise<{ id: string } | undefined> {
  const [row] = await tx<{ id: string }[]>`
    with deleted as (
      delete from webhook_endpoints
      where organization_id = ${organizationId}
        and inspector_answer is not null
      returning organization_id, id
    ),
    recorded as (
      insert into deleted_endpoints (organization_id, endpoint_id)
      select organization_id, id
      from deleted
    )
    select id
    from deleted`
  return row
}

/** Deletes up to `limit` inspectors that are at least this old, as `deleteInspector` does, and returns how many. */
export async function deleteExpired(sql: Sql, d: { lifeHours: number; limit: number }): Promise<number> {
  const rows = await sql`
    with expired as (
      select organization_id, id
      from webhook_endpoints
      where inspector_answer is not null
        and created_at <= hub_now() - make_interval(hours => ${d.lifeHours})
      limit ${d.limit}
      for update skip locked
    ),
    deleted as (
      delete from webhook_endpoints e
      using expired x
      where e.organization_id = x.organization_id
        and e.id = x.id
      returning e.organization_id, e.id
    )
    insert into deleted_endpoints (organization_id, endpoint_id)
    select organization_id, id
    from deleted
    returning endpoint_id`
  return rows.length
}

/** The attempts of the newest deliveries, newest first. `firstId` is below all ids since the inspector was created. */
export async function listRequests(
  sql: Sql,
  key: EndpointKey & { firstId: string; limit: number },
): Promise<InspectedRequest[]> {
  return sql<InspectedRequest[]>`
    select d.id as delivery_id, d.event, a.number as attempt, a.http_status, a.error_code,
      (select length(v.body) from events v where v.organization_id = ${key.organizationId} and v.id = d.event_id) as bytes,
      (a.timings ->> 'total_ms')::int as total_ms, a.ended_at as received_at, d.status as delivery_status,
      d.next_attempt_at
    from (
      (select q.id, q.event_id, q.event_kind as event,
        case when q.claim is not null then 'processing' when q.attempts = 0 then 'pending' else 'retry' end as status,
        q.due_at as next_attempt_at
      from delivery_queue q
      where q.organization_id = ${key.organizationId} and q.endpoint_id = ${key.endpointId}
      order by q.id desc
      limit ${key.limit})
      union all
      (select f.id, f.event_id, f.event_kind, f.status, f.due_at
      from deliveries f
      where f.organization_id = ${key.organizationId} and f.endpoint_id = ${key.endpointId} and f.id >= ${key.firstId}
      order by f.id desc
      limit ${key.limit})
    ) d
    cross join lateral (
      select number, http_status, error_code, timings, ended_at
      from delivery_attempts
      where organization_id = ${key.organizationId}
        and delivery_id = d.id
        and id >= ${key.firstId}
    ) a
    order by a.ended_at desc, d.id desc
    limit ${key.limit}`
}
