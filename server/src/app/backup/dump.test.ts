import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { buildSealingEnv, readPrinted } from '../../../test/admin.ts'
import { readServerUrl } from '../../../test/database.ts'
import { findAccountForNewDatabase, runAs } from '../../kernel/db/embedded/account.ts'
import { openPool } from '../../kernel/db/pool.ts'
import { runCommand } from '../commands/run-command.ts'
import { restoreDump } from './dump.ts'

const KEYS = buildSealingEnv([{ id: 'backup', bytes: Buffer.alloc(32) }])
/** Debian's server and client of PostgreSQL 15. */
const DEBIAN = '/usr/lib/postgresql/15/bin'

async function createDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'hl-dump-'))
  await chmod(directory, 0o755)
  return directory
}

async function newDirectory(t: TestContext): Promise<string> {
  const directory = await createDirectory()
  t.after(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }))
  return directory
}

/** A directory in PATH with a program that only has a version. */
async function offerProgram(t: TestContext, name: string, version: string): Promise<string> {
  const directory = await newDirectory(t)
  await writeFile(join(directory, name), `#!/bin/sh\necho "${name} (PostgreSQL) ${version}"\n`, { mode: 0o755 })
  return `${directory}:/usr/bin:/bin`
}

/** A server of Debian's, with two empty databases. */
async function startServer(t: TestContext) {
  const account = await findAccountForNewDatabase()
  const directory = await createDirectory()
  // Hooks of a test run in the order in which they were added, and the server needs its directory to the end.
  t.after(async () => {
    await run('pg_ctl', '-D', data, '-m', 'immediate', '-w', 'stop')
    await rm(directory, { recursive: true, force: true, maxRetries: 5 })
  })
  if (account) await chown(directory, account.uid, account.gid)
  const data = join(directory, 'data')
  const run = (program: string, ...args: string[]) => runAs(account, join(DEBIAN, program), args)
  await run('initdb', '-D', data, '-U', 'hub', '--auth=trust', '--no-sync', '--encoding=UTF8')
  const options = `-c listen_addresses= -c unix_socket_directories=${directory} -c fsync=off -c max_locks_per_transaction=256`
  await run('pg_ctl', '-D', data, '-l', join(directory, 'log'), '-w', '-o', options, 'start')
  const host = encodeURIComponent(directory)
  const url = (database: string) => `postgres://hub:se%2Fcret@${host}/${database}`
  for (const database of ['hub', 'restored']) await run('createdb', '-h', directory, '-U', 'hub', database)
  return { url, directory }
}

async function readDatabase(url: string): Promise<string[]> {
  const sql = openPool(url, { max: 1, name: 'a test' })
  const rows = await sql<{ name: string }[]>`select tablename as name from pg_tables where schemaname = 'public'`
  await sql.end()
  return rows.map(({ name }) => name)
}

test('a dump restored into an empty database has everything, and sets the hold', {
  rules: ['backup.own-database-is-dumped', 'restore.needs-an-empty-database', 'restore.sets-the-hold'],
  skip: !existsSync(join(DEBIAN, 'postgres')) && 'PostgreSQL 15 of Debian is not installed',
}, async (t) => {
  const { url } = await startServer(t)
  const copies = join(await newDirectory(t), 'copies')
  const env = (database: string) => ({ PATH: `${DEBIAN}:/usr/bin:/bin`, DATABASE_URL: url(database), ...KEYS })
  const { organization_id } = readPrinted(await runCommand(['create-organization', '--name', 'Acme'], env('hub')))

  // It notes which key is in use, as the start of a hub does.
  await runCommand(['rotate-sealing-key'], env('hub'))

  const made = readPrinted(await runCommand(['backup', copies], env('hub')))
  const same = await runCommand(['restore', copies], env('hub'))
  const others = buildSealingEnv([{ id: 'backup', bytes: Buffer.alloc(32, 1) }])
  const keyless = await runCommand(['restore', copies], { ...env('restored'), ...others })
  const untouched = await readDatabase(url('restored'))
  const restored = readPrinted(await runCommand(['restore', copies], env('restored')))

  assert.equal(made.sealing_keys, 'SEALING_KEYS')
  assert.match(
    keyless.stderr,
    /needs the sealing key backup, which SEALING_KEYS does not have, or has with other bytes/,
  )
  assert.deepEqual(untouched, [])
  assert.match(same.stderr, /^The database in DATABASE_URL has tables\. Create an empty one/)
  assert.deepEqual([restored.restored, restored.held, restored.replaced], [made.backup, true, null])
  const sql = openPool(url('restored'), { max: 1, name: 'a test' })
  const rows = await sql`select id, (select hold_reason from installation) from organizations`
  await sql.end()
  assert.deepEqual([...rows], [{ id: organization_id, hold_reason: 'restore' }])
})

