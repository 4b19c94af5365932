import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { holdTransaction } from '../../test/hub-with-upstream.ts'
import type { EmbeddedPostgres } from '../kernel/db/embedded/embedded-postgres.ts'
import { migrate } from '../kernel/db/migrate.ts'
import { createEmptyDatabase, writeMigrations } from '../kernel/db/test/empty-database.ts'
import { createLogger } from '../kernel/logger.ts'
import { backUpEmbedded, restoreEmbedded } from './backup/embedded.ts'
import { readConfig } from './config/config.ts'
import { openDatabase, openInstallation } from './installation.ts'

const FIRST = { '0001-things.sql': 'create table things (id int); insert into things values (1)' }
const INDEX = '-- beside traffic\n-- index\ncreate index concurrently things_by_id on things (id);\n'

async function newDataDir(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'hubline-installation-'))
  // If the tests run as root, the account of the database must be able to enter.
  await chmod(directory, 0o755)
  t.after(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }))
  return directory
}

/** A database with one migration applied and an online one pending. */
async function prepare(t: TestContext) {
  const { sql, url } = await createEmptyDatabase(t)
  await migrate(sql, await writeMigrations(t, FIRST))
  const migrations = await writeMigrations(t, { ...FIRST, '0002-index.online.sql': INDEX })
  const lines = new Map<string, PromiseWithResolvers<void>>()
  function waitForLine(message: string): Promise<void> {
    if (!lines.has(message)) lines.set(message, Promise.withResolvers())
    return lines.get(message)?.promise as Promise<void>
  }
  const write = (line: string) => {
    const { msg } = JSON.parse(line)
    void waitForLine(msg)
    lines.get(msg)?.resolve()
  }
  const logger = createLogger('info', { write })
  const config = readConfig({ DATABASE_URL: url, SEALING_KEYS: `k1:${Buffer.alloc(32).toString('base64')}` })
  return { sql, config, options: { logger, name: 'hub under test', migrations }, waitForLine }
}

test('a hub is open while an online migration waits for a transaction of the traffic, and applies it then', {
  rules: ['migration.process-serves-meanwhile'],
}, async (t) => {
  const { sql, config, options, waitForLine } = await prepare(t)
  const writing = await holdTransaction(sql, (tx) => tx`insert into things values (2)`)

  await using installation = await openInstallation(config, { ...options, isHub: true })
  await waitForLine('online migration')
  const [during] = await installation.sql`select count(*)::int as applied from schema_migrations`
  await writing.release()
  await waitForLine('online migrations applied')

  const [after] = await installation.sql`select count(*)::int as applied from schema_migrations`
  assert.deepEqual([during?.applied, after?.applied], [1, 2])
})

test('a hub that stops ends an online migration that waits', async (t) => {
  const { sql, config, options, waitForLine } = await prepare(t)
  const writing = await holdTransaction(sql, (tx) => tx`insert into things values (2)`)
  const installation = await openInstallation(config, { ...options, isHub: true })
  await waitForLine('online migration')

  await installation[Symbol.asyncDispose]()

  const history = await sql`select version from schema_migrations`
  assert.equal(history.length, 1)
  await writing.release()
})

test('the command that migrates waits for online migrations, and hears of each step', {
  rules: ['migration.admin-applies-online-ones-too'],
}, async (t) => {
  const { config, options } = await prepare(t)
  const steps: string[] = []
  const onMigrationStep = (migration: string, step: string) => void steps.push(`${migration}: ${step}`)

  await using installation = await openInstallation(config, { ...options, isHub: false, onMigrationStep })

  assert.deepEqual(installation.applied, ['0002-index.online.sql'])
  assert.deepEqual(steps, ['0002-index.online.sql: building index things_by_id'])
})

test('another command leaves online migrations to the hub', async (t) => {
  const { config, options } = await prepare(t)

  await using installation = await openInstallation(config, { ...options, isHub: false })

  const history = await installation.sql`select version from schema_migrations`
  assert.deepEqual([installation.applied, history.length], [[], 1])
})

