import { isInWindow, type WindowPlace } from '../../../kernel/db/id-windows.ts'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import { rows } from '../../../kernel/db/rows.ts'
import type { TargetChannel } from '../routing.ts'

type Scanned = { scan_end: string; id: string | null; body: Buffer | null }

/**
 * Looks through up to `limit` callbacks and `bytesMax` of them, from the newest on, for those that have one of these
 * texts. Without an organization: a callback may have changes of several. `scan_end` is the last of them.
 */
export async function scanCallbacks(
  sql: Sql,
  s: WindowPlace & { identifiers: readonly string[]; limit: number; bytesMax: number },
): Promise<Scanned[]> {
  return sql<Scanned[]>`
    with scanned as materialized (
      select id, body
      from (
        select id, body, sum(length(body)) over newest as bytes, row_number() over newest as place
        from (
          select id, body
          from callbacks
          where id < ${s.before}
            and ${isInWindow(sql, s.window)}
          order by id desc
          limit ${s.limit}
        ) c
        window newest as (order by id desc)
      ) b
      where place = 1
        or bytes <= ${s.bytesMax}
    )
    select e.id as scan_end, c.id, c.body
    from (select id from scanned order by id limit 1) e
    left join scanned c on exists (
      select
      from unnest(${sql.array([...s.identifiers])}::text[]) as i (identifier)
      where position(convert_to(i.identifier, 'UTF8') in c.body) > 0)`
}

/** The channels of these numbers and accounts. Without an organization: the ids determine it. */
export async function findChannels(
  sql: Sql,
  ids: { phoneNumberIds: string[]; wabaIds: string[] },
): Promise<TargetChannel[]> {
  return sql<TargetChannel[]>`
    select organization_id, channel_id, phone_number_id, waba_id, display_digits
    from channel_numbers
    where phone_number_id = any(${sql.array(ids.phoneNumberIds)}::text[])
      or waba_id = any(${sql.array(ids.wabaIds)}::text[])`
}

/** A callback without a person, and the SHA-256 of the bytes from which it was made. */
export type ReplacedCallback = { id: string; body: Buffer; readHash: Buffer }

/**
 * Replaces callbacks that are as they were read, and returns how many: a concurrent erasure of another person may have
 * replaced one meanwhile, and writing over it would bring that person back.
 */
export async function replaceBodies(tx: Tx, callbacks: readonly ReplacedCallback[]): Promise<number> {
  const { count } = await tx`
    update callbacks c
    set body = r.body
    from ${rows(tx, callbacks, { id: 'uuid', body: 'bytea', readHash: 'bytea' })} as r
    where c.id = r.id
      and sha256(c.body) = r.read_hash`
  return count
}
