import type { Tx } from '../../kernel/db/pool.ts'
import { type ChannelRow, columns } from './store.ts'
import type { Heard } from './words.ts'

type Key = { organizationId: string; id: string }

export type HeardRow = ChannelRow & { organization_id: string } & Omit<Heard, 'status' | 'verifiedName'>

/**
 * Locks those of the channels that are connected or were, and says what each has
 * heard so far. The order keeps two callers from waiting for each other.
 */
export async function lockHeard(tx: Tx, keys: Key[]): Promise<HeardRow[]> {
  return tx<HeardRow[]>`
    select organization_id, ${columns(tx)}, account_word as "accountWord", number_word as "numberWord",
      coalesce(extract(epoch from account_word_at), 0)::float8 as "accountWordAt",
      coalesce(extract(epoch from account_held_until) * 1000, 0)::float8 as "heldUntil",
      coalesce(extract(epoch from number_word_at), 0)::float8 as "numberWordAt",
      coalesce(extract(epoch from name_word_at), 0)::float8 as "nameWordAt"
    from channels
    where (organization_id, id) in (
        select *
        from unnest(
          ${tx.array(keys.map((key) => key.organizationId))}::uuid[],
          ${tx.array(keys.map((key) => key.id))}::uuid[]))
      and archived_at is null
      and status <> 'pending'
      and phone_number_id is not null
    order by organization_id, id
    for update`
}

/** Of the given channels, those that still hold their number, under the lock that lets nobody take it. */
export async function lockHolders(tx: Tx, rows: HeardRow[]): Promise<{ channel_id: string }[]> {
  return tx<{ channel_id: string }[]>`
    select n.channel_id
    from channel_numbers n
    join unnest(
      ${tx.array(rows.map((row) => row.organization_id))}::uuid[],
      ${tx.array(rows.map((row) => row.id))}::uuid[],
      ${tx.array(rows.map((row) => row.phone_number_id))}::text[]) as c (organization_id, channel_id, phone_number_id)
      using (organization_id, channel_id, phone_number_id)
    order by n.phone_number_id
    for update of n`
}

export async function updateHeard(tx: Tx, heard: (Key & Heard)[]): Promise<void> {
  await tx`
    update channels c
    set status = h.status, verified_name = h.verified_name, account_word = h.account_word,
        account_word_at = nullif(to_timestamp(h.account_word_at), to_timestamp(0)),
        account_held_until = nullif(to_timestamp(h.held_until / 1000), to_timestamp(0)),
        number_word = h.number_word, number_word_at = nullif(to_timestamp(h.number_word_at), to_timestamp(0)),
        name_word_at = nullif(to_timestamp(h.name_word_at), to_timestamp(0)), updated_at = hub_now()
    from unnest(
      ${tx.array(heard.map((one) => one.organizationId))}::uuid[],
      ${tx.array(heard.map((one) => one.id))}::uuid[],
      ${tx.array(heard.map((one) => one.status))}::text[],
      ${tx.array(heard.map((one) => one.verifiedName))}::text[],
      ${tx.array(heard.map((one) => one.accountWord))}::text[],
      ${tx.array(heard.map((one) => one.accountWordAt))}::float8[],
      ${tx.array(heard.map((one) => one.heldUntil))}::float8[],
      ${tx.array(heard.map((one) => one.numberWord))}::text[],
      ${tx.array(heard.map((one) => one.numberWordAt))}::float8[],
      ${tx.array(heard.map((one) => one.nameWordAt))}::float8[])
      as h (organization_id, id, status, verified_name, account_word, account_word_at, held_until,
        number_word, number_word_at, name_word_at)
    where c.organization_id = h.organization_id
      and c.id = h.id`
}