test('a dump whose restore is killed before it sets the hold is on hold at the next start', {
  rules: ['restore.sets-the-hold'],
  skip: !existsSync(join(DEBIAN, 'postgres')) && 'PostgreSQL 15 of Debian is not installed',
}, async (t) => {
  const { url } = await startServer(t)
  const copies = join(await newDirectory(t), 'copies')
  const PATH = `${DEBIAN}:/usr/bin:/bin`
  const env = (database: string) => ({ PATH, DATABASE_URL: url(database), ...KEYS })
  await runCommand(['create-organization', '--name', 'Acme'], env('hub'))
  const { backup } = readPrinted(await runCommand(['backup', copies], env('hub')))
  const broken = await newDirectory(t)
  await writeFile(join(broken, 'database.dump'), 'broken')

  await assert.rejects(restoreDump({ url: url('restored'), env: { PATH } }, broken), /^CannotRun: pg_restore failed: /)
  const afterFailure = await readDatabase(url('restored'))
  await restoreDump({ url: url('restored'), env: { PATH } }, backup)
  readPrinted(await runCommand(['backup', copies], env('restored')))
  readPrinted(await runCommand(['create-organization', '--name', 'Next'], env('restored')))

  assert.deepEqual(afterFailure, [])
  const after = await readDatabase(url('restored'))
  assert.ok(!after.includes('hubline_restored'))
  assert.match((await runCommand(['release'], env('restored'))).stdout, /true/)
})

test('a URL without a user leads a dump to the user of the hub', {
  rules: ['backup.own-database-is-dumped'],
  skip: !existsSync(join(DEBIAN, 'postgres')) && 'PostgreSQL 15 of Debian is not installed',
}, async (t) => {
  const { url, directory } = await startServer(t)
  const sql = openPool(url('hub'), { max: 1, name: 'a test' })
  await sql`create role postgres superuser login`
  await sql.end()
  const DATABASE_URL = `postgres://${encodeURIComponent(directory)}/hub`
  const env = { PATH: `${DEBIAN}:/usr/bin:/bin`, PGUSER: 'nobody', DATABASE_URL, ...KEYS }

  const { exitCode, stderr } = await runCommand(['backup', await newDirectory(t)], env)

  assert.deepEqual([exitCode, stderr], [0, ''])
})

for (const [command, program] of [
  ['backup', 'pg_dump'],
  ['restore', 'pg_restore'],
] as const) {
  test(`${command} without ${program}, or with one older than the server, names the package`, {
    rules: ['backup.needs-programs-as-new-as-the-server'],
  }, async (t) => {
    const directory = await newDirectory(t)
    const manifest = { kind: 'dump', version: '0.1.0', created_at: '' }
    await writeFile(join(directory, 'backup.json'), JSON.stringify(manifest))
    const env = { DATABASE_URL: readServerUrl(), ...KEYS }

    const absent = await runCommand([command, directory], { ...env, PATH: directory })
    const old = await runCommand([command, directory], { ...env, PATH: await offerProgram(t, program, '12.22') })

    const advice =
      / Install the Debian package postgresql-client-\d+ \(or postgresql-client, if that is as new\), which has it\.\n$/
    assert.match(absent.stderr, new RegExp(`^${program} is not in PATH\\.`))
    assert.match(old.stderr, new RegExp(`^${program} in PATH is version 12, and the server is PostgreSQL \\d+\\.`))
    for (const { exitCode, stderr } of [absent, old]) {
      assert.equal(exitCode, 1)
      assert.match(stderr, advice)
    }
  })
}
