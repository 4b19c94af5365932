import type { Fragment, Sql } from '../../../kernel/db/pool.ts'

/** Rows with `waba_id`, `refused` and `refused_at`. */
export type BuildRefusedCounts = (sql: Sql) => Fragment

type CallbackRecord = { last_event_id: string | null; refused: number | null; refused_at: string | null }

/**
 * The last verified callback for the organization's channels of an account, as the id of its event, and the refused
 * callbacks that name the account.
 */
export async function findCallbackRecord(
  sql: Sql,
  key: { organizationId: string; wabaId: string },
  buildRefusedCounts: BuildRefusedCounts,
): Promise<CallbackRecord | undefined> {
  const [row] = await sql<CallbackRecord[]>`
    select v.id as last_event_id, r.refused::float8 as refused, r.refused_at
    from (values (${key.wabaId})) as a (waba_id)
    left join (${buildRefusedCounts(sql)}) r on r.waba_id = a.waba_id
    left join lateral (
      select v.id
      from channels c
      cross join lateral (
        select v.id
        from events v
        where v.organization_id = c.organization_id
          and v.channel_id = c.id
          and v.kind = 'upstream.raw'
        order by v.id desc
        limit 1
      ) v
      where c.organization_id = ${key.organizationId}
        and c.waba_id = a.waba_id
        and c.archived_at is null
      order by v.id desc
      limit 1
    ) v on true`
  return row
}
