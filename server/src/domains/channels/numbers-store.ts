import type { Sql, Tx } from '../../kernel/db/pool.ts'

export type NumberOwner = { organization_id: string; channel_id: string }

/** Returns false if the directory has the number already, for this channel or another. */
export async function insertNumber(
  tx: Tx,
  n: { phoneNumberId: string; wabaId: string; displayDigits: string; organizationId: string; channelId: string },
): Promise<boolean> {
  const rows = await tx`
    insert into channel_numbers (phone_number_id, waba_id, display_digits, organization_id, channel_id)
    values (${n.phoneNumberId}, ${n.wabaId}, ${n.displayDigits}, ${n.organizationId}, ${n.channelId})
    on conflict (phone_number_id) do nothing
    returning phone_number_id`
  return rows.length === 1
}

/** True if the channel still owns the number: a disconnected channel loses it to the next one that connects it. */
export async function isNumberOwner(
  sql: Sql,
  n: { phoneNumberId: string; organizationId: string; channelId: string },
): Promise<boolean> {
  const rows = await sql`
    select 1
    from channel_numbers
    where phone_number_id = ${n.phoneNumberId}
      and organization_id = ${n.organizationId}
      and channel_id = ${n.channelId}`
  return rows.length === 1
}

/** True if a channel has the number, whichever organization's. */
export async function hasNumber(sql: Sql, phoneNumberId: string): Promise<boolean> {
  const rows = await sql`select 1 from channel_numbers where phone_number_id = ${phoneNumberId}`
  return rows.length === 1
}

/**
 * Locks the number's entry and returns its owner. Read the owner's status with a
 * later statement: only that one sees commits made while this one waited.
 */
export async function lockNumber(tx: Tx, phoneNumberId: string): Promise<NumberOwner | undefined> {
  const [row] = await tx<NumberOwner[]>`
    select organization_id, channel_id
    from channel_numbers
    where phone_number_id = ${phoneNumberId}
    for update`
  return row
}

export async function isOwnerConnected(tx: Tx, owner: NumberOwner): Promise<boolean> {
  const rows = await tx`
    select 1
    from channels
    where organization_id = ${owner.organization_id}
      and id = ${owner.channel_id}
      and archived_at is null
      and status in ('active', 'degraded')`
  return rows.length === 1
}

export async function moveNumber(
  tx: Tx,
  n: { phoneNumberId: string; wabaId: string; displayDigits: string; organizationId: string; channelId: string },
): Promise<void> {
  await tx`
    update channel_numbers
    set organization_id = ${n.organizationId}, channel_id = ${n.channelId}, waba_id = ${n.wabaId},
        display_digits = ${n.displayDigits}
    where phone_number_id = ${n.phoneNumberId}`
}
