import type { PendingQuery, Row } from 'postgres'
import type { Sql, Tx } from '../../kernel/db/pool.ts'
import type { MessageError } from './status.ts'

type Key = { organizationId: string; channelId: string }

export type Reservation = Key & {
  messageId: string
  /** Null where the caller has no name for the send. */
  key: string | null
  bodyHash: Buffer | null
  type: string
  /** Null where only the upstream can tell whose number it is. */
  to: string | null
  content: unknown
  opaque: string | null
}

/** The channel of a reservation, and whether one was made. */
export type Reserved = {
  /** Null when nothing was reserved: the key is taken, or the channel cannot send. */
  created_at: string | null
  /** Null when there is no such channel. */
  status: string | null
  is_able: boolean
  /** The organization may not send for now. */
  is_suspended: boolean
  phone_number_id: string | null
  /** Sealed. */
  access_token: string | null
  sender: string | null
}

/**
 * Writes down, before anything is asked of the upstream, that these messages
 * are being sent: key, log line and unsettled send, or nothing of the three. Of
 * any number of reservations with one key, in one statement or in many, one is
 * made. The order of the keys keeps two statements from waiting for each other.
 */
export async function reserve(
  sql: Sql,
  sends: Reservation[],
  { leaseSeconds, isBilled }: { leaseSeconds: number; isBilled: boolean },
): Promise<Reserved[]> {
  return sql<Reserved[]>`
    with i as (
      select *
      from unnest(
        ${sql.array(sends.map((send) => send.organizationId))}::uuid[],
        ${sql.array(sends.map((send) => send.channelId))}::uuid[],
        ${sql.array(sends.map((send) => send.messageId))}::uuid[],
        ${sql.array(sends.map((send) => send.key))}::text[],
        ${sql.array(sends.map((send) => send.bodyHash?.toString('hex') ?? null))}::text[],
        ${sql.array(sends.map((send) => send.type))}::text[],
        ${sql.array(sends.map((send) => send.to))}::text[],
        ${sql.array(sends.map((send) => JSON.stringify(send.content)))}::text[],
        ${sql.array(sends.map((send) => send.opaque))}::text[]
      ) with ordinality as i (organization_id, channel_id, message_id, key, body_hash, type, recipient, content, opaque, n)
    ),
    c as (
      select c.organization_id, c.id, c.status, c.phone_number_id, c.access_token,
        regexp_replace(c.display_phone_number, '\\D', '', 'g') as sender,
        c.status in ('active', 'degraded') and c.phone_number_id is not null and c.access_token is not null as is_able,
        ${isBilled} and coalesce(s.status = 'suspended', false) as is_suspended
      from channels c
      left join subscriptions s on s.organization_id = c.organization_id
      where (c.organization_id, c.id) in (select organization_id, channel_id from i)
        and c.archived_at is null
    ),
    able as (
      select i.*, c.sender
      from i
      join c on c.organization_id = i.organization_id and c.id = i.channel_id
      where c.is_able
        and not c.is_suspended
    ),
    keyed as (
      insert into message_keys (organization_id, channel_id, key, body_hash, message_id)
      select organization_id, channel_id, key, decode(body_hash, 'hex'), message_id
      from able
      where key is not null
      order by organization_id, channel_id, key, n
      on conflict (organization_id, channel_id, key) do nothing
      returning message_id
    ),
    reserved as (
      select a.*
      from able a
      where a.key is null
        or a.message_id in (select message_id from keyed)
    ),
    logged as (
      insert into messages (organization_id, channel_id, id, direction, type, status, sender, recipient, content)
      select organization_id, channel_id, message_id, 'outbound', type, 'sending', sender, recipient, content::json
      from reserved
      returning id, created_at
    ),
    opened as (
      insert into unsettled_sends (organization_id, channel_id, message_id, opaque, sending_until)
      select organization_id, channel_id, message_id, opaque, hub_now() + make_interval(secs => ${leaseSeconds})
      from reserved
    )
    select l.created_at, c.status, coalesce(c.is_able, false) as is_able,
      coalesce(c.is_suspended, false) as is_suspended, c.phone_number_id, c.access_token, c.sender
    from i
    left join c on c.organization_id = i.organization_id and c.id = i.channel_id
    left join logged l on l.id = i.message_id
    order by i.n`
}

export type KeyHolder = {
  body_hash: Buffer
  message_id: string
  /** Null when the log does not reach back to it any more. */
  status: string | null
  type: string | null
  recipient: string | null
  upstream_message_id: string | null
  error: MessageError | null
  created_at: string | null
  is_under_way: boolean
}

/** What became of the send that holds a key. */
export async function findIdempotencyRecord(sql: Sql, k: Key & { key: string }): Promise<KeyHolder | undefined> {
  const [row] = await sql<KeyHolder[]>`
    select k.body_hash, k.message_id, m.status, m.type, m.recipient, m.upstream_message_id, m.error, m.created_at,
      coalesce(u.sending_until > hub_now(), false) as is_under_way
    from message_keys k
    left join messages m
      on m.organization_id = k.organization_id and m.channel_id = k.channel_id and m.id = k.message_id
    left join unsettled_sends u
      on u.organization_id = k.organization_id and u.channel_id = k.channel_id and u.message_id = k.message_id
    where k.organization_id = ${k.organizationId}
      and k.channel_id = ${k.channelId}
      and k.key = ${k.key}`
  return row
}

