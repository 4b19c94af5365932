import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { toDatabaseUrl, withServer } from '../../../../test/database.ts'
import { openPool } from '../pool.ts'

export async function createEmptyDatabase(t: TestContext) {
  const name = `hubline_empty_${randomBytes(6).toString('hex')}`
  await withServer((admin) => admin.unsafe(`create database ${name}`))
  const url = toDatabaseUrl(name)
  const sql = openPool(url, { max: 4, name: 'migrations under test' })
  t.after(async () => {
    await sql.end({ timeout: 5 })
    await withServer((admin) => admin.unsafe(`drop database ${name} with (force)`))
  })
  const tables = async () => {
    const rows = await sql<{ name: string }[]>`
      select tablename as name from pg_tables where schemaname = 'public' order by tablename`
    return rows.map((row) => row.name)
  }
  return { url, sql, tables }
}

/** A directory with these files, for `migrate`. */
export async function writeMigrations(t: TestContext, files: Record<string, string>): Promise<{ directory: string }> {
  const directory = await mkdtemp(join(tmpdir(), 'hubline-migrations-'))
  t.after(() => rm(directory, { recursive: true }))
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text)
  return { directory }
}
