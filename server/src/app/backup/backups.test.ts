import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { countMissingBytes, deleteOldBackups, findBackup, makeBackup, requireComplete } from './backups.ts'

const DAY_MS = 86_400_000
const NOW = new Date('2026-11-19T12:00:00Z')

async function newDirectory(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'hubline-backups-'))
  t.after(() => rm(directory, { recursive: true, force: true }))
  return directory
}

function make(directory: string, daysAgo: number) {
  const now = new Date(NOW.getTime() - daysAgo * DAY_MS)
  return makeBackup(directory, { kind: 'dump', now, fill: (path) => writeFile(join(path, 'database.dump'), 'x') })
}

test('the newest two backups stay, and what is older than 14 days goes', {
  rules: ['backup.newest-two-of-14-days'],
}, async (t) => {
  const directory = await newDirectory(t)
  await writeFile(join(directory, 'notes.txt'), 'mine')
  await make(directory, 20)
  const first = await make(directory, 3)
  const second = await make(directory, 2)
  const third = await make(directory, 1)

  const left = (await readdir(directory)).sort()
  const later = await deleteOldBackups(directory, new Date(NOW.getTime() + 13 * DAY_MS))

  assert.deepEqual(third.deleted, [first.path.split('/').at(-1)])
  assert.deepEqual(
    left.map((name) => join(directory, name)),
    [second.path, third.path, join(directory, 'notes.txt')],
  )
  assert.equal(later.length, 2)
  assert.deepEqual(await readdir(directory), ['notes.txt'])
})

test('a backup that failed leaves nothing, and one that was killed is never restored', {
  rules: ['backup.interrupted-is-no-backup'],
}, async (t) => {
  const directory = await newDirectory(t)
  const fail = () => Promise.reject(new Error('disk full'))

  await assert.rejects(makeBackup(directory, { kind: 'dump', now: NOW, fill: fail }), /disk full/)
  assert.deepEqual(await readdir(directory), [])
  await mkdir(join(directory, 'hubline-20261119T120000Z-abcd.unfinished'))

  assert.equal(await findBackup(directory), undefined)
  const { path } = await make(directory, 0)
  assert.equal((await findBackup(directory))?.path, path)
  assert.equal((await findBackup(path))?.path, path)
  await deleteOldBackups(directory, new Date(NOW.getTime() + 2 * DAY_MS))
  assert.deepEqual(await readdir(directory), [path.split('/').at(-1)])
})

test('a backup that lacks a file, or a part of one, is refused, and one of an earlier version is not measured', {
  rules: ['backup.interrupted-is-no-backup'],
}, async (t) => {
  const { path, manifest } = await make(await newDirectory(t), 0)
  const dump = join(path, 'database.dump')

  await requireComplete({ path, manifest })
  await writeFile(dump, '')
  await assert.rejects(
    requireComplete({ path, manifest }),
    / is damaged: it was made with 1 files of 1 bytes in all, and has 1 of 0\. Nothing was changed\./,
  )
  await rm(dump)
  await assert.rejects(requireComplete({ path, manifest }), / and has 0 of 0\./)
  await requireComplete({ path, manifest: { ...manifest, content: undefined } })
})

test('the backup that was just made stays, also beside ones with later names', {
  rules: ['backup.newest-two-of-14-days'],
}, async (t) => {
  const directory = await newDirectory(t)
  const earlier = await make(directory, -2)
  const later = await make(directory, -3)

  const made = await make(directory, 0)

  assert.deepEqual(made.deleted, [basename(earlier.path)])
  assert.deepEqual((await readdir(directory)).sort(), [basename(made.path), basename(later.path)])
})

test('a directory that is no whole backup neither hides one nor takes its place', {
  rules: ['backup.interrupted-is-no-backup'],
}, async (t) => {
  const directory = await newDirectory(t)
  const names = ['hubline-20261119T120001Z-aaaa', 'hubline-20261119T120002Z-bbbb', 'hubline-20261119T120003Z-cccc']
  for (const name of names) await mkdir(join(directory, name))
  await writeFile(join(directory, names[1] ?? '', 'backup.json'), '{"kind": "du')
  await writeFile(join(directory, names[2] ?? '', 'backup.json'), 'null')

  const { path, deleted } = await make(directory, 1)
  const found = await findBackup(directory)

  assert.deepEqual([found?.path, deleted], [path, []])
  assert.equal((await deleteOldBackups(directory, new Date(NOW.getTime() + 15 * DAY_MS))).length, 4)
})

test('a database that a restore replaced goes after 14 days, also where it is a link', {
  rules: ['backup.newest-two-of-14-days'],
}, async (t) => {
  const [directory, elsewhere] = [await newDirectory(t), await newDirectory(t)]
  await mkdir(join(elsewhere, 'database'))
  await symlink(join(elsewhere, 'database'), join(directory, 'replaced-20261101T120000Z-abcd'))
  await mkdir(join(directory, 'replaced-20261110T120000Z-abcd'))

  assert.equal((await deleteOldBackups(directory, NOW)).length, 1)

  assert.deepEqual(await readdir(elsewhere), [])
  assert.deepEqual(await readdir(directory), ['replaced-20261110T120000Z-abcd'])
})

test('a copy that the disk has no room for is known before it is made', {
  rules: ['backup.needs-free-space'],
}, async (t) => {
  const directory = await newDirectory(t)

  assert.equal(await countMissingBytes(directory, 0), 0)
  assert.ok((await countMissingBytes(directory, 2 ** 60)) > 2 ** 59)
})
