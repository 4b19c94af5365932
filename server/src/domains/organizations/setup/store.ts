import type { Sql, Tx } from '../../../kernel/db/pool.ts'

export async function hasUsers(sql: Sql): Promise<boolean> {
  const rows = await sql`select 1 from users limit 1`
  return rows.length > 0
}

export async function isUnused(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ unused: boolean }[]>`
    select not exists (select 1 from users) and not exists (select 1 from organizations) as unused`
  return row?.unused ?? false
}

export async function hasAccount(sql: Sql, email: string): Promise<boolean> {
  const rows = await sql`select 1 from users where email = ${email}`
  return rows.length > 0
}

export async function insertCode(sql: Sql, codeHash: Buffer): Promise<void> {
  await sql`insert into setup_codes (code_hash) values (${codeHash})`
}

export async function listCodes(sql: Sql): Promise<Buffer[]> {
  const rows = await sql<{ code_hash: Buffer }[]>`select code_hash from setup_codes`
  return rows.map(({ code_hash }) => code_hash)
}

/** The second of two concurrent first accounts waits here, and then finds no code. */
export async function takeCodes(tx: Tx): Promise<Buffer[]> {
  const rows = await tx<{ code_hash: Buffer }[]>`delete from setup_codes returning code_hash`
  return rows.map(({ code_hash }) => code_hash)
}

export async function deleteCodes(sql: Sql): Promise<void> {
  await sql`delete from setup_codes`
}
