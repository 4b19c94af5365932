import type { Sql, Tx } from '../../../kernel/db/pool.ts'

/** Replaces the open link and code of the person. */
export async function putVerification(
  sql: Sql,
  v: { userId: string; tokenHash: Buffer; codeHash: Buffer; lifeSeconds: number },
): Promise<void> {
  await sql`
    insert into email_verifications (user_id, token_hash, code_hash, expires_at)
    values (${v.userId}, ${v.tokenHash}, ${v.codeHash}, hub_now() + make_interval(secs => ${v.lifeSeconds}))
    on conflict (user_id) do update
    set token_hash = excluded.token_hash, code_hash = excluded.code_hash, expires_at = excluded.expires_at`
}

type OpenVerification = { user_id: string; email: string; expires_at: string }

/** Unknown, used, replaced and expired links give no row. */
export async function findOpen(sql: Sql, tokenHash: Buffer): Promise<OpenVerification | undefined> {
  const [row] = await sql<OpenVerification[]>`
    select v.user_id, u.email, v.expires_at
    from email_verifications v
    join users u on u.id = v.user_id
    where v.token_hash = ${tokenHash}
      and v.expires_at > hub_now()`
  return row
}

/** Uses up the link and the code by either of them. The row lock lets only the first of concurrent uses succeed. */
export async function useVerification(
  tx: Tx,
  key: { userId: string } & ({ tokenHash: Buffer } | { codeHash: Buffer }),
): Promise<boolean> {
  const rows = await tx`
    delete from email_verifications
    where user_id = ${key.userId}
      and ${'tokenHash' in key ? tx`token_hash = ${key.tokenHash}` : tx`code_hash = ${key.codeHash}`}
      and expires_at > hub_now()
    returning user_id`
  return rows.length === 1
}

export async function deleteExpired(sql: Sql): Promise<void> {
  await sql`delete from email_verifications where expires_at <= hub_now()`
}
