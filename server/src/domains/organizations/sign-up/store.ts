import type { Language } from '@hubline/locales/languages.ts'
import type { Sql, Tx } from '../../../kernel/db/pool.ts'

export type NewAccount = {
  email: string
  name: string
  organizationName: string
  passwordHash: string
  language: Language
  timeZone: string
  setupCodeHash: Buffer | null
}

export async function insertPending(
  sql: Sql,
  p: NewAccount & { id: string; tokenHash: Buffer; lifeSeconds: number },
): Promise<void> {
  await sql`
    insert into pending_sign_ups (id, email, name, organization_name, password_hash, language, time_zone,
      setup_code_hash, token_hash, expires_at)
    values (${p.id}, ${p.email}, ${p.name}, ${p.organizationName}, ${p.passwordHash}, ${p.language}, ${p.timeZone},
      ${p.setupCodeHash}, ${p.tokenHash}, hub_now() + make_interval(secs => ${p.lifeSeconds}))`
}

type PendingSignUp = {
  id: string
  email: string
  name: string
  organization_name: string
  password_hash: string
  language: Language
  time_zone: string
  setup_code_hash: Buffer | null
  expires_at: string
}

/** Unknown, finished and expired links give no row. */
export async function findPending(sql: Sql, tokenHash: Buffer): Promise<PendingSignUp | undefined> {
  const [row] = await sql<PendingSignUp[]>`
    select id, email, name, organization_name, password_hash, language, time_zone, setup_code_hash, expires_at
    from pending_sign_ups
    where token_hash = ${tokenHash}
      and expires_at > hub_now()`
  return row
}

/**
 * Deletes every sign-up of an e-mail, and returns their ids. Of two that are finished at once the second waits for the
 * locks, which are taken in one order, and then finds no row.
 */
export async function takeSignUps(tx: Tx, email: string): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    with locked as (
      select id
      from pending_sign_ups
      where email = ${email}
      order by id
      for update
    )
    delete from pending_sign_ups p
    using locked
    where p.id = locked.id
    returning p.id`
  return rows.map(({ id }) => id)
}

export async function deleteExpired(sql: Sql): Promise<void> {
  await sql`delete from pending_sign_ups where expires_at <= hub_now()`
}
