import { isInWindow, type WindowPlace } from '../../../kernel/db/id-windows.ts'
import type { Sql } from '../../../kernel/db/pool.ts'

export type KeptEvent = { id: string; kind: string; channel_id: string | null; occurred_at: string; body: Buffer }

/** Newest first, up to a total of bytes, but the first in any case. PostgreSQL knows the length of a body without reading it. */
export async function listEvents(
  sql: Sql,
  r: WindowPlace & { organizationId: string; limit: number; bytesMax: number },
): Promise<KeptEvent[]> {
  return sql<KeptEvent[]>`
    select id, kind, channel_id, occurred_at, body
    from (
      select id, kind, channel_id, occurred_at, body,
        sum(length(body)) over newest as bytes, row_number() over newest as place
      from (
        select id, kind, channel_id, occurred_at, body
        from events
        where organization_id = ${r.organizationId}
          and id < ${r.before}
          and ${isInWindow(sql, r.window)}
        order by organization_id desc, id desc
        limit ${r.limit}
      ) e
      window newest as (order by id desc)
    ) b
    where place = 1
      or bytes <= ${r.bytesMax}
    order by id desc`
}
