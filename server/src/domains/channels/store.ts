import type { Fragment, Sql, Tx } from '../../kernel/db/pool.ts'
import type { Deregistration } from './deregistration.ts'
import type { HistoryImport } from './history-import.ts'
import { SEND_RATES } from './send-rates.ts'
import type { ChannelStatus } from './status.ts'

/** `access_token` is encrypted. */
export type ChannelRow = {
  id: string
  name: string
  external_id: string | null
  status: ChannelStatus
  phone_number_id: string | null
  waba_id: string | null
  display_phone_number: string | null
  verified_name: string | null
  quality_rating: string | null
  username: string | null
  coexistence: boolean
  import_history: HistoryImport
  monthly_budget: number | null
  subscribed_ok: boolean | null
  access_token: string | null
  archived_at: string | null
  deregistration: Deregistration | null
  is_being_deleted: boolean
  /** The upstream restricted the account and has not withdrawn the restriction. */
  is_restricted: boolean
  created_at: string
  updated_at: string
}

type Key = { organizationId: string; id: string }

export const selectChannelColumns = (sql: Sql) => sql`
  id, name, external_id, status, phone_number_id, waba_id, display_phone_number, verified_name, quality_rating,
  username, coexistence, import_history, monthly_budget::float8 as monthly_budget, subscribed_ok, access_token, archived_at, deregistration, created_at, updated_at,
  coalesce(deletion_claimed_until > hub_now(), false) as is_being_deleted,
  coalesce(account_held_until > hub_now(), false) as is_restricted`

export async function insertChannel(
  tx: Tx,
  c: { organizationId: string; id: string; name: string; externalId: string | null },
): Promise<ChannelRow> {
  const [row] = await tx<ChannelRow[]>`
    insert into channels (organization_id, id, name, external_id)
    values (${c.organizationId}, ${c.id}, ${c.name}, ${c.externalId})
    returning ${selectChannelColumns(tx)}`
  if (!row) throw new Error('An insert returned no row')
  return row
}

/** The channels that exist, for the statements of other domains: an archived one does not. */
export function buildOpenChannels(sql: Sql): Fragment {
  return sql`
    select organization_id, id, name, status, status_since, phone_number_id, waba_id, display_phone_number, access_token,
      subscribed_ok, quality_rating, created_at, updated_at,
      status in ('active', 'degraded') and phone_number_id is not null and access_token is not null as can_send
    from channels
    where archived_at is null`
}

/**
 * A channel, archived or not, if the organization has it, with the sends that its number may make in a second: a part of
 * another domain's statement.
 */
export function buildChannelLookup(sql: Sql, key: { organizationId: Fragment; id: Fragment }): Fragment {
  return sql`
    select channels.id, ${selectSendRate(sql)} as send_rate
    from channels
    where channels.organization_id = ${key.organizationId}
      and channels.id = ${key.id}`
}

/** A number on the Business app has its own throughput, and the level of any other is known from the upstream. */
function selectSendRate(sql: Sql): Fragment {
  return sql`
    case when channels.coexistence then ${SEND_RATES.onBusinessApp}::int
         when channels.throughput_level = 'HIGH' then ${SEND_RATES.high}::int
         else ${SEND_RATES.standard}::int end`
}

export function buildChannelCount(sql: Sql, organizationId: string): Fragment {
  return sql`
    select count(*)::int as used
    from channels
    where organization_id = ${organizationId}
      and archived_at is null`
}

/**
 * The ids that are unarchived channels of the organization. The lock keeps them so until the caller commits: the deletion
 * of a channel waits for the lock, and then deletes what the caller has linked to it.
 */
