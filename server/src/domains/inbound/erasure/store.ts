import { isInWindow, limitBytes, type WindowPlace } from '../../../kernel/db/id-windows.ts'
import type { Fragment, Sql, Tx } from '../../../kernel/db/pool.ts'
import { rows } from '../../../kernel/db/rows.ts'

type Scanned = { scan_end: string; id: string | null; body: Buffer | null }

type Page = WindowPlace & { organizationId: string; limit: number; bytesMax: number }

/** A page of the callbacks that have changes of an organization, or may have: newest first. */
const selectPage = (sql: Sql, p: Page) => {
  const selectOwned = (isOwned: Fragment) => sql`
    (select id, body
    from callbacks
    where organization_id ${isOwned}
      and id < ${p.before}
      and ${isInWindow(sql, p.window)}
    order by organization_id desc, id desc
    limit ${p.limit})`
  const rows = sql`
    select id, body
    from (${selectOwned(sql`= ${p.organizationId}`)} union all ${selectOwned(sql`is null`)}) c
    order by id desc
    limit ${p.limit}`
  return limitBytes(sql, rows, p.bytesMax)
}

/**
 * Looks through up to `limit` callbacks and `bytesMax` of them, from the newest on, for those that have one of these
 * texts. `scan_end` is the last of them.
 */
export async function scanCallbacks(sql: Sql, s: Page & { identifiers: readonly string[] }): Promise<Scanned[]> {
  return sql<Scanned[]>`
    with scanned as materialized (
      select id, body
      from (${selectPage(sql, s)}) c
    )
    select e.id as scan_end, c.id, c.body
    from (select id from scanned order by id limit 1) e
    left join scanned c on exists (
      select
      from unnest(${s.identifiers}::text[]) as i (identifier)
      where position(convert_to(i.identifier, 'UTF8') in c.body) > 0)`
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
