import type { Sql, Tx } from '../../kernel/db/pool.ts'
import type { Holder } from './routing.ts'

export async function insertCallbacks(
  tx: Tx,
  callbacks: { id: string; bytes: Buffer; problem: string | null }[],
): Promise<void> {
  await tx`
    insert into callbacks (id, body, problem)
    select *
    from unnest(
      ${tx.array(callbacks.map(({ id }) => id))}::uuid[],
      ${tx.array(callbacks.map(({ bytes }) => bytes))}::bytea[],
      ${tx.array(callbacks.map(({ problem }) => problem))}::text[])`
}

/** The channels of these numbers and accounts. Nothing here names a tenant: these names are what leads to one. */
export async function listHolders(tx: Tx, names: { phoneNumberIds: string[]; wabaIds: string[] }): Promise<Holder[]> {
  return tx<Holder[]>`
    select n.organization_id, n.channel_id, n.phone_number_id, n.waba_id, n.display_digits,
      c.status in ('active', 'degraded') as is_connected
    from channel_numbers n
    join channels c on c.organization_id = n.organization_id and c.id = n.channel_id
    where n.phone_number_id = any(${tx.array(names.phoneNumberIds)}::text[])
      or n.waba_id = any(${tx.array(names.wabaIds)}::text[])`
}

export type Seen = { organizationId: string; channelId: string; fingerprint: string }

/** Enters changes and returns those that are new to their channels, in an order that keeps two batches from deadlock. */
export async function insertSeen(tx: Tx, seen: Seen[]): Promise<{ channel_id: string; fingerprint: string }[]> {
  return tx<{ channel_id: string; fingerprint: string }[]>`
    insert into seen_changes (organization_id, channel_id, fingerprint)
    select *
    from unnest(
      ${tx.array(seen.map((s) => s.organizationId))}::uuid[],
      ${tx.array(seen.map((s) => s.channelId))}::uuid[],
      ${tx.array(seen.map((s) => s.fingerprint))}::uuid[]
    ) as s (organization_id, channel_id, fingerprint)
    order by 1, 2, 3
    on conflict (organization_id, channel_id, fingerprint) do nothing
    returning channel_id, fingerprint`
}

/** Up to `limit` changes that the upstream does not repeat any more. Returns how many went. */
export async function forgetSeen(sql: Sql, f: { days: number; limit: number }): Promise<number> {
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
