import assert from 'node:assert/strict'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { startSending } from '../src/domains/messages/test/fixture.ts'
import { migrate } from '../src/kernel/db/migrate.ts'
import { openPool, type Pool } from '../src/kernel/db/pool.ts'
import { createEmptyDatabase } from '../src/kernel/db/test/empty-database.ts'
import { newId } from '../src/kernel/ids.ts'
import { testDatabase } from './database.ts'
import { startHub } from './hub.ts'
import { fillLogs, findBlockingWork } from './migration-work.ts'

const MIGRATIONS = join(import.meta.dirname, '../migrations')
/** The migrations up to this one were applied before the rule began. */
const LAST_UNBOUND = '0030-last-connect-link.sql'
const ROLLED_BACK = new Error('rolled back on purpose')

/** A copy of the migrations, all of them or those up to one. */
async function copyMigrations(t: TestContext, last = '9999'): Promise<{ directory: string; names: string[] }> {
  const directory = await mkdtemp(join(tmpdir(), 'hubline-migrations-'))
  t.after(() => rm(directory, { recursive: true }))
  const names = (await readdir(MIGRATIONS)).filter((name) => name <= last).sort()
  for (const name of names) await cp(join(MIGRATIONS, name), join(directory, name))
  return { directory, names }
}

async function startWithLogs(t: TestContext) {
  const { sql } = await createEmptyDatabase(t)
  const { directory } = await copyMigrations(t, LAST_UNBOUND)
  await migrate(sql, { directory })
  await fillLogs(sql)
  return { sql, directory }
}

/** Runs the statements of a migration, and nothing of them stays. */
async function tryWork(sql: Pool, statements: string): Promise<string[]> {
  let problems: string[] = []
  const tried = sql.begin(async (tx) => {
    problems = await findBlockingWork(tx, statements)
    throw ROLLED_BACK
  })
  await assert.rejects(tried, ROLLED_BACK)
  return problems
}

test('no new migration reads or changes a large table while sends and callbacks wait', {
  rules: ['migration.never-holds-up-traffic'],
}, async (t) => {
  const { sql, directory } = await startWithLogs(t)
  const bound = (await copyMigrations(t)).names.filter((name) => name > LAST_UNBOUND)

  const problems: string[] = []
  for (const name of bound) {
    const text = await readFile(join(MIGRATIONS, name), 'utf8')
    if (!name.endsWith('.online.sql')) {
      problems.push(...(await tryWork(sql, text)).map((problem) => `${name} ${problem}`))
    }
    await writeFile(join(directory, name), text)
    await migrate(sql, { directory })
  }

  assert.deepEqual(problems, [])
})

test('a migration that holds up writes of a large table is found', {
  rules: ['migration.never-holds-up-traffic'],
}, async (t) => {
  const { sql } = await startWithLogs(t)

  for (const [statement, problem] of [
    ['create index messages_by_type on messages (type)', 'reads every row of messages_default while writes wait'],
    [
      `alter table callbacks add constraint never check (problem <> 'x')`,
      'reads every row of callbacks_default while writes wait',
    ],
    [
      'alter table events add column token uuid default gen_random_uuid()',
      'reads every row of events_default while writes wait',
    ],
    ['alter table credentials alter column name type varchar(300)', 'reads every row of credentials while writes wait'],
    [`update messages set type = 'text'`, 'changes every row of messages_default in one transaction'],
  ] as const) {
    const problems = await tryWork(sql, statement)
    assert.deepEqual(problems, [problem], statement)
  }
})

test('a migration that only changes definitions passes', { rules: ['migration.never-holds-up-traffic'] }, async (t) => {
  const { sql } = await startWithLogs(t)

  const problems = await tryWork(
    sql,
    `alter table messages add column note text default 'none';
     alter table callbacks add constraint never check (problem <> 'x') not valid;
     create table notes (organization_id uuid, id uuid, primary key (organization_id, id));
     create index notes_by_id on notes (id)`,
  )

  assert.deepEqual(problems, [])
})

test('sends and callbacks are answered while an online migration builds an index and changes every message', {
  rules: ['migration.never-holds-up-traffic'],
}, async (t) => {
  const { target } = await testDatabase()
  const url = new URL(target)
  url.searchParams.set('options', '-c lock_timeout=1s')
  const sql = openPool(url.href, { max: 10, name: 'hub beside a migration' })
  t.after(() => sql.end({ timeout: 5 }))
  await sql`
    insert into messages (organization_id, channel_id, id, direction, type, status)
    select hub_id(), hub_id(), hub_id(), 'outbound', 'text', 'sent' from generate_series(1, 1000)`
  // Its limit of 1,000 sends a second is out of reach.
  const { send, report } = await startSending(t, { installation: { sql }, number: { throughput: 'HIGH' } })
  const { directory, names } = await copyMigrations(t)
  const name = `${String(names.length + 1).padStart(4, '0')}-notes.online.sql`
  await writeFile(
    join(directory, name),
    `-- beside traffic
-- index
create index concurrently messages_by_type on messages (type);
-- backfill
with batch as (
  select id from messages where id > coalesce($1, '00000000-0000-0000-0000-000000000000')::uuid order by id limit 50
), changed as (
  update messages set type = type from batch where messages.id = batch.id
)
select max(id::text) as next from batch`,
  )

  let isMigrating = true
  const migrated = migrate(sql, { directory }).finally(() => {
    isMigrating = false
  })
  const statuses: number[] = []
  while (isMigrating) {
    const sent = await Promise.all([send(), send(), send()])
    const reported = sent.map(({ body }) =>
      report('delivered', { wamid: body.data?.message?.upstream_message_id, callbackData: '' }),
    )
    statuses.push(...sent.map(({ status }) => status), ...(await Promise.all(reported)).map(({ status }) => status))
  }

  assert.deepEqual((await migrated).applied, [name])
  assert.deepEqual([...new Set(statuses)].sort(), [200, 202])
  await sql`drop index messages_by_type`
  await sql`delete from schema_migrations where name = ${name}`
})

test('a process of the version before can begin an export on the migrated database', {
  rules: ['export.works-during-an-upgrade'],
}, async (t) => {
  const { organization, sql } = await startHub(t)
  const { organizationId } = await organization()
  const claimExport = () => sql`
    insert into message_exports (organization_id, id, expires_at)
    values (${organizationId}, ${newId()}, hub_now() + interval '1 minute')
    on conflict (organization_id) do update
    set id = excluded.id, expires_at = excluded.expires_at
    where message_exports.expires_at <= hub_now()
    returning id`

  const claims = [await claimExport(), await claimExport()]

  assert.deepEqual(
    claims.map(({ length }) => length),
    [1, 0],
  )
})
