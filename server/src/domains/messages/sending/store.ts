import type { Fragment, Sql } from '../../../kernel/db/pool.ts'
import { rows } from '../../../kernel/db/rows.ts'
import { buildHeldKeys, PROCESS_LOCKS } from '../../../kernel/db/session-lock.ts'
import { buildSuspensions } from '../../billing/subscriptions/service.ts'
import { buildOpenChannels } from '../../channels/service.ts'
import type { NewEvent } from '../../events/catalog.ts'
import type { EventRow } from '../../events/event-row.ts'
import { NO_CODE } from '../../statistics/counts/message-count.ts'
import type { TemplateName } from '../../templates/sendability/report.ts'
import { buildUnsendableLookup } from '../../templates/sendability/service.ts'
import type { Publication, Published } from '../../webhooks/publishing/service.ts'
import { type ContactDetails, mergeContactDetails } from '../contacts/identify.ts'
import { buildContactInsert, buildContactWrite } from '../contacts/store.ts'
import type { MessageRow } from '../message-entry.ts'
import type { AcceptedContact } from '../schemas.ts'
import type { MessageError } from '../status.ts'

/** The contact that the number of a send `a` has, of those of its channel: one with a user id first. */
const selectContactOfNumber = (sql: Sql) => sql`
  select id
  from contacts
  where organization_id = a.organization_id
    and reversed_number = a.reversed_number
    and channel_id = a.channel_id
  order by user_id is null, changed_at desc
  limit 1`

type Key = { organizationId: string; channelId: string }

export type Reservation = Key & {
  messageId: string
  /** Null without an Idempotency-Key. */
  key: string | null
  bodyHash: Buffer | null
  type: string
  /** Null for a recipient with a user id only. */
  to: string | null
  /** Whom it is to; null for a group. */
  contact: ContactDetails | null
  content: unknown
  context: object | null
  /** The template of the message that the statement checks; null for none. */
  template: TemplateName | null
  /** The client's own callback data, by which a status callback identifies the send; null: our message id. */
  callbackData: string | null
}

/** A recipient without a number is known by the contact alone. */
export function toSentContact(to: string | null, userId: string | null): MessageRow['contact'] {
  return to === null && userId !== null ? { name: null, user_id: userId } : null
}

/** The channel of a reservation, and whether the send was reserved. */
export type ReservedChannel = {
  /** The time of the reservation. Null: not reserved, because the key is held or the channel cannot send. */
  created_at: string | null
  /** Null if the channel does not exist. */
  status: string | null
  can_send: boolean
  /** The organization's subscription is suspended. */
  is_suspended: boolean
  /** The status with which the template of the message cannot be sent, and since when. */
  template_status: string | null
  template_since: string | null
  phone_number_id: string | null
  waba_id: string | null
  /** Sealed. */
  access_token: string | null
  sender: string | null
}

/**
 * Reserves sends before their upstream calls: key, log entry and unsettled send, or none of the three. Of any number of
 * reservations with one key, in one statement or in many, one succeeds. The order of the keys prevents deadlocks.
 */
