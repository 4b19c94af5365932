import type { Fragment, Sql, Tx } from '../../../kernel/db/pool.ts'
import { defineRecord, records } from '../../../kernel/db/records.ts'
import { rows } from '../../../kernel/db/rows.ts'
import { readIdTime } from '../../../kernel/ids.ts'
import { type PricedMessage, sumPriced } from '../../costs/volumes/priced-message.ts'
import { type CountedMessage, sumMessageCounts } from '../../statistics/counts/message-count.ts'
import type { Publication, Published } from '../../webhooks/publishing/service.ts'
import type { ContactDetails } from '../contacts/identify.ts'
import { buildContactWrite, CONTACT_COLUMNS } from '../contacts/store.ts'
import { buildLogOfUnderWay, messageColumns } from '../log/store.ts'
import { parseContent, type StoredMessage } from '../message-entry.ts'
import { ERASED, type Row } from './apply.ts'

type Key = { organizationId: string; channelId: string }
type MessageKey = Key & { messageId: string }

type WamidEntry = MessageKey & { wamid: string }

/** `recipient` is null for sends without callback data of their own: the hub's id identifies those uniquely. */
type UnsettledSend = {
  channel_id: string
  message_id: string
  callback_data: string | null
  recipient: string | null
}

const MESSAGE_KEY = { organizationId: 'uuid', channelId: 'uuid', messageId: 'uuid' } as const
const WAMID_KEY = { organizationId: 'uuid', channelId: 'uuid', wamid: 'text' } as const

/** Locks the unsettled sends that the callback data identifies, by the hub's id or by the client's own data. */
export async function lockUnsettled(
  sql: Sql,
  identified: (Key & { messageId: string | null; callbackData: string })[],
): Promise<UnsettledSend[]> {
  return sql<UnsettledSend[]>`
    select u.channel_id, u.message_id, u.opaque as callback_data,
      case when u.opaque is not null then coalesce(u.recipient, (
        select m.recipient
        from messages m
        where m.organization_id = u.organization_id
          and m.channel_id = u.channel_id
          and m.id = u.message_id)) end as recipient
    from unsettled_sends u
    where (u.organization_id, u.channel_id, u.message_id) in (
      select u.organization_id, u.channel_id, u.message_id
      from ${rows(sql, identified, { ...MESSAGE_KEY, callbackData: 'text' })} as g
      join unsettled_sends u
        on u.organization_id = g.organization_id
        and u.channel_id = g.channel_id
        and (u.message_id = g.message_id or u.opaque = g.callback_data))
    order by u.message_id
    for update`
}

export async function deleteUnsettled(tx: Tx, keys: MessageKey[]): Promise<void> {
  await tx`
    delete from unsettled_sends u
    using ${rows(tx, keys, MESSAGE_KEY)} as k
    where u.organization_id = k.organization_id
      and u.channel_id = k.channel_id
      and u.message_id = k.message_id`
}

/** Sends under way, which the caller has locked, get their row of the log: the caller settles them. */
export async function logUnderWay(tx: Tx, keys: MessageKey[]): Promise<void> {
  await tx`
    with closed as (
      delete from unsettled_sends u
      using ${rows(tx, keys, MESSAGE_KEY)} as k
      where u.organization_id = k.organization_id
        and u.channel_id = k.channel_id
        and u.message_id = k.message_id
        and u.type is not null
      returning u.*
    )
    ${buildLogOfUnderWay(tx, { from: tx`closed`, status: 'sending' })}`
}

type KnownMessage = { organization_id: string; channel_id: string; wamid: string; message_id: string }

export async function findWamids(sql: Sql, wamids: (Key & { wamid: string })[]): Promise<KnownMessage[]> {
  return sql<KnownMessage[]>`
    select w.organization_id, w.channel_id, w.wamid, w.message_id
    from ${rows(sql, wamids, WAMID_KEY)} as n
    join message_wamids w
      on w.organization_id = n.organization_id and w.channel_id = n.channel_id and w.wamid = n.wamid`
}

const MESSAGE_WAMID = defineRecord<Key & { wamid: string }>('message_wamid_1', WAMID_KEY)

type LockedMessage = KnownMessage & { are_locked: boolean } & (StoredMessage<Row> | { id: null })

/**
 * Finds the messages that have these upstream ids, and locks them in the order of their ids. If one is not found it locks none,
 * because others may have to be locked before.
 */
export async function lockReportedMessages(
  sql: Sql,
  wamids: (Key & { wamid: string })[],
): Promise<{ known: KnownMessage[]; locked: Row[] | undefined }> {
  const known = await sql<LockedMessage[]>`
    select *
    from lock_reported_messages_1(${records(sql, MESSAGE_WAMID, wamids)})`
  const areLocked = known.length > 0 && known.every(({ are_locked }) => are_locked)
  return { known, locked: areLocked ? known.flatMap(toRow) : undefined }
}

