import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { appendFile, chmod, copyFile, cp, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { findPackagedBinaries } from './binaries.ts'
import { createFixture, isRoot, killGroup, query, readServerPid, waitUntil } from './test/fixture.ts'

test('the database belongs to an unprivileged account and the password to the hub alone', async (t) => {
  const fixture = createFixture(t)
  const dataDir = await fixture.directory()

  const { directory } = await fixture.open({ dataDir })

  const home = await stat(directory)
  assert.equal(directory, join(dataDir, 'postgres'))
  assert.equal(home.mode & 0o777, 0o700)
  assert.notEqual(home.uid, 0)
  const password = await stat(join(dataDir, 'postgres.password'))
  assert.equal(password.mode & 0o777, 0o600)
  assert.equal(password.uid, process.getuid?.())
})

test('a data directory in which nothing can be created is one sentence', async (t) => {
  const fixture = createFixture(t)

  for (const dataDir of ['/proc', '/proc/hubline']) {
    await assert.rejects(fixture.open({ dataDir }), (err: Error) =>
      err.message.startsWith(`The data directory ${dataDir} cannot be created or written (`),
    )
  }
})

// Only root runs the server as another account, which cannot enter its closed directories.
test('each data directory below one that only its owner may enter gets a database of its own', async (t) => {
  const fixture = createFixture(t)
  const systemDirs = [join(await fixture.directory(), 'system')]
  const closed = await fixture.directory('closed')
  const first = await fixture.open({ dataDir: join(closed, 'first'), systemDirs })
  await query(first.options, 'create table mine as select 1 as n')
  await first[Symbol.asyncDispose]()

  const second = await fixture.open({ dataDir: join(closed, 'second'), systemDirs })
  const again = await fixture.open({ dataDir: join(closed, 'first'), systemDirs })

  const parent = isRoot ? join(systemDirs[0]!, 'databases') : join(closed, 'first')
  assert.equal(dirname(first.directory), parent)
  assert.equal(again.directory, first.directory)
  assert.notEqual(second.directory, first.directory)
  assert.equal(await query(again.options, 'select n from mine'), '1')
  assert.equal(await query(second.options, "select to_regclass('mine') is null"), 'true')
})

test('an existing link to a database is followed', async (t) => {
  const fixture = createFixture(t)
  const original = await fixture.initializedDirectory()
  const dataDir = await fixture.directory()
  const first = await fixture.open({ dataDir: original })
  await symlink(first.directory, join(dataDir, 'postgres'))
  await copyFile(join(original, 'postgres.password'), join(dataDir, 'postgres.password'))

  const second = await fixture.open({ dataDir })

  assert.equal(second.directory, first.directory)
  assert.deepEqual(second.options, first.options)
})

test('binaries that the account cannot read are copied once, by one of three processes that open at the same time', async (t) => {
  const fixture = createFixture(t)
  const closed = await fixture.directory('closed')
  const nativeDir = join(closed, 'native')
  await cp(await findPackagedBinaries(), nativeDir, { recursive: true, verbatimSymlinks: true })
  // The modes of an installation under umask 077.
  await chmod(nativeDir, 0o700)
  await chmod(join(nativeDir, 'share'), 0o700)
  const open = await fixture.directory()
  const notADirectory = join(open, 'file')
  await writeFile(notADirectory, '')
  const systemDirs = [join(notADirectory, 'system'), join(open, 'system')]
  const dataDir = await fixture.directory()

  const processes = await Promise.all([1, 2, 3].map(() => fixture.fork({ dataDir, nativeDir, systemDirs })))

  assert.deepEqual(
    processes.map(({ error }) => error),
    [undefined, undefined, undefined],
  )
  const copies = await readdir(systemDirs[1]!).catch(() => [])
  assert.equal(copies.length, isRoot ? 1 : 0)
  for (const copy of copies) {
    const { uid, mode } = await stat(join(systemDirs[1]!, copy, 'bin', 'postgres'))
    assert.deepEqual([uid, mode & 0o777], [0, 0o755])
    assert.match(copy, /^postgres-18\.\d+-[0-9a-f]{12}$/)
  }
})

test('a path too long for a socket gets a private socket directory elsewhere', async (t) => {
  const fixture = createFixture(t)
  const dataDir = join(await fixture.directory(), 'long'.repeat(30), 'data')

  const embedded = await fixture.open({ dataDir })
  fixture.removeAtEnd(embedded.options.host)

  assert.equal(embedded.directory, join(dataDir, 'postgres'))
  assert.equal(await query(embedded.options, 'select 1'), '1')
  assert.equal((await stat(embedded.options.host)).mode & 0o777, 0o700)
  const command = await fixture.fork({ dataDir })
  assert.equal(command.options.host, embedded.options.host)
})

test('a path with spaces, quotes and commas works', async (t) => {
  const fixture = createFixture(t)
  const dataDir = join(await fixture.directory(), `it's "a, b" %41`)

  const embedded = await fixture.open({ dataDir })
  fixture.removeAtEnd(embedded.options.host)

  assert.equal(await query(embedded.options, 'select 1'), '1')
})

for (const access of ['open', 'closed'] as const) {
  test(`the next start removes the files of an initialization that was killed (${access} directory)`, async (t) => {
    const fixture = createFixture(t)
    const systemDirs = [join(await fixture.directory(), 'system')]
    const dataDir = await fixture.directory(access)
    const killed = await fixture.forkProcess({ dataDir, systemDirs })
    await waitUntil('initdb has begun', async () => {
      const draft = (await readdir(dataDir)).find((name) => name.startsWith('postgres.new-'))
      return draft && (await readdir(join(dataDir, draft, 'data'))).length > 0
    })
    await killGroup(killed)

    const embedded = await fixture.open({ dataDir, systemDirs })

    assert.equal(await query(embedded.options, 'select 1'), '1')
    assert.deepEqual((await readdir(dataDir)).sort(), ['postgres', 'postgres.log', 'postgres.password'])
    const databases = await readdir(join(systemDirs[0]!, 'databases')).catch(() => [])
    assert.equal(databases.length, isRoot && access === 'closed' ? 1 : 0)
  })
}

// After a crash of the machine the recorded process id may belong to another program.
test('the server starts although its lock files name the process of another program', async (t) => {
  const fixture = createFixture(t)
  const dataDir = await fixture.initializedDirectory()
  const first = await fixture.open({ dataDir })
  const locks = [join(first.directory, 'data', 'postmaster.pid'), join(first.directory, '.s.PGSQL.5432.lock')]
  const contents = await Promise.all(locks.map((path) => readFile(path, 'utf8')))
  await first[Symbol.asyncDispose]()
  const { uid, gid } = await stat(first.directory)
  const otherProgram = spawn('/bin/sleep', ['600'], { detached: true, ...(isRoot ? { uid, gid } : {}) })
  fixture.killAtEnd(otherProgram)
  for (const [n, path] of locks.entries()) await writeFile(path, contents[n]!.replace(/^\d+/, String(otherProgram.pid)))

  const second = await fixture.open({ dataDir })

  assert.equal(await query(second.options, 'select 1'), '1')
  assert.equal(otherProgram.exitCode, null)
  assert.notEqual(await readServerPid(second.directory), otherProgram.pid)
})

test('a data directory that cannot be written is an error that names it', async (t) => {
  const fixture = createFixture(t)
  const parent = await fixture.directory()
  // Modes do not stop root, but a file in place of the directory does.
  if (isRoot) await writeFile(join(parent, 'in-the-way'), '')
  else await mkdir(join(parent, 'in-the-way'), { mode: 0o500 })
  const dataDir = join(parent, 'in-the-way', 'data')

  await assert.rejects(fixture.open({ dataDir }), {
    message: `The data directory ${dataDir} cannot be created or written (${isRoot ? 'ENOTDIR' : 'EACCES'}).`,
  })
})

test('data of another major version is refused with advice', async (t) => {
  const fixture = createFixture(t)
  const dataDir = await fixture.directory()
  const { directory, ...first } = await fixture.open({ dataDir })
  await first[Symbol.asyncDispose]()
  await writeFile(join(directory, 'data', 'PG_VERSION'), '17\n')

  await assert.rejects(
    fixture.open({ dataDir }),
    /was created by PostgreSQL 17, but this hub includes PostgreSQL 18: move the data/,
  )
})

test('a server that does not start is reported with the end of its log', async (t) => {
  const fixture = createFixture(t)
  const dataDir = await fixture.directory()
  const { directory, ...first } = await fixture.open({ dataDir })
  await first[Symbol.asyncDispose]()
  await appendFile(join(directory, 'data', 'postgresql.conf'), 'no_such_setting = on\n')

  await assert.rejects(fixture.open({ dataDir }), /did not start in .* \(exit code 1\): .*no_such_setting/s)
})

test('a server log over 1 MB is rotated at the start', async (t) => {
  const fixture = createFixture(t)
  const dataDir = await fixture.initializedDirectory()
  await writeFile(join(dataDir, 'postgres.log'), 'x'.repeat(1024 * 1024 + 1))

  await fixture.open({ dataDir })

  assert.match(await readFile(join(dataDir, 'postgres.log'), 'utf8'), /^\d.*starting PostgreSQL/)
})