export async function reserve(
  sql: Sql,
  sends: Reservation[],
  { leaseSeconds, lockKey, isBilled }: { leaseSeconds: number; lockKey: number | null; isBilled: boolean },
): Promise<ReservedChannel[]> {
  const numbered = sends.map(({ contact, template, ...send }, n) => {
    const { id: contactId = null, userId = null, reversedNumber = null } = contact ?? {}
    const { name: templateName = null, language: templateLanguage = null } = template ?? {}
    return {
      ...send,
      contact: toSentContact(send.to, userId),
      contactId,
      userId,
      reversedNumber,
      templateName,
      templateLanguage,
      n,
    }
  })
  const unsendable = selectUnsendable(sql, sends)
  return sql<ReservedChannel[]>`
    with i as (
      select *
      from ${rows(sql, numbered, {
        organizationId: 'uuid',
        channelId: 'uuid',
        messageId: 'uuid',
        key: 'text',
        bodyHash: 'bytea',
        type: 'text',
        to: 'text',
        content: 'json',
        context: 'json',
        callbackData: 'text',
        contact: 'json',
        contactId: 'uuid',
        userId: 'text',
        reversedNumber: 'text',
        templateName: 'text',
        templateLanguage: 'text',
        n: 'int',
      })} as r
    ),
    c as (
      select k.organization_id, k.id, c.status, c.phone_number_id, c.waba_id, c.access_token, c.sender, c.can_send,
        ${isBilled} and coalesce(s.is_suspended, false) as is_suspended
      from (select distinct organization_id, channel_id as id from i) k
      -- Each by its key: a join is planned anew only with the connection, and then reads every channel that was added.
      cross join lateral (
        select status, phone_number_id, waba_id, access_token, can_send,
          regexp_replace(display_phone_number, '\\D', '', 'g') as sender
        from (${buildOpenChannels(sql)}) o
        where o.organization_id = k.organization_id
          and o.id = k.id
        limit 1
      ) c
      left join lateral (
        select is_suspended
        from (${buildSuspensions(sql)}) o
        where o.organization_id = k.organization_id
        limit 1
      ) s on true
    ),
    unsendable as (${unsendable}),
    sendable as (
      select i.*, c.sender
      from i
      join c on c.organization_id = i.organization_id and c.id = i.channel_id
      where c.can_send
        and not c.is_suspended
        and i.message_id not in (select message_id from unsendable)
    ),
    keyed as (
      insert into message_keys (organization_id, channel_id, key, body_hash, message_id)
      select organization_id, channel_id, key, body_hash, message_id
      from sendable
      where key is not null
      order by organization_id, channel_id, key, n
      on conflict (organization_id, channel_id, key) do nothing
      returning message_id
    ),
    reserved as (
      select a.*, k.id as known_id
      from sendable a
      left join lateral (${selectContactOfNumber(sql)}) k on true
      where a.key is null
        or a.message_id in (select message_id from keyed)
    ),
    logged as (
      insert into messages
        (organization_id, channel_id, id, direction, type, status, sender, recipient, contact, contact_id, content, context)
      select organization_id, channel_id, message_id, 'outbound', type, 'sending', sender, "to", contact,
        coalesce(known_id, contact_id), content, context
      from reserved
      returning id, created_at
    ),
    met as (${buildContactInsert(
      sql,
      sql`
        select organization_id, channel_id, contact_id as id, user_id, reversed_number
        from reserved
        where known_id is null
          and contact_id is not null`,
    )}),
    opened as (
      insert into unsettled_sends (organization_id, channel_id, message_id, opaque, sending_until, lock_key)
      select organization_id, channel_id, message_id, callback_data,
        hub_now() + make_interval(secs => ${leaseSeconds}), ${lockKey}::int
      from reserved
    )
    select l.created_at, c.status, coalesce(c.can_send, false) as can_send,
      coalesce(c.is_suspended, false) as is_suspended, u.status as template_status, u.since as template_since,
      c.phone_number_id, c.waba_id, c.access_token, c.sender
    from i
    left join c on c.organization_id = i.organization_id and c.id = i.channel_id
    left join logged l on l.id = i.message_id
    left join unsendable u on u.message_id = i.message_id
    order by i.n`
}

/** Sends `i` to channels `c` whose template cannot be sent. A batch without templates looks none up. */
function selectUnsendable(sql: Sql, sends: readonly Reservation[]): Fragment {
  if (sends.every(({ template }) => template === null))
    return sql`select null::uuid as message_id, null::text as status, null::timestamptz as since where false`
  const key = {
    organizationId: sql`c.organization_id`,
    wabaId: sql`c.waba_id`,
    name: sql`i.template_name`,
    language: sql`i.template_language`,
  }
  return sql`
    select i.message_id, u.status, u.since
    from i
    join c on c.organization_id = i.organization_id and c.id = i.channel_id
    cross join lateral (${buildUnsendableLookup(sql, key)}) u
    where i.template_name is not null`
}

/** The state of an Idempotency-Key's send. */
export type IdempotencyRecord = {
  body_hash: Buffer
  message_id: string
  /** Null once retention has deleted the log entry. */
  status: string | null
  type: string | null
  upstream_message_id: string | null
  accepted_contact: AcceptedContact
  error: MessageError | null
  created_at: string | null
  is_in_progress: boolean
}

