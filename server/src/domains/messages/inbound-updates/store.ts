import type { Tx } from '../../../kernel/db/pool.ts'
import { columns } from '../log/store.ts'
import type { Row } from './apply.ts'

type Key = { organizationId: string; channelId: string }

export type Named = Key & { wamid: string; messageId: string }

/** `recipient` is told where the caller's own text names the send, since it may name several. */
export type UnsettledSend = { channel_id: string; message_id: string; opaque: string | null; recipient: string | null }

/** Unsettled sends that the given callback data may name: by our own id, or by the text that the caller gave. */
export async function lockUnsettled(
  tx: Tx,
  given: (Key & { messageId: string | null; opaque: string })[],
): Promise<UnsettledSend[]> {
  return tx<UnsettledSend[]>`
    select u.channel_id, u.message_id, u.opaque,
      case when u.opaque is not null then (
        select m.recipient
        from messages m
        where m.organization_id = u.organization_id
          and m.channel_id = u.channel_id
          and m.id = u.message_id) end as recipient
    from unsettled_sends u
    where (u.organization_id, u.channel_id, u.message_id) in (
      select u.organization_id, u.channel_id, u.message_id
      from unnest(
        ${tx.array(given.map((g) => g.organizationId))}::uuid[],
        ${tx.array(given.map((g) => g.channelId))}::uuid[],
        ${tx.array(given.map((g) => g.messageId))}::uuid[],
        ${tx.array(given.map((g) => g.opaque))}::text[]
      ) as g (organization_id, channel_id, message_id, opaque)
      join unsettled_sends u
        on u.organization_id = g.organization_id
        and u.channel_id = g.channel_id
        and (u.message_id = g.message_id or u.opaque = g.opaque))
    order by u.message_id
    for update`
}

export async function deleteUnsettled(tx: Tx, keys: (Key & { messageId: string })[]): Promise<void> {
  await tx`
    delete from unsettled_sends u
    using unnest(
      ${tx.array(keys.map((k) => k.organizationId))}::uuid[],
      ${tx.array(keys.map((k) => k.channelId))}::uuid[],
      ${tx.array(keys.map((k) => k.messageId))}::uuid[]
    ) as k (organization_id, channel_id, message_id)
    where u.organization_id = k.organization_id
      and u.channel_id = k.channel_id
      and u.message_id = k.message_id`
}

export async function findWamids(
  tx: Tx,
  names: (Key & { wamid: string })[],
): Promise<{ organization_id: string; channel_id: string; wamid: string; message_id: string }[]> {
  return tx<{ organization_id: string; channel_id: string; wamid: string; message_id: string }[]>`
    select w.organization_id, w.channel_id, w.wamid, w.message_id
    from unnest(
      ${tx.array(names.map((n) => n.organizationId))}::uuid[],
      ${tx.array(names.map((n) => n.channelId))}::uuid[],
      ${tx.array(names.map((n) => n.wamid))}::text[]
    ) as n (organization_id, channel_id, wamid)
    join message_wamids w
      on w.organization_id = n.organization_id and w.channel_id = n.channel_id and w.wamid = n.wamid`
}

/** Enters the names that are new. Whoever enters one at the same time waits here, and then finds the other's. */
export async function insertWamids(tx: Tx, names: Named[]): Promise<{ channel_id: string; wamid: string }[]> {
  return tx<{ channel_id: string; wamid: string }[]>`
    insert into message_wamids (organization_id, channel_id, wamid, message_id)
    select *
    from unnest(
      ${tx.array(names.map((n) => n.organizationId))}::uuid[],
      ${tx.array(names.map((n) => n.channelId))}::uuid[],
      ${tx.array(names.map((n) => n.wamid))}::text[],
      ${tx.array(names.map((n) => n.messageId))}::uuid[]
    ) as n (organization_id, channel_id, wamid, message_id)
    order by 1, 2, 3
    on conflict (organization_id, channel_id, wamid) do nothing
    returning channel_id, wamid`
}

/** The messages to change, locked in the order of their ids so that two batches cannot wait for each other. */
export async function lockMessages(tx: Tx, keys: (Key & { messageId: string })[]): Promise<Row[]> {
  const ids = keys.map(({ messageId }) => messageId).sort()
  return tx<Row[]>`
    select organization_id, ${columns(tx)}
    from messages
    where (organization_id, channel_id, id) in (
      select *
      from unnest(
        ${tx.array(keys.map((k) => k.organizationId))}::uuid[],
        ${tx.array(keys.map((k) => k.channelId))}::uuid[],
        ${tx.array(keys.map((k) => k.messageId))}::uuid[]))
      and id between ${ids[0] ?? null}::uuid and ${ids.at(-1) ?? null}::uuid
    order by id
    for update`
}