export async function lockOpenChannels(
  tx: Tx,
  c: { organizationId: string; channelIds: readonly string[] },
): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select id
    from channels
    where organization_id = ${c.organizationId}
      and id = any(${c.channelIds}::uuid[])
      and archived_at is null
    order by id
    for key share`
  return rows.map(({ id }) => id)
}

export async function listChannels(
  sql: Sql,
  l: { organizationId: string; before: string | null; limit: number },
): Promise<ChannelRow[]> {
  return sql<ChannelRow[]>`
    select ${selectChannelColumns(sql)}
    from channels
    where organization_id = ${l.organizationId}
      and archived_at is null
      ${l.before === null ? sql`` : sql`and id < ${l.before}`}
    order by id desc
    limit ${l.limit}`
}

export type KeptChannel = Omit<ChannelRow, 'access_token' | 'is_being_deleted' | 'is_restricted'>

/** Newest first, with those that were deleted. */
export async function listKeptChannels(
  sql: Sql,
  f: { organizationId: string; before: string | null; limit: number },
): Promise<KeptChannel[]> {
  return sql<KeptChannel[]>`
    select id, name, external_id, status, phone_number_id, waba_id, display_phone_number, verified_name, quality_rating,
      username, coexistence, import_history, monthly_budget::float8 as monthly_budget, subscribed_ok, archived_at, deregistration, created_at, updated_at
    from channels
    where organization_id = ${f.organizationId}
      ${f.before === null ? sql`` : sql`and id < ${f.before}`}
    order by id desc
    limit ${f.limit}`
}

export async function findChannel(sql: Sql, key: Key): Promise<ChannelRow | undefined> {
  const [row] = await sql<ChannelRow[]>`
    select ${selectChannelColumns(sql)}
    from channels
    where organization_id = ${key.organizationId}
      and id = ${key.id}
      and archived_at is null`
  return row
}

/** Includes archived channels: a repeated deletion reports the first one's outcome. */
export async function findChannelIncludingArchived(sql: Sql, key: Key): Promise<ChannelRow | undefined> {
  const [row] = await sql<ChannelRow[]>`
    select ${selectChannelColumns(sql)}
    from channels
    where organization_id = ${key.organizationId}
      and id = ${key.id}`
  return row
}

/** Serializes all changes of one channel's state. */
export async function lockChannel(tx: Tx, key: Key): Promise<ChannelRow | undefined> {
  const [row] = await tx<ChannelRow[]>`
    select ${selectChannelColumns(tx)}
    from channels
    where organization_id = ${key.organizationId}
      and id = ${key.id}
      and archived_at is null
    for update`
  return row
}

export async function updateChannel(
  tx: Tx,
  c: Key & {
    name?: string | undefined
    externalId?: string | null | undefined
    importHistory?: HistoryImport | undefined
    monthlyBudget?: number | null | undefined
  },
): Promise<ChannelRow | undefined> {
  const [row] = await tx<ChannelRow[]>`
    update channels
    set name = coalesce(${c.name ?? null}, name),
        external_id = case when ${c.externalId !== undefined} then ${c.externalId ?? null} else external_id end,
        import_history = coalesce(${c.importHistory ?? null}, import_history),
        monthly_budget = case when ${c.monthlyBudget !== undefined} then ${c.monthlyBudget ?? null}::bigint
          else monthly_budget end,
        updated_at = hub_now()
    where organization_id = ${c.organizationId}
      and id = ${c.id}
      and archived_at is null
    returning ${selectChannelColumns(tx)}`
  return row
}

export type Connection = {
  status: ChannelStatus
  phoneNumberId: string
  wabaId: string
  displayPhoneNumber: string | null
  verifiedName: string | null
  qualityRating: string | null
  throughputLevel: string | null
  coexistence: boolean
  sealedToken: string
}

export async function markConnected(tx: Tx, key: Key, c: Connection): Promise<ChannelRow> {
  const [row] = await tx<ChannelRow[]>`
    update channels
    set status = ${c.status}, status_since = case when status = ${c.status} then status_since else hub_now() end,
        phone_number_id = ${c.phoneNumberId}, waba_id = ${c.wabaId},
        username = case when phone_number_id = ${c.phoneNumberId} then username end,
        display_phone_number = ${c.displayPhoneNumber}, verified_name = ${c.verifiedName},
        quality_rating = ${c.qualityRating}, throughput_level = ${c.throughputLevel},
        coexistence = ${c.coexistence}, access_token = ${c.sealedToken},
        subscribed_ok = true, checked_at = hub_now(), updated_at = hub_now(),
        account_signal = null, account_signal_reason = null, account_held_until = null, number_signal = null,
        -- Signals from before this connection must not count.
        account_signal_at = case when phone_number_id is not null then hub_now() end,
        number_signal_at = case when phone_number_id is not null then hub_now() end
    where organization_id = ${key.organizationId}
      and id = ${key.id}
    returning ${selectChannelColumns(tx)}`
  if (!row) throw new Error('The update of a locked channel matched no row')
  return row
}

export async function updateHealth(
  tx: Tx,
  key: Key,
  h: {
    status: ChannelStatus
    subscribedOk: boolean | null
    displayPhoneNumber: string | null
    verifiedName: string | null
    qualityRating: string | null
    throughputLevel: string | null
  },
): Promise<ChannelRow> {
  const [row] = await tx<ChannelRow[]>`
    update channels
    set status = ${h.status}, status_since = case when status = ${h.status} then status_since else hub_now() end,
        subscribed_ok = coalesce(${h.subscribedOk}, subscribed_ok),
        display_phone_number = coalesce(${h.displayPhoneNumber}, display_phone_number),
        verified_name = coalesce(${h.verifiedName}, verified_name),
        quality_rating = coalesce(${h.qualityRating}, quality_rating),
        throughput_level = coalesce(${h.throughputLevel}, throughput_level),
        updated_at = hub_now()
    where organization_id = ${key.organizationId}
      and id = ${key.id}
    returning ${selectChannelColumns(tx)}`
  if (!row) throw new Error('The update of a locked channel matched no row')
  return row
}

/**
 * Claims the deletion of a channel: between the upstream call and the archiving no other
 * process may do either. The claim of a process that dies expires.
 */
export async function claimDeletion(sql: Sql, key: Key, seconds: number): Promise<boolean> {
  const rows = await sql`
    update channels
    set deletion_claimed_until = hub_now() + make_interval(secs => ${seconds})
    where organization_id = ${key.organizationId}
      and id = ${key.id}
      and archived_at is null
      and (deletion_claimed_until is null or deletion_claimed_until <= hub_now())
    returning id`
  return rows.length === 1
}

export async function releaseDeletion(sql: Sql, key: Key): Promise<void> {
  await sql`
    update channels
    set deletion_claimed_until = null
    where organization_id = ${key.organizationId}
      and id = ${key.id}`
}

/** Erases the stored token: an archived channel never calls the upstream again. */
export async function markArchived(tx: Tx, key: Key, deregistration: Deregistration): Promise<void> {
  await tx`
    update channels
    set archived_at = hub_now(), access_token = null, deregistration = ${deregistration}, updated_at = hub_now()
    where organization_id = ${key.organizationId}
      and id = ${key.id}`
  await tx`
    delete from channel_numbers
    where organization_id = ${key.organizationId}
      and channel_id = ${key.id}`
}

/**
 * Claims up to `limit` channels whose check is due by updating `checked_at`;
 * `skip locked` lets any number of processes claim at once.
 */
export async function claimUnchecked(
  sql: Sql,
  c: { everySeconds: number; limit: number },
): Promise<{ organization_id: string; id: string }[]> {
  return sql<{ organization_id: string; id: string }[]>`
    update channels
    set checked_at = hub_now()
    where ctid = any(array(
      select ctid
      from channels
      where archived_at is null
        and status <> 'pending'
        and checked_at < hub_now() - make_interval(secs => ${c.everySeconds})
      order by checked_at
      limit ${c.limit}
      for update skip locked))
    returning organization_id, id`
}

export type ConnectedChannel = {
  organization_id: string
  id: string
  phone_number_id: string
  access_token: string | null
}

/** The connected channels of every organization, for the operator. */
export async function listConnected(
  sql: Sql,
  l: { after: { organization_id: string; id: string } | undefined; limit: number },
): Promise<ConnectedChannel[]> {
  return sql<ConnectedChannel[]>`
    select organization_id, id, phone_number_id, access_token
    from channels
    where archived_at is null
      and status in ('active', 'degraded')
      and phone_number_id is not null
      ${l.after === undefined ? sql`` : sql`and (organization_id, id) > (${l.after.organization_id}, ${l.after.id})`}
    order by organization_id, id
    limit ${l.limit}`
}

export async function listAbandoned(
  sql: Sql,
  c: { days: number; limit: number },
): Promise<{ organization_id: string; id: string }[]> {
  return sql<{ organization_id: string; id: string }[]>`
    select organization_id, id
    from channels
    where archived_at is null
      and status = 'pending'
      and created_at < hub_now() - make_interval(days => ${c.days})
    order by created_at
    limit ${c.limit}`
}
