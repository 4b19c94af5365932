import { type IdWindow, isInWindow } from '../../../kernel/db/id-windows.ts'
import type { Fragment, Sql } from '../../../kernel/db/pool.ts'
import type { EndpointKey } from '../wake-ups.ts'
import type { Delivery } from './schemas.ts'
import { finalColumns, queuedColumns } from './store.ts'

export type PageFilter = {
  status: string | null
  event: string | null
  /** The first and the last status code; `none` for attempts without a response. */
  http: { from: number; to: number } | 'none' | null
}

export type FoundDelivery = Delivery & { event_id: string }

/** Ids from `fromId` on, and before `before`. At most `scanMax` rows of the key are looked through. */
type Range = EndpointKey & { filter: PageFilter; fromId: string; before: string; scanMax: number; limit: number }

/** `end` is the last row that was looked at, if there may be more behind it. */
type Found = { rows: FoundDelivery[]; end: string | null }

export async function listQueuedPage(sql: Sql, r: Range): Promise<Found> {
  return listFound(
    sql,
    r,
    sql`
      select ${queuedColumns(sql)}, q.event_id
      from webhook_endpoints e
      cross join lateral (
        select *
        from delivery_queue
        where (organization_id, endpoint_id, id) >= (${r.organizationId}, ${r.endpointId}, ${r.fromId})
          and (organization_id, endpoint_id, id) < (${r.organizationId}, ${r.endpointId}, ${r.before})
        order by organization_id desc, endpoint_id desc, id desc
        limit ${r.scanMax}
      ) q
      where e.organization_id = ${r.organizationId}
        and e.id = ${r.endpointId}`,
  )
}

export async function listFinalPage(sql: Sql, r: Range & { window: IdWindow }): Promise<Found> {
  return listFound(
    sql,
    r,
    sql`
      select ${finalColumns(sql)}, d.event_id
      from deliveries d
      where (d.organization_id, d.endpoint_id, d.id) >= (${r.organizationId}, ${r.endpointId}, ${r.fromId})
        and (d.organization_id, d.endpoint_id, d.id) < (${r.organizationId}, ${r.endpointId}, ${r.before})
        and ${isInWindow(sql, r.window)}
      order by d.organization_id desc, d.endpoint_id desc, d.id desc
      limit ${r.scanMax}`,
  )
}

async function listFound(sql: Sql, { filter, scanMax, limit }: Range, scanned: Fragment): Promise<Found> {
  const rows = await sql<(FoundDelivery & { end_id: string | null })[]>`
    with scanned as materialized (${scanned}),
    scan_end as (
      select (select id from scanned order by id desc offset ${scanMax - 1} limit 1) as end_id
    )
    select f.*, x.end_id
    from scan_end x
    left join lateral (
      select *
      from scanned
      where true ${buildConditions(sql, filter)}
      order by id desc
      limit ${limit}
    ) f on true
    order by f.id desc`
  return {
    rows: rows.filter(({ id }) => id !== null).map(({ end_id, ...row }) => row),
    end: rows[0]?.end_id ?? null,
  }
}

function buildConditions(sql: Sql, { status, event, http }: PageFilter): Fragment[] {
  return [
    status === null ? sql`` : sql`and status = ${status}`,
    event === null ? sql`` : sql`and event = ${event}`,
    http === null
      ? sql``
      : http === 'none'
        ? sql`and attempts > 0 and last_http_status is null`
        : sql`and last_http_status between ${http.from} and ${http.to}`,
  ]
}

export type EventSubject = { id: string; channel_id: string | null; body: Buffer | null }

/** Events of one window, with the bodies of those about a message that are not too large to read. */
export async function listEvents(
  sql: Sql,
  e: { organizationId: string; ids: readonly string[]; window: IdWindow; bodyBytesMax: number },
): Promise<EventSubject[]> {
  return sql<EventSubject[]>`
    select id, channel_id,
      case when kind like 'message.%' and octet_length(body) <= ${e.bodyBytesMax} then body end as body
    from events
    where organization_id = ${e.organizationId}
      and id = any(${e.ids}::uuid[])
      and ${isInWindow(sql, e.window)}`
}
