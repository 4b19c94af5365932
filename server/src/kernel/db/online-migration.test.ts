import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { migrate, migrateBeforeServing, planMigrations } from './migrate.ts'
import { parseOnlineMigration } from './online-migration.ts'
import type { Pool } from './pool.ts'
import { createEmptyDatabase, writeMigrations } from './test/empty-database.ts'

const PARTITIONED = `
  create table things (id int, kind int, filled int not null default 0) partition by range (id);
  create table things_low partition of things for values from (0) to (100);
  create table things_high partition of things for values from (100) to (200);
  create table things_default partition of things default;
  insert into things select n, n from generate_series(0, 299) n;`
const PLAIN = 'create table things (id int, kind int); insert into things select n, n from generate_series(0, 299) n;'
const INDEX = '-- beside traffic\n-- index\ncreate index concurrently things_by_kind on things (kind);\n'
const BACKFILL = `-- beside traffic
-- backfill
-- Ten rows at a time.
with batch as (
  select id from things where id > coalesce($1, '-1')::int order by id limit 10
), changed as (
  update things set filled = filled + 10 / (100 - kind % 101) from batch where things.id = batch.id
)
select max(id)::text as next from batch;
`

async function listIndexes(sql: Pool): Promise<Record<string, boolean>> {
  const rows = await sql<{ name: string; is_valid: boolean }[]>`
    select c.relname as name, x.indisvalid as is_valid
    from pg_index x
    join pg_class c on c.oid = x.indexrelid
    where c.relname like 'things%'
    order by 1`
  return Object.fromEntries(rows.map(({ name, is_valid }) => [name, is_valid]))
}

/** A database with one applied migration, and the directory with an online one after it. */
async function prepare(t: TestContext, tables: string, online: string) {
  const { sql } = await createEmptyDatabase(t)
  const first = { '0001-things.sql': tables }
  await migrate(sql, await writeMigrations(t, first))
  return { sql, next: await writeMigrations(t, { ...first, '0002-more.online.sql': online }) }
}

test('an index on a partitioned table is built on each partition and attached', {
  rules: ['migration.online-one-resumes'],
}, async (t) => {
  const { sql, next } = await prepare(t, PARTITIONED, INDEX)
  const steps: string[] = []

  const { applied } = await migrate(sql, { ...next, onStep: (_migration, step) => steps.push(step) })

  assert.deepEqual(applied, ['0002-more.online.sql'])
  assert.deepEqual(await listIndexes(sql), {
    things_by_kind: true,
    things_by_kind_default: true,
    things_by_kind_high: true,
    things_by_kind_low: true,
  })
  assert.deepEqual(steps, [
    'building index things_by_kind_default',
    'building index things_by_kind_high',
    'building index things_by_kind_low',
  ])
})

test('an index of a build that failed is dropped and built again', {
  rules: ['migration.online-one-resumes'],
}, async (t) => {
  const unique = INDEX.replace('create index', 'create unique index')
  const { sql, next } = await prepare(t, `${PLAIN} insert into things values (300, 7)`, unique)
  await assert.rejects(migrate(sql, next), /duplicate|could not create unique index/)
  const failed = await listIndexes(sql)

  await sql`delete from things where id = 300`
  const { applied } = await migrate(sql, next)

  assert.deepEqual(failed, { things_by_kind: false })
  assert.deepEqual(applied, ['0002-more.online.sql'])
  assert.deepEqual(await listIndexes(sql), { things_by_kind: true })
})

test('a build that was interrupted between two partitions goes on with the ones that have no index', {
  rules: ['migration.online-one-resumes'],
}, async (t) => {
  const { sql, next } = await prepare(t, PARTITIONED, INDEX)
  await sql`create index things_by_kind on only things (kind)`
  await sql`create index things_by_kind_default on things_default (kind)`
  await sql`alter index things_by_kind attach partition things_by_kind_default`
  await sql`create index things_by_kind_high on things_high (kind)`
  const steps: string[] = []

  await migrate(sql, { ...next, onStep: (_migration, step) => steps.push(step) })

  assert.deepEqual(steps, ['building index things_by_kind_low'])
  assert.deepEqual(new Set(Object.values(await listIndexes(sql))), new Set([true]))
})

test('a backfill that was interrupted goes on with the batch that failed, and fills no row twice', {
  rules: ['migration.online-one-resumes'],
}, async (t) => {
  const tables = PLAIN.replace('kind int', 'kind int, filled int not null default 0')
  const { sql, next } = await prepare(
    t,
    tables.replace('select n, n', 'select n, case n when 150 then 100 else 90 end'),
    BACKFILL,
  )
  await assert.rejects(migrate(sql, next), /division by zero/)
  const [before] = await sql`select count(*)::int as filled from things where filled = 1`

  await sql`update things set kind = 90 where id = 150`
  await migrate(sql, next)

  assert.equal(before?.filled, 150)
  assert.deepEqual(
    [...(await sql`select filled, count(*)::int as count from things group by 1`)],
    [{ filled: 1, count: 300 }],
  )
  assert.deepEqual([...(await sql`select * from online_migration_progress`)], [])
})