/** The message is looked up by its key: for a join the planner may read all messages of the channel. */
export async function findIdempotencyRecord(
  sql: Sql,
  k: Key & { key: string },
): Promise<IdempotencyRecord | undefined> {
  const [row] = await sql<IdempotencyRecord[]>`
    select k.body_hash, k.message_id, m.status, m.type, m.upstream_message_id, m.accepted_contact, m.error, m.created_at,
      coalesce(u.sending_until > hub_now(), false) as is_in_progress
    from message_keys k
    left join lateral (
      select m.status, m.type, m.upstream_message_id, m.accepted_contact, m.error, m.created_at
      from messages m
      where m.organization_id = k.organization_id and m.channel_id = k.channel_id and m.id = k.message_id
      limit 1
    ) m on true
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
  /** `not-sent`: certainly not sent, so the key is free for another request. */
  outcome: 'accepted' | 'refused' | 'not-sent' | 'unknown'
  wamid: string | null
  contact: MessageRow['contact']
  /** For the answers to requests that repeat the send. */
  acceptedContact: AcceptedContact
  /** The recipient, if the upstream's answer has a user id; else null, and the contact of the message stays. */
  contactId: string | null
  /** What the upstream's answer tells of the recipient. */
  contacts: readonly ContactDetails[]
  error: MessageError | null
  /** message.sent, where the send was accepted. */
  event: (NewEvent & { id: string }) | null
}

/** Parts of the statement that write the tables of other domains. Each gets the rows it needs as a query. */
type OtherWrites = {
  /** Counts usage: `(organization_id, counter, amount)`. */
  buildUsageInsert: WriteFrom
  /** Counts messages by channel and error code. */
  buildMessageCountInsert: WriteFrom
}
type WriteFrom = (sql: Sql, rows: Fragment) => Fragment

type Settled = Published & { settled_ids: string[] }

/**
 * Records the outcomes of sends with their events, deliveries and usage, and returns the messages that were still
 * unsettled. A status callback may settle a send first; both lock the unsettled row before anything else, in the order
 * of the ids.
 */
export async function settle(
  sql: Sql,
  settlements: Settlement[],
  publication: Publication,
  { buildUsageInsert, buildMessageCountInsert }: OtherWrites,
): Promise<Settled[]> {
  const ids = settlements.map(({ messageId }) => messageId).sort()
  const accepted = sql`
    select organization_id, 'messages_sent' as counter, count(*) as amount
    from open
    where outcome = 'accepted'
    group by organization_id`
  const counts = sql`
    select organization_id, channel_id,
      case when outcome = 'accepted' then '' else error_code end as error_code,
      count(*) filter (where outcome = 'accepted') as sent, 0 as delivered, 0 as read,
      count(*) filter (where outcome <> 'accepted') as failed,
      count(*) filter (where outcome <> 'accepted') as refused, 0 as received
    from open
    where outcome <> 'unknown'
    group by 1, 2, 3`
  const events = sql`
    select organization_id, event_id as id, kind, channel_id, occurred_at, body, compat_body
    from open
    where event_id is not null`
  return sql<Settled[]>`
    with o as (
      select *
      from ${rows(sql, toSettlementRows(settlements, publication.events), {
        organizationId: 'uuid',
        channelId: 'uuid',
        messageId: 'uuid',
        key: 'text',
        outcome: 'text',
        wamid: 'text',
        contact: 'json',
        acceptedContact: 'json',
        contactId: 'uuid',
        error: 'json',
        errorCode: 'text',
        eventId: 'uuid',
        kind: 'text',
        occurredAt: 'timestamptz',
        body: 'bytea',
        compatBody: 'bytea',
      })} as r
    ),
    open as (
      select o.*
      from o
      join unsettled_sends u
        on u.organization_id = o.organization_id and u.channel_id = o.channel_id and u.message_id = o.message_id
      order by o.message_id
      for update of u
    ),
    counted as (${buildUsageInsert(sql, accepted)}),
    measured as (${buildMessageCountInsert(sql, counts)}),
    ${publication.insertFrom(events)},
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
        and o.outcome = 'not-sent'
    ),
    known as (${buildContactWrite(sql, mergeContactDetails(settlements.flatMap(({ contacts }) => contacts)))}),
    named as (
      insert into message_wamids (organization_id, channel_id, wamid, message_id)
      select organization_id, channel_id, wamid, message_id
      from open
      where outcome = 'accepted'
      order by organization_id, channel_id, wamid
      on conflict (organization_id, channel_id, wamid) do update set message_id = excluded.message_id
    ),
    updated as (
      update messages m
      set status = case o.outcome when 'accepted' then 'accepted' when 'unknown' then 'unknown' else 'failed' end,
          upstream_message_id = o.wamid,
          contact = o.contact,
          accepted_contact = o.accepted_contact,
          contact_id = coalesce(o.contact_id, m.contact_id),
          error = o.error,
          failed_at = case when o.outcome in ('refused', 'not-sent') then hub_now() end
      from open o
      where m.organization_id = o.organization_id
        and m.channel_id = o.channel_id
        and m.id = o.message_id
        and m.id between ${ids[0] ?? null}::uuid and ${ids.at(-1) ?? null}::uuid
      returning m.id
    )
    select array(select id from updated) as settled_ids, ${publication.deliveries}`
}

/** PostgreSQL cannot read the code of an error whose words hold a NUL or half a surrogate pair. */
function toSettlementRows(settlements: Settlement[], events: readonly EventRow[]) {
  const byId = new Map(events.map((event) => [event.id, event]))
  return settlements.map(({ event, contacts, ...settlement }) => {
    const { kind = null, occurredAt = null, body = null, compatBody = null } = byId.get(event?.id ?? '') ?? {}
    const errorCode = String(settlement.error?.code ?? NO_CODE)
    return { ...settlement, errorCode, eventId: event?.id ?? null, kind, occurredAt, body, compatBody }
  })
}

/** Sends that are being settled, or were marked unknown, keep their state. */
export async function extendLeases(
  sql: Sql,
  sends: (Key & { messageId: string })[],
  leaseSeconds: number,
): Promise<void> {
  await sql`
    with held as (
      select u.ctid as place
      from ${rows(sql, sends, { organizationId: 'uuid', channelId: 'uuid', messageId: 'uuid' })} as s
      join unsettled_sends u
        on u.organization_id = s.organization_id and u.channel_id = s.channel_id and u.message_id = s.message_id
      where u.sending_until is not null
      for update of u skip locked
    )
    update unsettled_sends
    set sending_until = hub_now() + make_interval(secs => ${leaseSeconds})
    where ctid = any(array(select place from held))`
}

/** The processes that sends are under way in but that do not hold their lock. */
export async function listUnlockedProcesses(sql: Sql): Promise<number[]> {
  const processes = await sql<{ key: number }[]>`
    select lock_key as key
    from unsettled_sends
    where sending_until is not null
      and lock_key is not null
    except
    select key::int
    from (${buildHeldKeys(sql, PROCESS_LOCKS)}) h`
  return processes.map(({ key }) => key)
}

type MarkedSend = { organizationId: string; channelId: string; messageId: string }

/** Marks sends whose lease expired: their outcome is unknown. */
export async function markExpiredUnknown(sql: Sql, limit: number): Promise<MarkedSend[]> {
  return markUnknown(sql, sql`sending_until <= hub_now()`, limit)
}

/** The same for sends of processes, before their leases expire. */
export async function markUnknownOfProcesses(sql: Sql, lockKeys: number[], limit: number): Promise<MarkedSend[]> {
  return markUnknown(sql, sql`sending_until is not null and lock_key = any(${lockKeys}::int[])`, limit)
}

/** Messages are found by key and updated in place: for a join by key the planner may read all messages. */
async function markUnknown(sql: Sql, condition: Fragment, limit: number): Promise<MarkedSend[]> {
  return sql<MarkedSend[]>`
    with ended as (
      select ctid as place, organization_id, channel_id, message_id
      from unsettled_sends
      where ${condition}
      order by sending_until
      limit ${limit}
      for update skip locked
    ),
    left_open as (
      update unsettled_sends
      set sending_until = null
      where ctid = any(array(select place from ended))
    )
    update messages m
    set status = 'unknown'
    from ended e
    cross join lateral (
      select f.id, f.ctid as place
      from messages f
      where f.organization_id = e.organization_id
        and f.channel_id = e.channel_id
        and f.id = e.message_id
        and f.status = 'sending'
      limit 1
    ) f
    where m.id = f.id
      and m.ctid = f.place
    returning m.organization_id as "organizationId", m.channel_id as "channelId", m.id as "messageId"`
}

const TABLES = { keys: 'message_keys', wamids: 'message_wamids', unsettled: 'unsettled_sends' } as const

/** What is kept of sends beside the log: Idempotency-Keys, upstream ids, unsettled sends. */
export type SendTable = keyof typeof TABLES
export const SEND_TABLES = Object.keys(TABLES) as SendTable[]

/** Deletes up to `limit` rows of messages older than an id, and returns how many. */
export async function deleteFrom(
  sql: Sql,
  tableName: SendTable,
  { before, limit }: { before: string; limit: number },
): Promise<number> {
  const table = sql(TABLES[tableName])
  const result = await sql`
    delete from ${table}
    where ctid = any(array(
      select ctid
      from ${table}
      where message_id < ${before}::uuid
      order by message_id
      limit ${limit}))`
  return result.count
}