test('the hub backs its own database up before it migrates it, and a new one not', {
  rules: ['backup.before-migrations'],
}, async (t) => {
  const dataDir = await newDataDir(t)
  const backups = join(dataDir, 'backups')
  const config = readConfig({ DATA_DIR: dataDir })
  const logger = createLogger('fatal')
  const open = (migrations: { directory: string }) =>
    openInstallation(config, { logger, name: 'hub under test', isHub: false, migrations })
  await (await open(await writeMigrations(t, FIRST)))[Symbol.asyncDispose]()
  assert.equal(existsSync(backups), false)
  const online = { ...FIRST, '0002-index.online.sql': INDEX }
  await (await open(await writeMigrations(t, online)))[Symbol.asyncDispose]()
  assert.equal(existsSync(backups), false)

  const second = { ...online, '0003-more.sql': 'create table more (id int)' }
  await (await open(await writeMigrations(t, second)))[Symbol.asyncDispose]()

  const [made, ...others] = await readdir(backups)
  assert.deepEqual([existsSync(join(backups, made ?? '', 'data/PG_VERSION')), others.length], [true, 0])
})

test('an upgrade that fails at each start keeps the backup from before it, and the next upgrade makes its own', {
  rules: ['backup.before-migrations'],
}, async (t) => {
  const dataDir = await newDataDir(t)
  const config = readConfig({ DATA_DIR: dataDir })
  const logger = createLogger('fatal')
  const open = async (files: Record<string, string>) => {
    const migrations = await writeMigrations(t, files)
    await (await openInstallation(config, { logger, name: 'hub under test', isHub: false, migrations }))[
      Symbol.asyncDispose
    ]()
  }
  const list = async () =>
    (await readdir(join(dataDir, 'backups'))).filter((name) => name.startsWith('hubline-')).toSorted()
  const good = { ...FIRST, '0002-good.sql': 'create table good (id int)' }
  const bad = { ...good, '0003-bad.sql': 'select 1/0' }
  const mended = { ...good, '0003-mended.sql': 'create table mended (id int)' }
  await open(FIRST)

  for (let start = 1; start <= 3; start++) await assert.rejects(open(bad), /division by zero/)
  const failed = await list()
  await open(mended)
  const upgraded = await list()
  await open({ ...mended, '0004-next.sql': 'create table next (id int)' })

  assert.equal(failed.length, 1)
  assert.deepEqual(upgraded, failed)
  assert.equal((await list()).length, 2)
  const [first = ''] = failed
  await restoreEmbedded(dataDir, join(dataDir, 'backups', first), new Date())
  await open(FIRST)
})

test('an upgrade whose first migration fails at each start makes one backup, until the version before has served again', {
  rules: ['backup.one-for-each-upgrade'],
}, async (t) => {
  const dataDir = await newDataDir(t)
  const config = readConfig({ DATA_DIR: dataDir })
  const options = { logger: createLogger('fatal'), name: 'hub under test', isHub: false }
  const bad = await writeMigrations(t, { ...FIRST, '0002-bad.sql': 'select 1/0' })
  const list = async () => (await readdir(join(dataDir, 'backups'))).filter((name) => name.startsWith('hubline-'))
  await (await openInstallation(config, { ...options, migrations: await writeMigrations(t, FIRST) }))[
    Symbol.asyncDispose
  ]()
  const failRepeatedly = async () => {
    for (let start = 1; start <= 3; start++) {
      await assert.rejects(openInstallation(config, { ...options, migrations: bad }), /division by zero/)
    }
    return (await list()).length
  }

  const first = await failRepeatedly()
  // The version before, which may know nothing of the upgrade, serves and stores something.
  const database = await openDatabase(config, options)
  await database.sql`insert into things values (2)`
  await database[Symbol.asyncDispose]()
  const second = await failRepeatedly()

  assert.deepEqual([first, second], [1, 2])
})

