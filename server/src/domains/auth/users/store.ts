import type { Sql, Tx } from '../../../kernel/db/pool.ts'

export type User = {
  id: string
  email: string
  name: string
  password_hash: string
  totp_secret: string | null
  totp_enabled_at: string | null
  totp_last_step: string
}

export async function findUser(sql: Sql, key: { email: string } | { id: string }): Promise<User | undefined> {
  const [row] = await sql<User[]>`
    select id, email, name, password_hash, totp_secret, totp_enabled_at, totp_last_step
    from users
    where ${'id' in key ? sql`id = ${key.id}` : sql`email = ${key.email}`}`
  return row
}

/** Returns false when the e-mail is taken, decided by the unique index and so right under concurrency. */
export async function insertUser(
  tx: Tx,
  u: { id: string; email: string; name: string; passwordHash: string },
): Promise<boolean> {
  const rows = await tx`
    insert into users (id, email, name, password_hash)
    values (${u.id}, ${u.email}, ${u.name}, ${u.passwordHash})
    on conflict on constraint users_email_unique do nothing
    returning id`
  return rows.length === 1
}

export async function updatePassword(tx: Tx, id: string, passwordHash: string): Promise<void> {
  await tx`update users set password_hash = ${passwordHash} where id = ${id}`
}

/** A secret that is not confirmed yet asks nothing of the person, and replaces an earlier unconfirmed one. */
export async function updatePendingTotp(tx: Tx, id: string, sealedSecret: string): Promise<boolean> {
  const rows = await tx`
    update users
    set totp_secret = ${sealedSecret}, totp_last_step = 0
    where id = ${id}
      and totp_enabled_at is null
    returning id`
  return rows.length === 1
}

/** Holds a verified password as it was until the transaction ends; false when it was changed since. */
export async function lockPassword(tx: Tx, user: Pick<User, 'id' | 'password_hash'>): Promise<boolean> {
  const rows = await tx`
    select id
    from users
    where id = ${user.id}
      and password_hash = ${user.password_hash}
    for no key update`
  return rows.length === 1
}

/** Enables the very secret that a code was checked against: one begun or confirmed meanwhile is another. */
export async function enableTotp(
  tx: Tx,
  u: { id: string; sealedSecret: string; step: number; codeHashes: Buffer[] },
): Promise<boolean> {
  const rows = await tx`
    update users
    set totp_enabled_at = hub_now(), totp_last_step = ${u.step}
    where id = ${u.id}
      and totp_secret = ${u.sealedSecret}
      and totp_enabled_at is null
    returning id`
  if (rows.length === 0) return false
  await tx`delete from recovery_codes where user_id = ${u.id}`
  const hashes = u.codeHashes.map((hash) => hash.toString('hex'))
  await tx`
    insert into recovery_codes (user_id, code_hash)
    select ${u.id}, decode(code, 'hex')
    from unnest(${tx.array(hashes)}::text[]) as code`
  return true
}

export async function disableTotp(tx: Tx, id: string): Promise<void> {
  await tx`update users set totp_secret = null, totp_enabled_at = null, totp_last_step = 0 where id = ${id}`
  await tx`delete from recovery_codes where user_id = ${id}`
}

/** Of concurrent uses of one code only the first moves the step forward. */
export async function spendTotpStep(sql: Sql, id: string, step: number): Promise<boolean> {
  const rows = await sql`
    update users
    set totp_last_step = ${step}
    where id = ${id}
      and totp_last_step < ${step}
    returning id`
  return rows.length === 1
}

export async function spendRecoveryCode(sql: Sql, id: string, codeHash: Buffer): Promise<boolean> {
  const rows = await sql`
    delete from recovery_codes
    where user_id = ${id}
      and code_hash = ${codeHash}
    returning user_id`
  return rows.length === 1
}
