import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testDatabase } from '../../../test/database.ts'
import { openPool } from './pool.ts'
import { deleteTenantRows } from './tenant-rows.ts'

const ACME = '00000000-0000-7000-8000-000000000001'

// Retention drops partitions at any time.
test('a partition that is dropped meanwhile is passed over', async (t) => {
  const { target } = await testDatabase()
  // With one connection, statements run in the order in which they are sent.
  const sql = openPool(target, { max: 1, name: 'tenant rows' })
  t.after(() => sql.end())
  await sql.unsafe(`
    create table notes (organization_id uuid, id int) partition by range (id);
    create table notes_1 partition of notes for values from (1) to (2);
    create table notes_2 partition of notes for values from (2) to (3);
    insert into notes values ('${ACME}', 1), ('${ACME}', 2)`)

  const [deleted] = await Promise.all([deleteTenantRows(sql, ['notes'], ACME), sql`drop table notes_1`])

  assert.equal(deleted, 1)
  assert.deepEqual([...(await sql`select id from notes`)], [])
})
