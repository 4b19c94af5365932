import type { Fragment, Sql } from '../../../kernel/db/pool.ts'
import { rows } from '../../../kernel/db/rows.ts'
import type { NewEvent } from '../../events/catalog.ts'
import type { EventRow } from '../../events/event-row.ts'
import { NO_CODE } from '../../statistics/counts/message-count.ts'
import type { Publication, Published } from '../../webhooks/publishing/service.ts'
import { type ContactDetails, mergeContactDetails } from '../contacts/identify.ts'
import { buildContactWrite } from '../contacts/store.ts'
import { ERASED } from '../inbound-updates/apply.ts'
import type { MessageRow } from '../message-entry.ts'
import type { AcceptedContact, MessageEntry } from '../schemas.ts'
import type { MessageError } from '../status.ts'

type Key = { organizationId: string; channelId: string }

export type Settlement = Key & {
  messageId: string
  /** The send was logged when it was reserved. */
  isLogged: boolean
  key: string | null
  /** `not-sent`: certainly not sent, so the key is free for another request. */
  outcome: 'accepted' | 'refused' | 'not-sent' | 'unknown'
  wamid: string | null
  contact: MessageRow['contact']
  /** For the answers to requests that repeat the send. */
  acceptedContact: AcceptedContact
  /** The recipient, if the upstream's answer has a user id; else null, and the contact of the message stays. */
  contactId: string | null
  /** The details of the recipient in the upstream's answer. */
  contacts: readonly ContactDetails[]
  error: MessageError | null
  /** message.sent, where the send was accepted. */
  event: (NewEvent & { id: string; data: { message: MessageEntry } }) | null
}

/** Parts of the statement that write the tables of other domains. Each gets the rows it needs as a query. */
type OtherWrites = {
  /** Counts usage: `(organization_id, counter, amount)`. */
  buildUsageInsert: WriteFrom
  /** Counts messages by channel and error code. */
  buildMessageCountInsert: WriteFrom
}
type WriteFrom = (sql: Sql, rows: Fragment) => Fragment

type Settled = Published & { settled_ids: string[]; erased_ids: string[] }

/** Sends that are under way; those that the log has; or those of which the log has the entry, but not the person any more. */
export type SettledSends = 'under-way' | 'logged' | 'erased'

/**
 * Records the outcomes of sends with their events, deliveries and usage, and returns the messages that were still
 * unsettled. A status callback may settle a send first; both lock the unsettled row before anything else, in the order
 * of the ids.
 *
 * A send that is under way gets its log entry with the outcome. Another process may log a send, as unknown, while this
 * statement waits for its row, and the entry is no row of its snapshot: then only another statement can settle the send.
 * Of those that the log has, the statement leaves out the ones whose person was erased, and returns them: their outcome must be
 * written without the person. It locks the log entries first, so that none is erased meanwhile.
 */