for (const [moment, hasPassword] of [
  ['before', false],
  ['after', true],
] as const) {
  test(`a restore that is killed between its two renames, ${moment} the password, is finished by the next start`, {
    rules: ['restore.interrupted-is-finished'],
  }, async (t) => {
    const dataDir = await newDataDir(t)
    const config = readConfig({ DATA_DIR: dataDir })
    const options = { logger: createLogger('fatal'), name: 'hub under test', isHub: false }
    const database = await openDatabase(config, options)
    await database.sql`create table kept (id int)`
    const { path } = await backUpEmbedded(database.embedded as EmbeddedPostgres, join(dataDir, 'copies'), new Date())
    await database.sql`drop table kept`
    await database[Symbol.asyncDispose]()
    await restoreEmbedded(dataDir, path, new Date())
    const whole = join(dataDir, 'postgres.new-restored')
    await rename(join(dataDir, 'postgres'), whole)
    if (!hasPassword) await rename(join(dataDir, 'postgres.password'), `${whole}.password`)

    await using again = await openDatabase(config, options)

    const [found] = await again.sql<{ exists: boolean }[]>`select to_regclass('kept') is not null as exists`
    assert.equal(found?.exists, true)
    assert.equal(existsSync(join(again.embedded?.directory ?? '', 'hubline_restored')), true)
  })
}

test('a restore that was killed before it moved anything leaves the database, and the next one replaces both', {
  rules: ['restore.interrupted-is-finished'],
}, async (t) => {
  const dataDir = await newDataDir(t)
  const config = readConfig({ DATA_DIR: dataDir })
  const options = { logger: createLogger('fatal'), name: 'hub under test', isHub: false }
  const hasTable = async () => {
    await using database = await openDatabase(config, options)
    const [found] = await database.sql<{ exists: boolean }[]>`select to_regclass('kept') is not null as exists`
    return found?.exists
  }
  const database = await openDatabase(config, options)
  const { path } = await backUpEmbedded(database.embedded as EmbeddedPostgres, join(dataDir, 'copies'), new Date())
  await database.sql`create table kept (id int)`
  await database[Symbol.asyncDispose]()
  const whole = join(dataDir, 'postgres.new-restored')
  await mkdir(whole)
  await writeFile(`${whole}.password`, 'of the copy')

  const left = await hasTable()
  const names = await readdir(dataDir)
  await mkdir(join(whole, 'data'), { recursive: true })
  await restoreEmbedded(dataDir, path, new Date())

  assert.deepEqual([left, await hasTable()], [true, false])
  assert.ok(!names.some((name) => name.startsWith('postgres.new-')))
})

test('a copy whose restore is killed before it sets the hold is on hold at the next start', {
  rules: ['restore.sets-the-hold'],
}, async (t) => {
  const dataDir = await newDataDir(t)
  const config = readConfig({ DATA_DIR: dataDir })
  const options = { logger: createLogger('fatal'), name: 'hub under test', isHub: false }
  const readHolds = async () => {
    await using installation = await openInstallation(config, options)
    const rows = await installation.sql<{ reason: string | null }[]>`select hold_reason as reason from installation`
    await installation.sql`update installation set held_since = null, hold_reason = null`
    return rows.map(({ reason }) => reason)
  }
  const before = await readHolds()
  const database = await openDatabase(config, options)
  const { path } = await backUpEmbedded(database.embedded as EmbeddedPostgres, join(dataDir, 'copies'), new Date())
  await database[Symbol.asyncDispose]()

  await restoreEmbedded(dataDir, path, new Date())

  assert.deepEqual([before, await readHolds(), await readHolds()], [[null], ['restore'], [null]])
})

test('a database in which sample data was interrupted is refused with a sentence', {
  rules: ['sandbox.sample-data-needs-an-empty-sandbox'],
}, async (t) => {
  const { sql, config, options } = await prepare(t)
  await sql`create table moved_clock (shift interval not null)`

  await assert.rejects(openInstallation(config, { ...options, isHub: true }), {
    name: 'CannotStart',
    message: /^A start with --sample-data was interrupted, .* set DATA_DIR to a new directory$/,
  })
})
