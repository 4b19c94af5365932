import type { Tx } from '../../../kernel/db/pool.ts'
import { rows } from '../../../kernel/db/rows.ts'
import { type ChannelRow, selectChannelColumns } from '../store.ts'
import type { SignalState } from './signals.ts'

export type ChannelKey = { organizationId: string; id: string }

export type SignalStateRow = ChannelRow & { organization_id: string } & Omit<SignalState, 'status' | 'verifiedName'>

/** Locks the channels that are or were connected. The order keeps two transactions from a deadlock. */
export async function lockSignalStates(tx: Tx, keys: ChannelKey[]): Promise<SignalStateRow[]> {
  return tx<SignalStateRow[]>`
    select organization_id, ${selectChannelColumns(tx)}, account_signal as "accountSignal",
      account_signal_reason as "accountReason", number_signal as "numberSignal",
      coalesce(extract(epoch from account_signal_at), 0)::float8 as "accountSignalAt",
      coalesce(extract(epoch from account_held_until) * 1000, 0)::float8 as "restrictedUntilMs",
      coalesce(extract(epoch from number_signal_at), 0)::float8 as "numberSignalAt",
      coalesce(extract(epoch from name_signal_at), 0)::float8 as "nameSignalAt",
      coalesce(extract(epoch from username_signal_at), 0)::float8 as "usernameSignalAt"
    from channels
    where (organization_id, id) in (
        select k.organization_id, k.id
        from ${rows(tx, keys, { organizationId: 'uuid', id: 'uuid' })} as k)
      and archived_at is null
      and status <> 'pending'
      and phone_number_id is not null
    order by organization_id, id
    for update`
}

export async function listNumbers(
  tx: Tx,
  keys: ChannelKey[],
): Promise<Pick<ChannelRow, 'id' | 'phone_number_id' | 'display_phone_number' | 'verified_name' | 'quality_rating'>[]> {
  return tx`
    select id, phone_number_id, display_phone_number, verified_name, quality_rating
    from channels
    where (organization_id, id) in (
        select k.organization_id, k.id
        from ${rows(tx, keys, { organizationId: 'uuid', id: 'uuid' })} as k)
      and archived_at is null`
}

export async function listImporting(tx: Tx, keys: ChannelKey[]): Promise<{ id: string }[]> {
  return tx<{ id: string }[]>`
    select id
    from channels
    where (organization_id, id) in (
        select k.organization_id, k.id
        from ${rows(tx, keys, { organizationId: 'uuid', id: 'uuid' })} as k)
      and archived_at is null
      and import_history = 'events'`
}

/** The channels that still own their number. The lock keeps the number with them until the commit. */
export async function lockNumberOwners(tx: Tx, channels: SignalStateRow[]): Promise<{ channel_id: string }[]> {
  return tx<{ channel_id: string }[]>`
    select n.channel_id
    from channel_numbers n
    join ${rows(tx, channels, { organization_id: 'uuid', id: 'uuid', phone_number_id: 'text' })} as c
      on c.organization_id = n.organization_id and c.id = n.channel_id and c.phone_number_id = n.phone_number_id
    order by n.phone_number_id
    for update of n`
}

export async function updateSignalStates(tx: Tx, states: (ChannelKey & SignalState)[]): Promise<void> {
  const values = rows(tx, states, {
    organizationId: 'uuid',
    id: 'uuid',
    status: 'text',
    verifiedName: 'text',
    username: 'text',
    accountSignal: 'text',
    accountReason: 'text',
    accountSignalAt: 'float8',
    restrictedUntilMs: 'float8',
    numberSignal: 'text',
    numberSignalAt: 'float8',
    nameSignalAt: 'float8',
    usernameSignalAt: 'float8',
  })
  await tx`
    update channels c
    set status = s.status, status_since = case when c.status = s.status then c.status_since else hub_now() end,
        verified_name = s.verified_name, username = s.username, account_signal = s.account_signal,
        account_signal_reason = s.account_reason,
        account_signal_at = nullif(to_timestamp(s.account_signal_at), to_timestamp(0)),
        account_held_until = nullif(to_timestamp(s.restricted_until_ms / 1000), to_timestamp(0)),
        number_signal = s.number_signal,
        number_signal_at = nullif(to_timestamp(s.number_signal_at), to_timestamp(0)),
        name_signal_at = nullif(to_timestamp(s.name_signal_at), to_timestamp(0)),
        username_signal_at = nullif(to_timestamp(s.username_signal_at), to_timestamp(0)), updated_at = hub_now()
    from ${values} as s
    where c.organization_id = s.organization_id
      and c.id = s.id`
}
