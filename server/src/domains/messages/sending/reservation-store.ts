import type { Fragment, Sql } from '../../../kernel/db/pool.ts'
import { rows } from '../../../kernel/db/rows.ts'
import { buildSuspensions } from '../../billing/subscriptions/service.ts'
import { buildOpenChannels } from '../../channels/service.ts'
import type { TemplateName } from '../../templates/sendability/report.ts'
import { buildUnsendableLookup } from '../../templates/sendability/service.ts'
import type { ContactDetails } from '../contacts/identify.ts'
import { buildContactInsert } from '../contacts/store.ts'
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

type ReservationOptions = {
  leaseSeconds: number
  lockKey: number | null
  isBilled: boolean
  /** True if the log entries are written with the outcomes. */
  isLogDeferred: boolean
}

/**
 * Reserves sends before their upstream calls: key and unsettled send, or neither. Of any number of reservations with one key,
 * in one statement or in many, one succeeds. The order of the keys prevents deadlocks.
 */
export async function reserve(
  sql: Sql,
  sends: Reservation[],
  { leaseSeconds, lockKey, isBilled, isLogDeferred }: ReservationOptions,
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
    met as (${buildContactInsert(
      sql,
      sql`
        select organization_id, channel_id, contact_id as id, user_id, reversed_number
        from reserved
        where known_id is null
          and contact_id is not null`,
    )}),
    ${isLogDeferred ? openSends(sql, leaseSeconds, lockKey) : logSends(sql, leaseSeconds, lockKey)}
    select l.created_at, c.status, coalesce(c.can_send, false) as can_send,
      coalesce(c.is_suspended, false) as is_suspended, u.status as template_status, u.since as template_since,
      c.phone_number_id, c.waba_id, c.access_token, c.sender
    from i
    left join c on c.organization_id = i.organization_id and c.id = i.channel_id
    left join opened l on l.message_id = i.message_id
    left join unsendable u on u.message_id = i.message_id
    order by i.n`
}

/** `opened`: what the log will have of the sends is in their unsettled rows. */
function openSends(sql: Sql, leaseSeconds: number, lockKey: number | null): Fragment {
  return sql`
    opened as (
      insert into unsettled_sends
        (organization_id, channel_id, message_id, opaque, sending_until, lock_key, type, sender, recipient, contact, contact_id,
          content, context, created_at)
      select organization_id, channel_id, message_id, callback_data, hub_now() + make_interval(secs => ${leaseSeconds}),
        ${lockKey}::int, type, sender, "to", contact, coalesce(known_id, contact_id), content, context, hub_now()
      from reserved
      returning message_id, created_at
    )`
}

/** `opened`: the log has the sends already, as processes of the version before expect it. */
function logSends(sql: Sql, leaseSeconds: number, lockKey: number | null): Fragment {
  return sql`
    opened as (
      insert into messages
        (organization_id, channel_id, id, direction, type, status, sender, recipient, contact, contact_id, content, context)
      select organization_id, channel_id, message_id, 'outbound', type, 'sending', sender, "to", contact,
        coalesce(known_id, contact_id), content, context
      from reserved
      returning id as message_id, created_at
    ),
    unsettled as (
      insert into unsettled_sends (organization_id, channel_id, message_id, opaque, sending_until, lock_key)
      select organization_id, channel_id, message_id, callback_data, hub_now() + make_interval(secs => ${leaseSeconds}),
        ${lockKey}::int
      from reserved
    )`
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

/** The message and the unsettled send are looked up by their key: for a join the planner may read all those of the channel. */
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
    left join lateral (
      select u.sending_until
      from unsettled_sends u
      where u.organization_id = k.organization_id and u.channel_id = k.channel_id and u.message_id = k.message_id
      limit 1
    ) u on true
    where k.organization_id = ${k.organizationId}
      and k.channel_id = ${k.channelId}
      and k.key = ${k.key}`
  return row
}
