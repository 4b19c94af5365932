import assert from 'node:assert/strict'
import { test } from 'node:test'
// Names every type: the context is made of all domains.
import '../src/app/context.ts'
import { listRecordTypes } from '../src/kernel/db/records.ts'
import { testDatabase } from './database.ts'

test('each record has the attributes of its type in the database, in their order', async () => {
  const { sql } = await testDatabase()
  const types = listRecordTypes().filter(({ name }) => !name.includes('.'))

  const stored = await sql<{ name: string; attributes: string[] }[]>`
    select t.typname::text as name, array_agg(a.attname::text order by a.attnum) as attributes
    from pg_type t
    join pg_attribute a on a.attrelid = t.typrelid
    where t.typname = any(${types.map(({ name }) => name)}::text[])
    group by t.typname`

  assert.ok(types.length >= 8, String(types.length))
  const known = new Map(types.map(({ name, columns }) => [name, columns]))
  assert.deepEqual(new Map(stored.map(({ name, attributes }) => [name, attributes])), known)
})
