import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type Account, buildSpawnOptions, runAs } from './account.ts'
import { findPackagedBinaries } from './binaries.ts'
import { createFixture, isRoot } from './test/fixture.ts'

/** The tests of each file that depend on the user who runs them. */
const SUITES = {
  'server-lifetime.test.ts': 'before a stop|second hub|server were killed',
  'placement.test.ts': 'only its owner may enter|cannot be written|too long for a socket',
}

for (const [suite, titles] of Object.entries(SUITES)) {
  test(`the guarantees hold for an unprivileged user (${suite})`, async (t) => {
    const user = await findUnprivilegedUser()
    const folder = await copyIfUnreadable(t, user)

    const chosen = [`--test-name-pattern=${titles}`, join(folder.path, suite)]
    const run = spawn(folder.node, chosen, { ...buildSpawnOptions(user), stdio: 'pipe' })
    let output = ''
    run.stdout?.on('data', (chunk) => {
      output += chunk
    })
    const [code] = await once(run, 'close')

    assert.equal(code, 0, output)
    assert.match(output, /pass 3/)
  })
}

/** The account `nobody` if the tests run as root, which they often do in containers. */
async function findUnprivilegedUser(): Promise<Account> {
  if (!isRoot) return undefined
  const line = (await readFile('/etc/passwd', 'utf8')).split('\n').find((entry) => entry.startsWith('nobody:'))
  const [, , uid, gid] = line?.split(':') ?? []
  return { uid: Number(uid), gid: Number(gid) }
}

/** The packages of the driver, and the version of postgres-array that the sources use beside the one of pg. */
async function copyDriver(folder: string): Promise<void> {
  const packages = dirname(dirname(dirname(new URL(import.meta.resolve('pg')).pathname)))
  const names = (await readdir(packages)).filter((name) => /^(?:pg|postgres|split2|xtend)/.test(name))
  for (const name of names) await cp(join(packages, name), join(folder, name), { recursive: true })
  await cp(join(packages, 'postgres-array'), join(folder, 'pg-types/node_modules/postgres-array'), { recursive: true })
  const own = dirname(new URL(import.meta.resolve('postgres-array')).pathname)
  await cp(own, join(folder, 'postgres-array'), { recursive: true })
}

/** This folder, or a copy of it with what it imports if the user cannot read the checkout. */
async function copyIfUnreadable(t: TestContext, user: Account): Promise<{ path: string; node: string }> {
  const here = { path: import.meta.dirname, node: process.execPath }
  const script = 'process.exit(0)'
  const isReachable = await runAs(user, here.node, [
    '--import',
    join(here.path, '../connection-url.ts'),
    '-e',
    script,
  ]).then(
    () => true,
    () => false,
  )
  if (isReachable) return here

  const checkout = await createFixture(t).directory()
  const native = dirname(await findPackagedBinaries())
  const options = { recursive: true, verbatimSymlinks: true }
  await cp(join(here.path, '..'), join(checkout, 'db'), options)
  await cp(join(here.path, '../../directories.ts'), join(checkout, 'directories.ts'))
  await cp(native, join(checkout, 'node_modules', native.split('/').slice(-2).join('/')), options)
  await copyDriver(join(checkout, 'node_modules'))
  await cp(here.node, join(checkout, 'node'))
  return { path: join(checkout, 'db/embedded'), node: join(checkout, 'node') }
}
