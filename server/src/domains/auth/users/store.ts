import type { Sql, Tx } from '../../../kernel/db/pool.ts'
import { rows } from '../../../kernel/db/rows.ts'
import type { AccessReads } from '../authentication-store.ts'

export type User = {
  id: string
  email: string
  name: string
  password_hash: string
  totp_secret: string | null
  totp_enabled_at: string | null
  totp_last_step: string
  email_verified_at: string | null
}

export async function findUser(sql: Sql, key: { email: string } | { id: string }): Promise<User | undefined> {
  const [row] = await sql<User[]>`
    select id, email, name, password_hash, totp_secret, totp_enabled_at, totp_last_step, email_verified_at
    from users
    where ${'id' in key ? sql`id = ${key.id}` : sql`email = ${key.email}`}`
  return row
}

/** Returns false if the e-mail is taken. The unique index decides, so concurrent inserts are safe. */
export async function insertUser(
  tx: Tx,
  u: { id: string; email: string; name: string; passwordHash: string; isEmailVerified: boolean },
): Promise<boolean> {
  const matches = await tx`
    insert into users (id, email, name, password_hash, email_verified_at)
    values (${u.id}, ${u.email}, ${u.name}, ${u.passwordHash}, case when ${u.isEmailVerified} then hub_now() end)
    on conflict on constraint users_email_unique do nothing
    returning id`
  return matches.length === 1
}

/** Locks the row until the transaction ends. */
export async function lockName(tx: Tx, id: string): Promise<string | undefined> {
  const [row] = await tx<{ name: string }[]>`select name from users where id = ${id} for no key update`
  return row?.name
}

export async function updateName(tx: Tx, id: string, name: string): Promise<void> {
  await tx`update users set name = ${name} where id = ${id}`
}

export async function updatePassword(tx: Tx, id: string, passwordHash: string): Promise<void> {
  await tx`update users set password_hash = ${passwordHash} where id = ${id}`
}

/** Replaces an unconfirmed secret; false if a confirmed one exists. */
export async function updatePendingTotp(tx: Tx, id: string, sealedSecret: string): Promise<boolean> {
  const matches = await tx`
    update users
    set totp_secret = ${sealedSecret}, totp_last_step = 0
    where id = ${id}
      and totp_enabled_at is null
    returning id`
  return matches.length === 1
}

/** Locks the row until the transaction ends; false if the password or the second factor changed since it was read. */
export async function lockCredentials(
  tx: Tx,
  user: Pick<User, 'id' | 'password_hash' | 'totp_enabled_at'>,
): Promise<boolean> {
  const matches = await tx`
    select id
    from users
    where id = ${user.id}
      and password_hash = ${user.password_hash}
      and (totp_enabled_at is not null) = ${user.totp_enabled_at !== null}
    for no key update`
  return matches.length === 1
}

export async function lockUser(tx: Tx, id: string): Promise<void> {
  await tx`select id from users where id = ${id} for no key update`
}

/** Until the transaction ends no membership of these people can be inserted. */
export async function lockUsers(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx`
    select id
    from users
    where id = any(${ids}::uuid[])
    order by id
    for update`
}

/** To be called after `lockUsers`: only a later statement sees the memberships for which that has waited. */
export async function deleteWithoutOrganization(
  tx: Tx,
  ids: readonly string[],
  { buildMemberships }: AccessReads,
): Promise<number> {
  const { count } = await tx`
    delete from users
    where id = any(${ids}::uuid[])
      and not exists (select 1 from (${buildMemberships(tx)}) m where m.user_id = users.id)`
  return count
}

/** Returns true if the person has a second factor; locks the row until the transaction ends. */
export async function lockSecondFactor(tx: Tx, id: string): Promise<boolean> {
  const matches = await tx`
    select id
    from users
    where id = ${id}
      and totp_enabled_at is not null
    for no key update`
  return matches.length === 1
}

/** The name of an organization of the person that requires a second factor. */
export async function findRequiringOrganization(
  tx: Tx,
  userId: string,
  { buildMemberships }: AccessReads,
): Promise<string | undefined> {
  const [row] = await tx<{ name: string }[]>`
    select m.name
    from (${buildMemberships(tx)}) m
    where m.user_id = ${userId}
      and m.two_factor_required
    order by m.organization_id
    limit 1`
  return row?.name
}

/** Enables only the secret that the code was checked against; false if it was replaced or confirmed meanwhile. */
export async function enableTotp(
  tx: Tx,
  u: { id: string; sealedSecret: string; step: number; codeHashes: Buffer[] },
): Promise<boolean> {
  const matches = await tx`
    update users
    set totp_enabled_at = hub_now(), totp_last_step = ${u.step}, totp_set_verified = email_verified_at is not null
    where id = ${u.id}
      and totp_secret = ${u.sealedSecret}
      and totp_enabled_at is null
    returning id`
  if (matches.length === 0) return false
  await tx`delete from recovery_codes where user_id = ${u.id}`
  const codes = u.codeHashes.map((codeHash) => ({ codeHash }))
  await tx`
    insert into recovery_codes (user_id, code_hash)
    select ${u.id}, c.code_hash
    from ${rows(tx, codes, { codeHash: 'bytea' })} as c`
  return true
}

export async function disableTotp(tx: Tx, id: string): Promise<void> {
  await tx`
    update users
    set totp_secret = null, totp_enabled_at = null, totp_last_step = 0, totp_set_verified = false
    where id = ${id}`
  await tx`delete from recovery_codes where user_id = ${id}`
}

/** Returns true if the person has a second factor that was set before the e-mail was verified. */
export async function hasFactorSetUnverified(tx: Tx, id: string): Promise<boolean> {
  const matches = await tx`
    select id
    from users
    where id = ${id}
      and totp_enabled_at is not null
      and not totp_set_verified`
  return matches.length === 1
}

/** False if the e-mail was verified before, whose time stays. */
export async function markEmailVerified(tx: Tx, id: string): Promise<boolean> {
  const matches = await tx`
    update users
    set email_verified_at = hub_now()
    where id = ${id}
      and email_verified_at is null
    returning id`
  return matches.length === 1
}

/** If one code is used concurrently, only the first use advances the step. */
export async function spendTotpStep(sql: Sql, id: string, step: number): Promise<boolean> {
  const matches = await sql`
    update users
    set totp_last_step = ${step}
    where id = ${id}
      and totp_last_step < ${step}
    returning id`
  return matches.length === 1
}

export async function spendRecoveryCode(sql: Sql, id: string, codeHash: Buffer): Promise<boolean> {
  const matches = await sql`
    delete from recovery_codes
    where user_id = ${id}
      and code_hash = ${codeHash}
    returning user_id`
  return matches.length === 1
}
