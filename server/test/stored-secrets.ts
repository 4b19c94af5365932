import type { Pool } from '../src/kernel/db/pool.ts'

/** Every row of every table as one text, with bytes in hex: what a thief of the database would hold. */
export async function dumpDatabase(sql: Pool): Promise<string> {
  const tables = await sql<{ name: string }[]>`
    select quote_ident(table_name) as name
    from information_schema.tables
    where table_schema = 'public'
      and table_type = 'BASE TABLE'`
  const rows = await Promise.all(tables.map(({ name }) => sql.unsafe(`select t::text as row from ${name} t`)))
  return rows.flatMap((table) => table.map(({ row }) => row)).join('\n')
}

/** The forms in which a secret could stand in a dump: as it is, in hex and in either base64. */
export function listEncodings(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const base64 = bytes.toString('base64').replace(/[^A-Za-z0-9+/]+$/, '')
  // The last character may hold bits of what follows, so it is left out of the comparison.
  return [secret, bytes.toString('hex'), base64.slice(0, -1), bytes.toString('base64url').slice(0, -1)]
}