export async function insertMessages(tx: Tx, rows: Row[]): Promise<void> {
  await tx`
    insert into messages (organization_id, ${columns(tx)})
    select organization_id, id, channel_id, direction, type, status, sender, recipient, contact::json,
      upstream_message_id, content::json, context::json, error::json, pricing::json, statuses_seen, created_at, sent_at,
      delivered_at, read_at, failed_at
    from unnest(
      ${tx.array(rows.map((row) => row.organization_id))}::uuid[],
      ${tx.array(rows.map((row) => row.id))}::uuid[],
      ${tx.array(rows.map((row) => row.channel_id))}::uuid[],
      ${tx.array(rows.map((row) => row.direction))}::text[],
      ${tx.array(rows.map((row) => row.type))}::text[],
      ${tx.array(rows.map((row) => row.sender))}::text[],
      ${tx.array(rows.map((row) => json(row.content)))}::text[],
      ${tx.array(rows.map((row) => json(row.context)))}::text[],
      ${progressOf(tx, rows)}
    ) as r (organization_id, id, channel_id, direction, type, sender, content, context, ${PROGRESS(tx)})`
}

/** Writes how far messages have come. They are locked. */
export async function updateProgress(tx: Tx, rows: Row[]): Promise<void> {
  const ids = rows.map(({ id }) => id).sort()
  await tx`
    update messages m
    set status = r.status, recipient = r.recipient, contact = r.contact::json,
        upstream_message_id = r.upstream_message_id, error = r.error::json, pricing = r.pricing::json,
        statuses_seen = r.statuses_seen, created_at = r.created_at, sent_at = r.sent_at,
        delivered_at = r.delivered_at, read_at = r.read_at, failed_at = r.failed_at
    from unnest(
      ${tx.array(rows.map((row) => row.organization_id))}::uuid[],
      ${tx.array(rows.map((row) => row.id))}::uuid[],
      ${tx.array(rows.map((row) => row.channel_id))}::uuid[],
      ${progressOf(tx, rows)}
    ) as r (organization_id, id, channel_id, ${PROGRESS(tx)})
    where m.organization_id = r.organization_id
      and m.channel_id = r.channel_id
      and m.id = r.id
      and m.id between ${ids[0] ?? null}::uuid and ${ids.at(-1) ?? null}::uuid`
}

/** Gives messages of which only statuses were known what they are. They are locked. */
export async function updateContent(tx: Tx, rows: Row[]): Promise<void> {
  await tx`
    update messages m
    set direction = r.direction, type = r.type, sender = r.sender, content = r.content::json,
        context = r.context::json
    from unnest(
      ${tx.array(rows.map((row) => row.organization_id))}::uuid[],
      ${tx.array(rows.map((row) => row.id))}::uuid[],
      ${tx.array(rows.map((row) => row.channel_id))}::uuid[],
      ${tx.array(rows.map((row) => row.direction))}::text[],
      ${tx.array(rows.map((row) => row.type))}::text[],
      ${tx.array(rows.map((row) => row.sender))}::text[],
      ${tx.array(rows.map((row) => json(row.content)))}::text[],
      ${tx.array(rows.map((row) => json(row.context)))}::text[]
    ) as r (organization_id, id, channel_id, direction, type, sender, content, context)
    where m.organization_id = r.organization_id
      and m.channel_id = r.channel_id
      and m.id = r.id`
}

const PROGRESS = (tx: Tx) => tx`
  status, recipient, contact, upstream_message_id, error, pricing, statuses_seen, created_at, sent_at, delivered_at,
  read_at, failed_at`

function progressOf(tx: Tx, rows: Row[]) {
  return tx`
    ${tx.array(rows.map((row) => row.status))}::text[],
    ${tx.array(rows.map((row) => row.recipient))}::text[],
    ${tx.array(rows.map((row) => json(row.contact)))}::text[],
    ${tx.array(rows.map((row) => row.upstream_message_id))}::text[],
    ${tx.array(rows.map((row) => json(row.error)))}::text[],
    ${tx.array(rows.map((row) => json(row.pricing)))}::text[],
    ${tx.array(rows.map((row) => row.statuses_seen))}::smallint[],
    ${tx.array(rows.map((row) => row.created_at))}::timestamptz[],
    ${tx.array(rows.map((row) => row.sent_at))}::timestamptz[],
    ${tx.array(rows.map((row) => row.delivered_at))}::timestamptz[],
    ${tx.array(rows.map((row) => row.read_at))}::timestamptz[],
    ${tx.array(rows.map((row) => row.failed_at))}::timestamptz[]`
}

/** Text that a json column takes as it is. Through json functions it could not pass: they refuse NUL. */
function json(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value)
}