test('two processes that apply an online migration at once apply it once', {
  rules: ['migration.runs-once-of-many-processes', 'migration.online-one-resumes'],
}, async (t) => {
  const { sql, next } = await prepare(t, PARTITIONED, INDEX + BACKFILL.slice(BACKFILL.indexOf('\n') + 1))
  await sql`update things set kind = 90`

  const both = await Promise.all([migrate(sql, next), migrate(sql, next)])

  assert.deepEqual(both.map(({ applied }) => applied.length).sort(), [0, 1])
  assert.deepEqual([...(await sql`select distinct filled from things`)], [{ filled: 1 }])
})

test('a process serves before the migrations that run beside traffic, and after the others', {
  rules: ['migration.process-serves-meanwhile'],
}, async (t) => {
  const { sql } = await createEmptyDatabase(t)
  const files = {
    '0001-things.sql': PLAIN,
    '0002-needed.online.sql': INDEX.replace('beside traffic', 'before serving'),
    '0003-later.online.sql': INDEX.replace('things_by_kind', 'things_by_kind_later'),
    '0004-others.sql': 'create table others (id int)',
  }
  const directory = await writeMigrations(t, files)

  const first = await migrateBeforeServing(sql, directory)
  const again = await migrateBeforeServing(sql, directory)
  const rest = await migrate(sql, directory)

  assert.deepEqual(first, {
    applied: ['0001-things.sql', '0002-needed.online.sql', '0004-others.sql'],
    later: ['0003-later.online.sql'],
  })
  assert.deepEqual(again, { applied: [], later: ['0003-later.online.sql'] })
  assert.deepEqual(rest.applied, ['0003-later.online.sql'])
})

test('a process that starts does not wait for another that applies a migration beside traffic', {
  rules: ['migration.process-serves-meanwhile'],
}, async (t) => {
  const { sql, next } = await prepare(t, PLAIN, INDEX)
  const released = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  // An index that is built concurrently waits for it.
  const reader = sql.begin(async (tx) => {
    await tx`insert into things values (400, 400)`
    begun.resolve()
    await released.promise
  })
  await begun.promise
  const steps = Promise.withResolvers<void>()
  const building = migrate(sql, { ...next, onStep: () => steps.resolve() })
  await steps.promise

  const started = await migrateBeforeServing(sql, next)
  released.resolve()
  await reader

  assert.deepEqual(started, { applied: [], later: ['0002-more.online.sql'] })
  assert.deepEqual((await building).applied, ['0002-more.online.sql'])
})

test('work that is ended is taken up by the next process', { rules: ['migration.online-one-resumes'] }, async (t) => {
  const { sql, next } = await prepare(t, PARTITIONED, INDEX)
  const stopped = new AbortController()

  await assert.rejects(migrate(sql, { ...next, signal: stopped.signal, onStep: () => stopped.abort() }))
  const { applied } = await migrate(sql, next)

  assert.deepEqual(applied, ['0002-more.online.sql'])
  assert.deepEqual(new Set(Object.values(await listIndexes(sql))), new Set([true]))
})

for (const [problem, text] of [
  ['must begin with one of these lines', '-- index\ncreate index concurrently x on y (z);'],
  [
    'has a statement before its first step',
    '-- beside traffic\nselect 1;\n-- index\ncreate index concurrently x on y (z);',
  ],
  ['has a step that is not "create index concurrently', '-- beside traffic\n-- index\ncreate index x on y (z);'],
  ['more than 50 characters', `-- beside traffic\n-- index\ncreate index concurrently ${'x'.repeat(51)} on y (z);`],
] as const) {
  test(`a malformed online migration is refused: ${problem}`, () => {
    assert.throws(() => parseOnlineMigration('0009-x.online.sql', text), new RegExp(problem))
  })
}

test('a plan names each pending migration with its steps, and those that take long on tables of this size', {
  rules: ['migration.plan-says-what-takes-long'],
}, async (t) => {
  const { sql } = await createEmptyDatabase(t)
  const first = { '0001-things.sql': PARTITIONED }
  await migrate(sql, await writeMigrations(t, first))
  const files = { ...first, '0002-index.online.sql': INDEX, '0003-fill.online.sql': BACKFILL }
  const migrations = await writeMigrations(t, { ...files, '0004-more.sql': 'create table more (id int)' })
  await sql`analyze things`

  const small = await planMigrations(sql, migrations)
  await sql`update pg_class set reltuples = 2000000 where relname = 'things_high'`
  const large = await planMigrations(sql, migrations)

  const steps = small.pending.flatMap(({ migration, runs, steps }) =>
    steps.map(({ step, table, rows, takes_long }) => [migration, runs, step, table, rows, takes_long]),
  )
  assert.deepEqual(steps, [
    ['0004-more.sql', 'before serving', 'applying', null, null, false],
    ['0002-index.online.sql', 'beside traffic', 'building index things_by_kind', 'things', 300, false],
    ['0003-fill.online.sql', 'beside traffic', 'filling rows (step 1)', 'things', 300, false],
  ])
  const long = large.pending.flatMap(({ steps }) => steps).filter(({ takes_long }) => takes_long)
  assert.deepEqual(
    long.map(({ step, rows }) => [step, rows]),
    [['filling rows (step 1)', 2_000_200]],
  )
  assert.deepEqual([small.applied, (await sql`select from schema_migrations`).length], [1, 1])
})