export async function settle(
  sql: Sql,
  settlements: Settlement[],
  publication: Publication,
  { buildUsageInsert, buildMessageCountInsert }: OtherWrites,
  sends: SettledSends,
): Promise<Settled[]> {
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
    unsettled as (
      select o.*, u.type, u.sender, u.recipient, u.contact_id as sent_contact_id, u.content, u.context,
        u.created_at
      from o
      join unsettled_sends u
        on u.organization_id = o.organization_id and u.channel_id = o.channel_id and u.message_id = o.message_id
      where u.type is ${sends === 'under-way' ? sql`not null` : sql`null`}
      order by o.message_id
      for update of u
    ),
    ${sends === 'logged' ? selectNotErased(sql, settlements) : sql`open as (select * from unsettled)`},
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
      set sending_until = null, ${forgetLogged(sql)}
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
    known as (${writeContacts(sql, settlements)}),
    named as (
      insert into message_wamids (organization_id, channel_id, wamid, message_id)
      select organization_id, channel_id, wamid, message_id
      from open
      where outcome = 'accepted'
      order by organization_id, channel_id, wamid
      on conflict (organization_id, channel_id, wamid) do update set message_id = excluded.message_id
    ),
    logged as (${sends === 'under-way' ? insertLogged(sql) : updateLogged(sql, settlements)})
    select array(select id from logged) as settled_ids,
      ${sends === 'logged' ? sql`array(select message_id from found where is_erased)` : sql`'{}'::uuid[]`} as erased_ids,
      ${publication.deliveries}`
}

/** Each message is looked up by its key: for a join the planner may read all between the first and the last. */
function selectNotErased(sql: Sql, settlements: readonly Settlement[]): Fragment {
  const { first, last } = readIdRange(settlements)
  return sql`
    found as (
      select s.*, m.is_erased
      from unsettled s
      left join lateral (
        select statuses_seen & ${ERASED}::smallint <> 0 as is_erased
        from messages
        where organization_id = s.organization_id
          and channel_id = s.channel_id
          and id = s.message_id
          and id between ${first}::uuid and ${last}::uuid
        limit 1
        for update
      ) m on true
    ),
    open as (select * from found where is_erased is not true)`
}

/** Not the details that also came with a send that this statement does not settle, because its person may have been erased. */
function writeContacts(sql: Sql, settlements: readonly Settlement[]): Fragment {
  const named = settlements.flatMap(({ messageId, contacts }) =>
    contacts.map(({ id }) => ({ messageId, contactId: id })),
  )
  const details = mergeContactDetails(settlements.flatMap(({ contacts }) => contacts))
  return buildContactWrite(sql, details, {
    except: sql`
      select n.contact_id
      from ${rows(sql, named, { messageId: 'uuid', contactId: 'uuid' })} as n
      where n.message_id not in (select message_id from open)`,
  })
}

const statusOf = (sql: Sql) =>
  sql`case o.outcome when 'accepted' then 'accepted' when 'unknown' then 'unknown' else 'failed' end`
const failedAt = (sql: Sql) => sql`case when o.outcome in ('refused', 'not-sent') then hub_now() end`

function insertLogged(sql: Sql): Fragment {
  return sql`
    insert into messages
      (organization_id, channel_id, id, direction, type, status, sender, recipient, contact, contact_id, upstream_message_id,
        content, context, accepted_contact, error, created_at, failed_at)
    select organization_id, channel_id, message_id, 'outbound', type, ${statusOf(sql)}, sender, recipient, contact,
      coalesce(contact_id, sent_contact_id), wamid, content, context, accepted_contact, error, created_at, ${failedAt(sql)}
    from open o
    returning id`
}

function updateLogged(sql: Sql, settlements: readonly Settlement[]): Fragment {
  const { first, last } = readIdRange(settlements)
  return sql`
    update messages m
    set status = ${statusOf(sql)},
        upstream_message_id = o.wamid,
        contact = o.contact,
        accepted_contact = o.accepted_contact,
        contact_id = coalesce(o.contact_id, m.contact_id),
        error = o.error,
        failed_at = ${failedAt(sql)}
    from open o
    where m.organization_id = o.organization_id
      and m.channel_id = o.channel_id
      and m.id = o.message_id
      and m.id between ${first}::uuid and ${last}::uuid
    returning m.id`
}

/** Spares a statement most partitions. */
function readIdRange(settlements: readonly Settlement[]): { first: string | null; last: string | null } {
  const ids = settlements.map(({ messageId }) => messageId).sort()
  return { first: ids[0] ?? null, last: ids.at(-1) ?? null }
}

/** Clears the columns of an unsettled send that only the log needs, once the log has the entry. */
export const forgetLogged = (sql: Sql) => sql`
  type = null, sender = null, recipient = null, contact = null, contact_id = null, content = null, context = null, created_at = null`

/** PostgreSQL cannot read the code of an error whose words hold a NUL or half a surrogate pair. */
function toSettlementRows(settlements: Settlement[], events: readonly EventRow[]) {
  const byId = new Map(events.map((event) => [event.id, event]))
  return settlements.map(({ event, contacts, ...settlement }) => {
    const { kind = null, occurredAt = null, body = null, compatBody = null } = byId.get(event?.id ?? '') ?? {}
    const errorCode = String(settlement.error?.code ?? NO_CODE)
    return { ...settlement, errorCode, eventId: event?.id ?? null, kind, occurredAt, body, compatBody }
  })
}