function toRow({ message_id: _, wamid: __, are_locked: ___, ...message }: LockedMessage): Row[] {
  return message.id === null ? [] : [parseContent(message as StoredMessage<Row>)]
}

/** Selects those of these upstream ids whose messages had their person erased. */
export async function listErasedWamids(tx: Tx, wamids: (Key & { wamid: string })[]): Promise<string[]> {
  const found = await tx<{ wamid: string }[]>`
    select w.wamid
    from ${rows(tx, wamids, WAMID_KEY)} as n
    join message_wamids w
      on w.organization_id = n.organization_id and w.channel_id = n.channel_id and w.wamid = n.wamid
    cross join lateral (
      select
      from messages m
      where m.organization_id = w.organization_id
        and m.channel_id = w.channel_id
        and m.id = w.message_id
        and m.statuses_seen & ${ERASED}::smallint <> 0
      limit 1
    ) m`
  return found.map(({ wamid }) => wamid)
}

/** Inserts the new upstream ids. A concurrent transaction with the same id waits here, and then finds this one's row. */
export async function insertWamids(tx: Tx, wamids: WamidEntry[]): Promise<{ channel_id: string; wamid: string }[]> {
  return tx<{ channel_id: string; wamid: string }[]>`
    insert into message_wamids (organization_id, channel_id, wamid, message_id)
    select organization_id, channel_id, wamid, message_id
    from ${rows(tx, wamids, { ...WAMID_KEY, messageId: 'uuid' })} as n
    order by organization_id, channel_id, wamid
    on conflict (organization_id, channel_id, wamid) do nothing
    returning channel_id, wamid`
}

/**
 * Locks messages in the order of their ids, so two batches cannot deadlock. Each is looked up by its key: for a join the
 * planner may read all messages between the first id and the last, which may be weeks.
 */
export async function lockMessages(tx: Tx, keys: MessageKey[]): Promise<Row[]> {
  const sorted = keys.toSorted((a, b) => (a.messageId < b.messageId ? -1 : 1))
  const stored = await tx<StoredMessage<Row>[]>`
    select m.*
    from ${rows(tx, sorted, MESSAGE_KEY)} as k
    cross join lateral (
      select organization_id, ${messageColumns(tx)}, content::text
      from messages
      where organization_id = k.organization_id
        and channel_id = k.channel_id
        and id = k.message_id
        and id between ${sorted[0]?.messageId ?? null}::uuid and ${sorted.at(-1)?.messageId ?? null}::uuid
      limit 1
      for update
    ) m`
  return stored.map(parseContent)
}

const SHORT_RANGE_MS = 3_600_000

const ROW_KEY = { organization_id: 'uuid', channel_id: 'uuid', id: 'uuid' } as const

/** JSON passes as text through `json`, never through a JSON function: those refuse NUL characters. */
const CONTENT = { direction: 'text', type: 'text', sender: 'text', content: 'json', context: 'json' } as const

const PROGRESS = {
  status: 'text',
  recipient: 'text',
  contact: 'json',
  contact_id: 'uuid',
  upstream_message_id: 'text',
  error: 'json',
  pricing: 'json',
  statuses_seen: 'smallint',
  created_at: 'timestamptz',
  sent_at: 'timestamptz',
  delivered_at: 'timestamptz',
  read_at: 'timestamptz',
  failed_at: 'timestamptz',
} as const

export async function insertMessages(tx: Tx, messages: Row[]): Promise<void> {
  await tx`
    insert into messages (organization_id, ${messageColumns(tx)}, content)
    select organization_id, ${messageColumns(tx)}, content
    from ${rows(tx, messages, { ...ROW_KEY, ...CONTENT, ...PROGRESS })} as r`
}

/**
 * Updates the progress of messages, which the caller has locked. They are found by key and updated in place: for a join by
 * key the planner may read all messages. Their range of ids spares the statement most partitions, but the planner may
 * read the range, so that it has to be short.
 */
export async function updateProgress(tx: Tx, messages: Row[]): Promise<void> {
  const ids = messages.map(({ id }) => id).sort()
  const [first, last] = [ids[0] ?? '', ids.at(-1) ?? '']
  const isShort = readIdTime(last) - readIdTime(first) < SHORT_RANGE_MS
  const isInRange = (id: Fragment) => (isShort ? tx`and ${id} between ${first} and ${last}` : tx``)
  await tx`
    update messages m
    set status = r.status, recipient = r.recipient, contact = r.contact, contact_id = r.contact_id,
        upstream_message_id = r.upstream_message_id, error = r.error, pricing = r.pricing, statuses_seen = r.statuses_seen, created_at = r.created_at,
        sent_at = r.sent_at, delivered_at = r.delivered_at, read_at = r.read_at, failed_at = r.failed_at
    from ${rows(tx, messages, { ...ROW_KEY, ...PROGRESS })} as r
    cross join lateral (
      select f.id, f.ctid as place
      from messages f
      where f.organization_id = r.organization_id
        and f.channel_id = r.channel_id
        and f.id = r.id
        ${isInRange(tx`f.id`)}
      limit 1
    ) f
    where m.id = f.id
      and m.ctid = f.place
      ${isInRange(tx`m.id`)}`
}

