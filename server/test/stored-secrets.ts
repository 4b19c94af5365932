import type { Pool } from '../src/kernel/db/pool.ts'

/** Every row of every table as one text, with bytes in hex, like a dump. */
export async function dumpDatabase(sql: Pool): Promise<string> {
  const tables = await sql<{ name: string }[]>`
    select quote_ident(table_name) as name
    from information_schema.tables
    where table_schema = 'public'
      and table_type = 'BASE TABLE'`
  const rows = await Promise.all(tables.map(({ name }) => sql.unsafe(`select t::text as row from ${name} t`)))
  return rows.flatMap((table) => table.map(({ row }) => row)).join('\n')
}

/** The encodings in which a secret could be in a dump: plain, hex, base64 and base64url. */
export function listEncodings(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const base64 = bytes.toString('base64').replace(/[^A-Za-z0-9+/]+$/, '')
  // The last character may contain bits of the next byte, so it is left out.
  return [secret, bytes.toString('hex'), base64.slice(0, -1), bytes.toString('base64url').slice(0, -1)]
}
