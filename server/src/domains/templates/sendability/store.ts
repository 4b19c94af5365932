import type { Fragment, Sql } from '../../../kernel/db/pool.ts'
import { rows } from '../../../kernel/db/rows.ts'
import type { UnsendableStatus } from './report.ts'

export type StatusRow = {
  organizationId: string
  wabaId: string
  name: string
  language: string
  status: UnsendableStatus | null
  hours: number
  isTimed: boolean
  isFromCallback: boolean
  reportedAt: string
}

/**
 * Records what the upstream reports, one row for each template, in the order of the keys, so that two writers do not deadlock.
 *
 * An older report changes nothing, unless it says for how long the same pause lasts. A report that repeats what is remembered does
 * not make it last longer. That a template can be sent is kept where a callback said it, so that an older report which arrives later
 * cannot undo it; a listing, which has many such templates, only ends what is remembered.
 */
export async function recordStatuses(sql: Sql, reports: StatusRow[]): Promise<void> {
  const columns = {
    organizationId: 'uuid',
    wabaId: 'text',
    name: 'text',
    language: 'text',
    status: 'text',
    hours: 'int',
    isTimed: 'boolean',
    isFromCallback: 'boolean',
    reportedAt: 'timestamptz',
  } as const
  const isRepeated = sql`u.status = excluded.status and u.until > excluded.reported_at and not excluded.is_timed`
  await sql`
    insert into unsendable_templates as u
      (organization_id, waba_id, name, language, status, since, until, is_timed, reported_at)
    select r.organization_id, r.waba_id, r.name, r.language, r.status, r.reported_at,
      r.reported_at + make_interval(hours => r.hours), r.is_timed, r.reported_at
    from ${rows(sql, reports, columns)} as r
    where r.status is not null
      or r.is_from_callback
      or exists (
        select
        from unsendable_templates k
        where k.organization_id = r.organization_id
          and k.waba_id = r.waba_id
          and k.name = r.name
          and k.language = r.language)
    order by 1, 2, 3, 4
    on conflict (organization_id, waba_id, name, language) do update
    set status = excluded.status,
        since = case when ${isRepeated} then u.since else excluded.since end,
        until = case when ${isRepeated} then u.until else excluded.until end,
        is_timed = case when ${isRepeated} then u.is_timed else excluded.is_timed end,
        reported_at = greatest(u.reported_at, excluded.reported_at)
    where u.reported_at <= excluded.reported_at
      or (u.status = excluded.status and not u.is_timed and excluded.is_timed and excluded.until > u.since)`
}

/** The status with which a template cannot be sent, if there is one: a part of another domain's statement. */
export function buildUnsendableLookup(
  sql: Sql,
  key: { organizationId: Fragment; wabaId: Fragment; name: Fragment; language: Fragment },
): Fragment {
  return sql`
    select t.status, t.since
    from unsendable_templates t
    where t.organization_id = ${key.organizationId}
      and t.waba_id = ${key.wabaId}
      and t.name = ${key.name}
      and t.language = ${key.language}
      and t.status is not null
      and t.until > hub_now()
    limit 1`
}

/** Deletes up to `limit` reports that were forgotten a day ago, and returns how many. */
export async function deleteOld(sql: Sql, limit: number): Promise<number> {
  const result = await sql`
    delete from unsendable_templates
    where ctid = any(array(
      select ctid
      from unsendable_templates
      where until < hub_now() - interval '1 day'
      order by until
      limit ${limit}))`
  return result.count
}