/** Fills placeholders, which the caller has locked. */
export async function updateContent(tx: Tx, messages: Row[]): Promise<void> {
  await tx`
    update messages m
    set direction = r.direction, type = r.type, sender = r.sender, content = r.content, context = r.context
    from ${rows(tx, messages, { ...ROW_KEY, ...CONTENT })} as r
    where m.organization_id = r.organization_id
      and m.channel_id = r.channel_id
      and m.id = r.id`
}

type WriteFrom = (sql: Sql, rows: Fragment) => Fragment

const COUNT_COLUMNS = {
  organizationId: 'uuid',
  channelId: 'uuid',
  errorCode: 'text',
  sent: 'int',
  delivered: 'int',
  read: 'int',
  failed: 'int',
  refused: 'int',
  received: 'int',
} as const

type InboundCounts = {
  counted: readonly CountedMessage[]
  priced: readonly PricedMessage[]
  contacts: readonly ContactDetails[]
}

const VOLUME_COLUMNS = {
  organizationId: 'uuid',
  channelId: 'uuid',
  day: 'text',
  category: 'text',
  type: 'text',
  country: 'text',
  volume: 'int',
} as const

/** Publishes, counts usage, what happened to messages and those whose price is known now, and writes what became known of their people. */
export async function insertCounts(
  sql: Sql,
  { counted, priced, contacts }: InboundCounts,
  { insertAll, deliveries }: Publication,
  otherWrites: Record<'buildUsageInsert' | 'buildMessageCountInsert' | 'buildVolumeInsert', WriteFrom>,
): Promise<Published[]> {
  const { buildUsageInsert, buildMessageCountInsert, buildVolumeInsert } = otherWrites
  const volumes = sql`select * from ${rows(sql, sumPriced(priced), VOLUME_COLUMNS)} as p`
  const used = sql`
    select organization_id, counter, sum(amount) as amount
    from counts, lateral (values ('messages_sent', sent), ('messages_received', received)) u (counter, amount)
    where amount > 0
    group by organization_id, counter`
  return sql<Published[]>`
    with counts as (select * from ${rows(sql, sumMessageCounts(counted), COUNT_COLUMNS)} as r),
    known as (${buildContactWrite(sql, contacts)}),
    counted as (${buildUsageInsert(sql, used)}),
    measured as (${buildMessageCountInsert(sql, sql`select * from counts`)}),
    priced as (${buildVolumeInsert(sql, volumes)}),
    ${insertAll()}
    select ${deliveries}`
}

type OfCallback = { callback: number }

const RECEIVED_MESSAGE = defineRecord<Row & OfCallback>('received_message_1', {
  callback: 'int',
  ...ROW_KEY,
  direction: 'text',
  type: 'text',
  status: 'text',
  sender: 'text',
  recipient: 'text',
  contact: 'json',
  contact_id: 'uuid',
  upstream_message_id: 'text',
  content: 'json',
  context: 'json',
  error: 'json',
  statuses_seen: 'smallint',
  created_at: 'timestamptz',
  sent_at: 'timestamptz',
})

const RECEIVED_CONTACT = defineRecord<ContactDetails & OfCallback & { turn: number }>('received_contact_1', {
  callback: 'int',
  turn: 'int',
  ...CONTACT_COLUMNS,
})

/** An argument of a function that takes callbacks: the new messages of each. */
export function buildReceivedMessages(sql: Sql, messages: readonly (Row & OfCallback)[]): Fragment {
  return records(sql, RECEIVED_MESSAGE, messages)
}

/**
 * Another one: what each callback tells of people. The details that several have of one contact are added in turns, in their
 * order, because which of the callbacks are left out is not known before. No turn has a contact before the last one of
 * the turn before it: so contacts are locked in the order of their ids, as everywhere.
 */
export function buildReceivedContacts(sql: Sql, contacts: readonly (ContactDetails & OfCallback)[]): Fragment {
  const toOrder = (contact: ContactDetails) => `${contact.organizationId} ${contact.id}`
  const sorted = contacts.toSorted((a, b) => compare(toOrder(a), toOrder(b)) || a.callback - b.callback)
  let turn = 0
  const placed = sorted.map((contact, i) => {
    if (contact.id === sorted[i - 1]?.id) turn++
    return { ...contact, turn }
  })
  return records(sql, RECEIVED_CONTACT, placed)
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
