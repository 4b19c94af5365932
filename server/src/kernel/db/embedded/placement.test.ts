import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { appendFile, chmod, copyFile, cp, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { packagedBinaries } from './binaries.ts'
import { isRoot, killGroup, query, serverPid, setScene, until } from './test/scene.ts'

test('the database belongs to an unprivileged account and the password to the hub alone', async (t) => {
  const scene = setScene(t)
  const dataDir = await scene.directory()

  const { directory } = await scene.open({ dataDir })

  const home = await stat(directory)
  assert.equal(directory, join(dataDir, 'postgres'))
  assert.equal(home.mode & 0o777, 0o700)
  assert.notEqual(home.uid, 0)
  const password = await stat(join(dataDir, 'postgres.password'))
  assert.equal(password.mode & 0o777, 0o600)
  assert.equal(password.uid, process.getuid?.())
})

// Only root runs the server as another, whom its closed directories keep out.
test('a data directory below one that only its owner may enter works, and each such one has its own database', async (t) => {
  const scene = setScene(t)
  const systemDirs = [join(await scene.directory(), 'system')]
  const closed = await scene.directory('closed')
  const first = await scene.open({ dataDir: join(closed, 'first'), systemDirs })
  await query(first.options, 'create table mine as select 1 as n')
  await first[Symbol.asyncDispose]()

  const second = await scene.open({ dataDir: join(closed, 'second'), systemDirs })
  const again = await scene.open({ dataDir: join(closed, 'first'), systemDirs })

  const parent = isRoot ? join(systemDirs[0]!, 'databases') : join(closed, 'first')
  assert.equal(dirname(first.directory), parent)
  assert.equal(again.directory, first.directory)
  assert.notEqual(second.directory, first.directory)
  assert.equal(await query(again.options, 'select n from mine'), '1')
  assert.equal(await query(second.options, "select to_regclass('mine') is null"), 'true')
})

test('an existing link to a database is followed', async (t) => {
  const scene = setScene(t)
  const original = await scene.directory()
  const dataDir = await scene.directory()
  const first = await scene.open({ dataDir: original })
  await symlink(first.directory, join(dataDir, 'postgres'))
  await copyFile(join(original, 'postgres.password'), join(dataDir, 'postgres.password'))

  const second = await scene.open({ dataDir })

  assert.equal(second.directory, first.directory)
  assert.deepEqual(second.options, first.options)
})

test('binaries that the account cannot reach are copied once, for all who open at the same time', async (t) => {
  const scene = setScene(t)
  const closed = await scene.directory('closed')
  const nativeDir = join(closed, 'native')
  await cp(await packagedBinaries(), nativeDir, { recursive: true, verbatimSymlinks: true })
  // The modes that an installation under umask 077 leaves.
  await chmod(nativeDir, 0o700)
  await chmod(join(nativeDir, 'share'), 0o700)
  const open = await scene.directory()
  const notADirectory = join(open, 'file')
  await writeFile(notADirectory, '')
  const systemDirs = [join(notADirectory, 'system'), join(open, 'system')]
  const dataDir = await scene.directory()

  const openers = await Promise.all([1, 2, 3].map(() => scene.fork({ dataDir, nativeDir, systemDirs })))

  assert.deepEqual(
    openers.map(({ error }) => error),
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
  const scene = setScene(t)
  const dataDir = join(await scene.directory(), 'long'.repeat(30), 'data')

  const embedded = await scene.open({ dataDir })
  scene.removeAtEnd(embedded.options.host)

  assert.equal(embedded.directory, join(dataDir, 'postgres'))
  assert.equal(await query(embedded.options, 'select 1'), '1')
  assert.equal((await stat(embedded.options.host)).mode & 0o777, 0o700)
  const command = await scene.fork({ dataDir })
  assert.equal(command.options.host, embedded.options.host)
})

test('a path with spaces, quotes and commas works', async (t) => {
  const scene = setScene(t)
  const dataDir = join(await scene.directory(), `it's "a, b" %41`)

  const embedded = await scene.open({ dataDir })
  scene.removeAtEnd(embedded.options.host)

  assert.equal(await query(embedded.options, 'select 1'), '1')
})

for (const access of ['open', 'closed'] as const) {
  test(`an initialisation killed half-way leaves nothing behind after the next start (${access} directory)`, async (t) => {
    const scene = setScene(t)
    const systemDirs = [join(await scene.directory(), 'system')]
    const dataDir = await scene.directory(access)
    const killed = await scene.forkWithoutWaiting({ dataDir, systemDirs })
    await until('initdb has begun', async () => {
      const draft = (await readdir(dataDir)).find((name) => name.startsWith('postgres.new-'))
      return draft && (await readdir(join(dataDir, draft, 'data'))).length > 0
    })
    await killGroup(killed)

    const embedded = await scene.open({ dataDir, systemDirs })

    assert.equal(await query(embedded.options, 'select 1'), '1')
    assert.deepEqual((await readdir(dataDir)).sort(), ['postgres', 'postgres.log', 'postgres.password'])
    const databases = await readdir(join(systemDirs[0]!, 'databases')).catch(() => [])
    assert.equal(databases.length, isRoot && access === 'closed' ? 1 : 0)
  })
}

// After a crash of the machine the recorded process number may belong to anybody.
test('lock files whose process is now another one do not keep the server from starting', async (t) => {
  const scene = setScene(t)
  const dataDir = await scene.directory()
  const first = await scene.open({ dataDir })
  const locks = [join(first.directory, 'data', 'postmaster.pid'), join(first.directory, '.s.PGSQL.5432.lock')]
  const contents = await Promise.all(locks.map((path) => readFile(path, 'utf8')))
  await first[Symbol.asyncDispose]()
  const { uid, gid } = await stat(first.directory)
  const stranger = spawn('/bin/sleep', ['600'], { detached: true, ...(isRoot ? { uid, gid } : {}) })
  scene.killAtEnd(stranger)
  for (const [n, path] of locks.entries()) await writeFile(path, contents[n]!.replace(/^\d+/, String(stranger.pid)))

  const second = await scene.open({ dataDir })

  assert.equal(await query(second.options, 'select 1'), '1')
  assert.equal(stranger.exitCode, null)
  assert.notEqual(await serverPid(second.directory), stranger.pid)
})

test('a data directory that cannot be written is named in one sentence', async (t) => {
  const scene = setScene(t)
  const parent = await scene.directory()
  // Modes do not stop root; a file in the way stops everybody.
  if (isRoot) await writeFile(join(parent, 'in-the-way'), '')
  else await mkdir(join(parent, 'in-the-way'), { mode: 0o500 })
  const dataDir = join(parent, 'in-the-way', 'data')

  await assert.rejects(scene.open({ dataDir }), {
    message: `The data directory ${dataDir} cannot be created or written (${isRoot ? 'ENOTDIR' : 'EACCES'}).`,
  })
})

test('data of another major version is refused with a way out', async (t) => {
  const scene = setScene(t)
  const dataDir = await scene.directory()
  const { directory, ...first } = await scene.open({ dataDir })
  await first[Symbol.asyncDispose]()
  await writeFile(join(directory, 'data', 'PG_VERSION'), '17\n')

  await assert.rejects(scene.open({ dataDir }), /was made by PostgreSQL 17 and this hub brings PostgreSQL 18: move it/)
})

test('a server that does not start is reported with the end of its log', async (t) => {
  const scene = setScene(t)
  const dataDir = await scene.directory()
  const { directory, ...first } = await scene.open({ dataDir })
  await first[Symbol.asyncDispose]()
  await appendFile(join(directory, 'data', 'postgresql.conf'), 'no_such_setting = on\n')

  await assert.rejects(scene.open({ dataDir }), /did not start in .* \(exit code 1\): .*no_such_setting/s)
})

test('the log of the server starts anew when it has grown', async (t) => {
  const scene = setScene(t)
  const dataDir = await scene.directory()
  await writeFile(join(dataDir, 'postgres.log'), 'x'.repeat(1024 * 1024 + 1))

  await scene.open({ dataDir })

  assert.match(await readFile(join(dataDir, 'postgres.log'), 'utf8'), /^\d.*starting PostgreSQL/)
})