export type Settlement = Key & {
  messageId: string
  key: string | null
  /** `released`: certainly not sent, and the key is free for another try. */
  outcome: 'accepted' | 'refused' | 'released' | 'unknown'
  wamid: string | null
  contact: object | null
  error: MessageError | null
}

/**
 * Records the outcomes of sends and returns the messages whose outcome this
 * was: a status webhook may have told first, and then nothing is left to settle.
 * The unsettled row is what decides between the two; both lock it before
 * anything else, in the order of the ids. `buildUsageInsert` builds the part of the
 * statement that counts the accepted ones.
 */
export async function settle(
  tx: Tx,
  settlements: Settlement[],
  buildUsageInsert: (tx: Tx, amounts: PendingQuery<Row[]>) => PendingQuery<Row[]>,
): Promise<{ id: string }[]> {
  const ids = settlements.map(({ messageId }) => messageId).sort()
  const accepted = tx`
    select organization_id, 'messages_sent' as counter, count(*) as amount
    from open
    where outcome = 'accepted'
    group by organization_id`
  return tx<{ id: string }[]>`
    with o as (
      select *
      from unnest(
        ${tx.array(settlements.map((s) => s.organizationId))}::uuid[],
        ${tx.array(settlements.map((s) => s.channelId))}::uuid[],
        ${tx.array(settlements.map((s) => s.messageId))}::uuid[],
        ${tx.array(settlements.map((s) => s.key))}::text[],
        ${tx.array(settlements.map((s) => s.outcome))}::text[],
        ${tx.array(settlements.map((s) => s.wamid))}::text[],
        ${tx.array(settlements.map((s) => s.contact && JSON.stringify(s.contact)))}::text[],
        ${tx.array(settlements.map((s) => s.error && JSON.stringify(s.error)))}::text[]
      ) as o (organization_id, channel_id, message_id, key, outcome, wamid, contact, error)
    ),
    open as (
      select o.*
      from o
      join unsettled_sends u
        on u.organization_id = o.organization_id and u.channel_id = o.channel_id and u.message_id = o.message_id
      order by o.message_id
      for update of u
    ),
    counted as (${buildUsageInsert(tx, accepted)}),
    closed as (
      delete from unsettled_sends u
      using open o
      where u.organization_id = o.organization_id
        and u.channel_id = o.channel_id
        and u.message_id = o.message_id
        and o.outcome <> 'unknown'
    ),
    left_open as (
      update unsettled_sends u
      set sending_until = null
      from open o
      where u.organization_id = o.organization_id
        and u.channel_id = o.channel_id
        and u.message_id = o.message_id
        and o.outcome = 'unknown'
    ),
    freed as (
      delete from message_keys k
      using open o
      where k.organization_id = o.organization_id
        and k.channel_id = o.channel_id
        and k.key = o.key
        and k.message_id = o.message_id
        and o.outcome = 'released'
    ),
    named as (
      insert into message_wamids (organization_id, channel_id, wamid, message_id)
      select organization_id, channel_id, wamid, message_id
      from open
      where outcome = 'accepted'
      order by organization_id, channel_id, wamid
      on conflict (organization_id, channel_id, wamid) do update set message_id = excluded.message_id
    )
    update messages m
    set status = case o.outcome when 'accepted' then 'accepted' when 'unknown' then 'unknown' else 'failed' end,
        upstream_message_id = o.wamid,
        contact = o.contact::json,
        error = o.error::json,
        failed_at = case when o.outcome in ('refused', 'released') then hub_now() end
    from open o
    where m.organization_id = o.organization_id
      and m.channel_id = o.channel_id
      and m.id = o.message_id
      and m.id between ${ids[0] ?? null}::uuid and ${ids.at(-1) ?? null}::uuid
    returning m.id`
}

/** Sends whose process did not come back in time: nobody knows what became of them. */
export async function markLateUnknown(sql: Sql, limit: number): Promise<number> {
  const rows = await sql`
    with late as (
      select organization_id, channel_id, message_id
      from unsettled_sends
      where sending_until <= hub_now()
      order by sending_until
      limit ${limit}
      for update skip locked
    ),
    left_open as (
      update unsettled_sends u
      set sending_until = null
      from late l
      where u.organization_id = l.organization_id
        and u.channel_id = l.channel_id
        and u.message_id = l.message_id
    )
    update messages m
    set status = 'unknown'
    from late l
    where m.organization_id = l.organization_id
      and m.channel_id = l.channel_id
      and m.id = l.message_id
      and m.status = 'sending'
    returning m.id`
  return rows.length
}

const FORGETTABLE = { keys: 'message_keys', wamids: 'message_wamids', unsettled: 'unsettled_sends' } as const

/** Up to `limit` rows of a directory that are older than an id. Returns how many went. */
export async function forget(
  sql: Sql,
  what: keyof typeof FORGETTABLE,
  f: { before: string; limit: number },
): Promise<number> {
  const table = sql(FORGETTABLE[what])
  const result = await sql`
    delete from ${table}
    where ctid = any(array(
      select ctid
      from ${table}
      where message_id < ${f.before}::uuid
      order by message_id
      limit ${f.limit}))`
  return result.count
}
