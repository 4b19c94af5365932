import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type TestContext, test } from 'node:test'
import { migrate, refuseOldServer, UnsupportedDatabase } from './migrate.ts'
import { createEmptyDatabase, writeMigrations } from './test/empty-database.ts'

const MIGRATIONS = join(import.meta.dirname, '../../../migrations')
const PROCESS = join(import.meta.dirname, 'test/migrating-process.ts')

async function startProcess(t: TestContext, url: string) {
  const child = spawn(process.execPath, [PROCESS, url], { stdio: ['pipe', 'pipe', 'inherit'] })
  t.after(() => child.kill())
  const lines = createInterface({ input: child.stdout })
  await once(lines, 'line')
  return async (): Promise<string[]> => {
    const answer = once(lines, 'line')
    child.stdin.write('go\n')
    return JSON.parse(String((await answer)[0]))
  }
}

test('four processes that start at once apply the migrations once', {
  rules: ['config.processes-share-a-database'],
}, async (t) => {
  const { url, sql } = await createEmptyDatabase(t)
  const all = (await readdir(MIGRATIONS)).filter((file) => file.endsWith('.sql')).sort()
  const processes = await Promise.all(Array.from({ length: 4 }, () => startProcess(t, url)))

  const applied = await Promise.all(processes.map((start) => start()))

  // Online migrations come after the ordinary ones.
  assert.deepEqual(
    applied.map((names) => names.sort()).sort((a, b) => b.length - a.length),
    [all, [], [], []],
  )
  const history = await sql<{ name: string }[]>`select name from schema_migrations order by version`
  assert.deepEqual(
    history.map((row) => row.name),
    all,
  )
})

test('applies only the migrations that were not applied yet', async (t) => {
  const { sql, tables } = await createEmptyDatabase(t)
  const one = { '0001-one.sql': 'create table one (id int)' }
  const first = await migrate(sql, await writeMigrations(t, one))

  const again = await migrate(sql, await writeMigrations(t, one))
  const more = await migrate(sql, await writeMigrations(t, { ...one, '0002-two.sql': 'create table two (id int)' }))

  assert.deepEqual([first.applied, again.applied, more.applied], [['0001-one.sql'], [], ['0002-two.sql']])
  assert.deepEqual(await tables(), ['one', 'schema_migrations', 'two'])
})

test('a migration that fails leaves nothing of itself, and the ones before it applied', {
  rules: ['migration.is-one-transaction'],
}, async (t) => {
  const { sql, tables } = await createEmptyDatabase(t)
  const files = { '0001-good.sql': 'create table good (id int)', '0002-bad.sql': 'create table bad (id int); oops' }
  await assert.rejects(migrate(sql, await writeMigrations(t, files)), /syntax error/)

  assert.deepEqual(await tables(), ['good', 'schema_migrations'])
  const history = await sql<{ name: string }[]>`select name from schema_migrations`
  assert.deepEqual([...history], [{ name: '0001-good.sql' }])
})

// A backup holds its locks for hours. Statements must not wait as long behind a migration that waits for them.
test('a migration that finds its table locked lets other statements pass, and is repeated', async (t) => {
  const { sql } = await createEmptyDatabase(t)
  const one = { '0001-one.sql': 'create table one (id int)' }
  await migrate(sql, await writeMigrations(t, one))
  const next = await writeMigrations(t, { ...one, '0002-two.sql': 'alter table one add column name text' })
  const released = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const backup = sql.begin(async (tx) => {
    await tx`lock table one in access share mode`
    locked.resolve()
    await released.promise
  })
  await locked.promise

  const migrated = migrate(sql, next)
  while ((await sql`select 1 from pg_locks where not granted and relation = 'one'::regclass`).length === 0);
  await sql`insert into one values (1)`
  released.resolve()
  await backup

  assert.deepEqual((await migrated).applied, ['0002-two.sql'])
  assert.deepEqual([...(await sql`select id, name from one`)], [{ id: 1, name: null }])
})

test('a database of a newer version is refused and stays unchanged', async (t) => {
  const { sql, tables } = await createEmptyDatabase(t)
  const one = { '0001-one.sql': 'create table one (id int)' }
  await migrate(sql, await writeMigrations(t, { ...one, '0002-newer.sql': 'create table newer (id int)' }))

  await assert.rejects(
    migrate(sql, await writeMigrations(t, one)),
    new UnsupportedDatabase('The database was migrated by a newer Hubline (0002-newer.sql); start that version'),
  )

  assert.deepEqual(await tables(), ['newer', 'one', 'schema_migrations'])
})

test('a migration that was edited after it was applied is refused, and later ones are not applied', async (t) => {
  const { sql, tables } = await createEmptyDatabase(t)
  await migrate(sql, await writeMigrations(t, { '0001-one.sql': 'create table one (id int)' }))
  const edited = { '0001-one.sql': 'create table one (id bigint)', '0002-two.sql': 'create table two (id int)' }

  await assert.rejects(
    migrate(sql, await writeMigrations(t, edited)),
    new UnsupportedDatabase('The migration 0001-one.sql differs from the one that was applied to this database'),
  )

  assert.deepEqual(await tables(), ['one', 'schema_migrations'])
})

test('migrations with a gap in their numbers are refused before any is applied', async (t) => {
  const { sql, tables } = await createEmptyDatabase(t)
  const files = { '0001-one.sql': 'create table one (id int)', '0003-three.sql': 'create table three (id int)' }

  await assert.rejects(migrate(sql, await writeMigrations(t, files)), /0003-three\.sql is not number 2/)

  assert.deepEqual(await tables(), [])
})

test('a server older than PostgreSQL 15 is refused with an error that names its version', {
  rules: ['config.database-is-postgresql-15-or-newer'],
}, () => {
  assert.throws(
    () => refuseOldServer({ number: 140_018, version: '14.18' }),
    new UnsupportedDatabase('The database is PostgreSQL 14.18, but Hubline needs PostgreSQL 15 or newer'),
  )
  for (const number of [150_000, 150_013, 180_004]) refuseOldServer({ number, version: 'new enough' })
})
