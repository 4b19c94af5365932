import type { Sql, Tx } from '../../../kernel/db/pool.ts'

export async function insertReset(
  tx: Tx,
  r: { id: string; userId: string; tokenHash: Buffer; lifeSeconds: number },
): Promise<void> {
  await tx`
    insert into password_resets (id, user_id, token_hash, expires_at)
    values (${r.id}, ${r.userId}, ${r.tokenHash}, hub_now() + make_interval(secs => ${r.lifeSeconds}))`
}

export async function revokeOpen(tx: Tx, userId: string): Promise<void> {
  await tx`
    update password_resets
    set revoked_at = hub_now()
    where user_id = ${userId}
      and used_at is null
      and revoked_at is null`
}

export type PasswordReset = {
  id: string
  user_id: string
  email: string
  name: string
  expires_at: string
  state: 'open' | 'used' | 'expired'
}

/** A revoked link counts as expired. */
export async function findReset(sql: Sql, tokenHash: Buffer): Promise<PasswordReset | undefined> {
  const [row] = await sql<PasswordReset[]>`
    select r.id, r.user_id, u.email, u.name, r.expires_at,
      case
        when r.used_at is not null then 'used'
        when r.revoked_at is not null or r.expires_at <= hub_now() then 'expired'
        else 'open'
      end as state
    from password_resets r
    join users u on u.id = r.user_id
    where r.token_hash = ${tokenHash}`
  return row
}

/** The row lock lets only the first of concurrent uses succeed. */
export async function markUsed(tx: Tx, id: string): Promise<boolean> {
  const rows = await tx`
    update password_resets
    set used_at = hub_now()
    where id = ${id}
      and used_at is null
      and revoked_at is null
      and expires_at > hub_now()
    returning id`
  return rows.length === 1
}

/** An ended link is kept for some days, in which it is 410 and not 404. */
export async function deleteOldResets(sql: Sql, days: number): Promise<void> {
  await sql`
    delete from password_resets
    where expires_at < hub_now() - make_interval(days => ${days})`
}
