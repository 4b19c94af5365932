import type { Fragment, Sql, Tx } from '../../kernel/db/pool.ts'
import { createByteParts, defineRecord, records } from '../../kernel/db/records.ts'
import { rows } from '../../kernel/db/rows.ts'
import { buildReceivedMedia, type ReceivedMedia } from '../media/service.ts'
import type { ContactDetails } from '../messages/contacts/identify.ts'
import type { Row } from '../messages/inbound-updates/apply.ts'
import { buildReceivedContacts, buildReceivedMessages } from '../messages/inbound-updates/service.ts'
import type { Publication, QueuedDelivery } from '../webhooks/publishing/service.ts'
import type { TargetChannel } from './routing.ts'

/**
 * The channels of these numbers and accounts, disconnected ones included: each keeps its number until another channel
 * connects it. Without an organization: the ids determine it.
 */
export async function findChannels(
  sql: Sql,
  ids: { phoneNumberIds: string[]; wabaIds: string[] },
): Promise<TargetChannel[]> {
  return sql<TargetChannel[]>`
    select organization_id, channel_id, phone_number_id, waba_id, display_digits
    from channel_numbers
    where phone_number_id = any(${ids.phoneNumberIds}::text[])
      or waba_id = any(${ids.wabaIds}::text[])`
}

/** `organizationId` is null if a callback is not one organization's alone. */
export type NewCallback = { id: string; organizationId: string | null; bytes: Buffer; problem: string | null }

export async function insertCallbacks(tx: Tx, callbacks: NewCallback[]): Promise<void> {
  await tx`
    insert into callbacks (id, organization_id, body, problem)
    select c.id, c.organization_id, c.bytes, c.problem
    from ${rows(tx, callbacks, { id: 'uuid', organizationId: 'uuid', bytes: 'bytea', problem: 'text' })} as c`
}

/** `refusedAt` is the time of the last one. */
export type RefusedCount = { wabaId: string; refused: number; refusedAt: string }

/**
 * Adds to the counts of accounts that have a channel; a count begins anew after a day without a refused callback. The
 * order prevents deadlocks of two processes.
 */
export async function addRefused(sql: Sql, counts: RefusedCount[]): Promise<void> {
  await sql`
    insert into refused_callbacks as r (waba_id, refused, refused_at)
    select c.waba_id, c.refused, c.refused_at
    from ${rows(sql, counts, { wabaId: 'text', refused: 'int', refusedAt: 'timestamptz' })} as c
    where exists (select 1 from channel_numbers n where n.waba_id = c.waba_id)
    order by c.waba_id
    on conflict (waba_id) do update
    set refused = excluded.refused + case when r.refused_at > excluded.refused_at - interval '1 day' then r.refused else 0 end,
        refused_at = greatest(r.refused_at, excluded.refused_at)`
}

/** The counts by `waba_id`, as a part of another domain's statement. */
export function buildRefusedCounts(sql: Sql): Fragment {
  return sql`
    select waba_id, refused, refused_at
    from refused_callbacks`
}

export async function deleteRefused(sql: Sql, afterDays: number): Promise<void> {
  await sql`
    delete from refused_callbacks
    where refused_at < hub_now() - make_interval(days => ${afterDays})`
}

export type Seen = { organizationId: string; channelId: string; fingerprint: string }

/** Inserts changes and returns those that are new to their channels. The order prevents deadlocks of two batches. */
export async function insertSeen(tx: Tx, seen: Seen[]): Promise<{ channel_id: string; fingerprint: string }[]> {
  return tx<{ channel_id: string; fingerprint: string }[]>`
    insert into seen_changes (organization_id, channel_id, fingerprint)
    select s.organization_id, s.channel_id, s.fingerprint
    from ${rows(tx, seen, { organizationId: 'uuid', channelId: 'uuid', fingerprint: 'uuid' })} as s
    order by 1, 2, 3
    on conflict (organization_id, channel_id, fingerprint) do nothing
    returning channel_id, fingerprint`
}

type OfCallback = { callback: number }
type TakenCallback = Pick<NewCallback, 'id' | 'organizationId' | 'bytes'> & OfCallback
type CallbackPart = Omit<TakenCallback, 'bytes'> & { bytesAt: number; bytesLength: number }

const RECEIVED_CALLBACK = defineRecord<CallbackPart>('received_callback_1', {
  callback: 'int',
  id: 'uuid',
  organizationId: 'uuid',
  bytesAt: 'int',
  bytesLength: 'int',
})
const RECEIVED_CHANNEL = defineRecord<TargetChannel>('received_channel_1', {
  phone_number_id: 'text',
  waba_id: 'text',
  display_digits: 'text',
  organization_id: 'uuid',
  channel_id: 'uuid',
})
const RECEIVED_CHANGE = defineRecord<Seen & OfCallback>('received_change_1', {
  callback: 'int',
  organizationId: 'uuid',
  channelId: 'uuid',
  fingerprint: 'uuid',
})

/** The rows of callbacks that may be new. Each has the number of its callback; `eventCallbacks` are those of the events. */
export type NewRows = {
  callbacks: readonly TakenCallback[]
  /** The channels that the process remembers, each at least once. */
  channels: readonly TargetChannel[]
  changes: readonly (Seen & OfCallback)[]
  messages: readonly (Row & OfCallback)[]
  contacts: readonly (ContactDetails & OfCallback)[]
  media: readonly (ReceivedMedia & OfCallback)[]
  eventCallbacks: readonly number[]
}

export type Taken = { deliveries: QueuedDelivery[]; left_out: number[] }

/** Takes callbacks that are new, and returns the numbers of those that it left out, of which it has written nothing. */
export async function takeCallbacks(sql: Sql, r: NewRows, { call }: Publication): Promise<Taken[]> {
  const all = createByteParts()
  const callbacks = r.callbacks.map(({ bytes, ...callback }) => {
    const { at, length } = all.add(bytes)
    return { ...callback, bytesAt: at, bytesLength: length }
  })
  return sql<Taken[]>`
    select left_out, queued as deliveries
    from take_callbacks_1(
      ${records(sql, RECEIVED_CALLBACK, callbacks)},
      ${all.concat()},
      ${records(sql, RECEIVED_CHANNEL, r.channels)},
      ${records(sql, RECEIVED_CHANGE, r.changes)},
      ${buildReceivedMessages(sql, r.messages)},
      ${buildReceivedContacts(sql, r.contacts)},
      ${buildReceivedMedia(sql, r.media)},
      ${r.eventCallbacks}::integer[],
      ${call()})`
}

/** Deletes up to `limit` changes that the upstream no longer repeats, and returns how many. */
export async function deleteSeen(sql: Sql, f: { days: number; limit: number }): Promise<number> {
  const result = await sql`
    delete from seen_changes
    where ctid = any(array(
      select ctid
      from seen_changes
      where seen_at < hub_now() - make_interval(days => ${f.days})
      order by seen_at
      limit ${f.limit}))`
  return result.count
}
