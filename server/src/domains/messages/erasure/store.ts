import { isInWindow, type WindowPlace } from '../../../kernel/db/id-windows.ts'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import { rows } from '../../../kernel/db/rows.ts'
import { unionAll } from '../../../kernel/db/union-all.ts'
import { ERASED } from '../inbound-updates/apply.ts'
import { fromLog } from '../log/store.ts'
import type { MessageRow } from '../message-entry.ts'

export type Candidate = Pick<
  MessageRow,
  'id' | 'channel_id' | 'direction' | 'status' | 'type' | 'sender' | 'recipient' | 'contact' | 'error'
> & { content: string | null }

type Scanned = Candidate & { scan_end: string; candidate_id: string | null }

/** Looks through `limit` messages, from the newest on, for those that may be a person's. `scan_end` is the last of them. */
export async function scanMessages(
  sql: Sql,
  s: WindowPlace & { organizationId: string; identifiers: readonly string[]; limit: number },
): Promise<Scanned[]> {
  const newest = fromLog(
    sql,
    (table) => sql`
      select id, channel_id, direction, status, type, sender, recipient, contact, error, content
      from ${table}
      where organization_id = ${s.organizationId}
        and id < ${s.before}
        and ${isInWindow(sql, s.window)}
      order by organization_id desc, id desc
      limit ${s.limit}`,
  )
  return sql<Scanned[]>`
    with scanned as materialized (
      select *
      from (${unionAll(sql, newest)}) m
      order by id desc
      limit ${s.limit}
    )
    select e.id as scan_end, c.id as candidate_id, c.id, c.channel_id, c.direction, c.status, c.type, c.sender, c.recipient,
      c.contact, c.error, c.content::text
    from (select id from scanned order by id limit 1) e
    left join scanned c on
      ltrim(c.sender, '+') = any(${s.identifiers}::text[])
      or c.recipient = any(${s.identifiers}::text[])
      or regexp_replace(c.recipient, '\\D', '', 'g') = any(${s.identifiers}::text[])
      or exists (select from unnest(${s.identifiers}::text[]) as i (identifier) where strpos(c.contact::text, i.identifier) > 0)`
}

export type ErasedMessage = { channelId: string; id: string; error: MessageRow['error'] }

/**
 * Erases what messages have of their person, and returns those that it erased: not those whose send is in progress, with or
 * without a row of the log. They
 * are locked in the order of their ids, like by callbacks, so that the two cannot deadlock.
 */
export async function eraseMessages(
  tx: Tx,
  organizationId: string,
  messages: readonly ErasedMessage[],
): Promise<{ id: string; direction: 'inbound' | 'outbound' }[]> {
  const sorted = messages.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return tx<{ id: string; direction: 'inbound' | 'outbound' }[]>`
    with locked as materialized (
      select f.id, f.place, r.error
      from ${rows(tx, sorted, { channelId: 'uuid', id: 'uuid', error: 'json' })} as r
      cross join lateral (
        select m.id, m.ctid as place
        from messages m
        where m.organization_id = ${organizationId}
          and m.channel_id = r.channel_id
          and m.id = r.id
          and m.id between ${sorted[0]?.id ?? null}::uuid and ${sorted.at(-1)?.id ?? null}::uuid
          and m.status <> 'sending'
        limit 1
        for update
      ) f
    )
    update messages m
    set sender = case direction when 'outbound' then sender end,
        recipient = case direction when 'inbound' then recipient end,
        contact = null, contact_id = null, accepted_contact = null, content = null, context = null, error = l.error, statuses_seen = statuses_seen | ${ERASED}::smallint
    from locked l
    where m.id = l.id
      and m.ctid = l.place
    returning m.id, m.direction`
}
