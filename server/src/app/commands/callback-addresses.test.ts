import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { buildSealingEnv, readPrinted } from '../../../test/admin.ts'
import { cellVariables, claimNumber, readCallbackUrl, startOtherCell, unclaimNumber } from '../../../test/cells.ts'
import { cloneTemplate } from '../../../test/database.ts'
import { startHub } from '../../../test/hub.ts'
import { createChannel } from '../../../test/hub-with-upstream.ts'
import { connectWithToken } from '../../../test/relay.ts'
import { startUpstream } from '../../../test/upstream.ts'
import type { KeyRing } from '../../kernel/crypto/key-ring.ts'
import { runCommand } from './run-command.ts'

const RING: KeyRing = [{ id: 'operator', bytes: randomBytes(32) }]

/** A cell with three connected numbers, which was stopped and has another PUBLIC_URL since. */
async function moveCell(t: TestContext) {
  const database = await cloneTemplate()
  t.after(() => database.drop())
  const up = await startUpstream(t)
  const former = await cellVariables('br01')
  const hub = await startHub(t, {
    env: former,
    database,
    simulator: up.simulator,
    installation: { keyRing: () => RING },
  })
  const numbers = [await up.number(), await up.number(), await up.number()] as const
  for (const number of numbers) {
    const acme = await hub.organization()
    const { id } = await createChannel(acme)
    assert.equal((await connectWithToken(acme, id, number)).status, 200)
  }
  await hub.stop()
  const present = await cellVariables('br01')
  const env = {
    DATABASE_URL: database.target,
    ...buildSealingEnv(RING),
    UPSTREAM_URL: up.simulator.url,
    UPSTREAM_CONFIG_ID: '1',
    UPSTREAM_APP_ID: up.simulator.appId,
    UPSTREAM_APP_SECRET: up.simulator.appSecret,
    UPSTREAM_VERIFY_TOKEN: up.simulator.verifyToken,
    ...present,
  }
  const run = (...args: string[]) => runCommand(['callback-addresses', ...args], env)
  return { up, run, numbers, former: former.PUBLIC_URL ?? '', url: `${present.PUBLIC_URL}/hooks/upstream` }
}

test('callback-addresses sets those of a former PUBLIC_URL once, and leaves those of other cells', {
  rules: ['admin.callback-addresses-are-set'],
}, async (t) => {
  const { up, run, numbers, former, url } = await moveCell(t)
  const other = await startOtherCell(t)
  const [moved, unset, foreign] = numbers
  await unclaimNumber(up, unset)
  await claimNumber(up, foreign, other.callbackUrl)
  const read = () => Promise.all(numbers.map((number) => readCallbackUrl(up, number)))
  const before = await read()

  const listed = readPrinted(await run())
  const afterList = await read()
  const first = readPrinted(await run('--set'))
  const second = readPrinted(await run('--set', '--from', former))
  const third = readPrinted(await run('--set', '--from', former))

  const of = (result: { numbers: { phone_number_id: string; at: string }[] }) =>
    numbers.map(({ phoneNumberId }) => result.numbers.find((each) => each.phone_number_id === phoneNumberId)?.at)
  assert.deepEqual([listed.cell, listed.url, listed.numbers.length], ['br01', url, 3])
  assert.deepEqual([before, afterList], [afterList, [`${former}/hooks/upstream`, undefined, other.callbackUrl]])
  assert.deepEqual(of(listed), ['elsewhere', 'app', 'elsewhere'])
  assert.deepEqual([of(first), first.changed], [['elsewhere', 'this-cell', 'elsewhere'], 1])
  assert.deepEqual([of(second), second.changed, second.elsewhere], [['this-cell', 'this-cell', 'elsewhere'], 1, 1])
  assert.deepEqual([third.changed, third.failed], [0, 0])
  assert.deepEqual(await read(), [url, url, other.callbackUrl])
  assert.equal(moved.phoneNumberId, second.numbers.find((each: { changed: boolean }) => each.changed).phone_number_id)
})

test('callback-addresses exits 1 with its result if the upstream refuses one, and 2 for words that are off', {
  rules: ['admin.callback-addresses-are-set'],
}, async (t) => {
  const { up, run, numbers, former } = await moveCell(t)
  await up.simulator.control('POST', '/faults', {
    kind: 'error',
    path: `/${numbers[0].phoneNumberId}`,
    method: 'POST',
    code: 10,
    times: null,
  })

  const { exitCode, stdout, stderr } = await run('--set', '--from', former)
  const wrong = [await run('--from', former), await run('--set', '--from', `${former}/hooks/upstream`)]

  const result = JSON.parse(stdout)
  assert.deepEqual([exitCode, result.changed, result.failed], [1, 2, 1])
  assert.match(stderr, /^1 of 3 numbers failed.*\n$/)
  for (const each of wrong) assert.deepEqual([each.exitCode, each.stdout], [2, ''])
})

test('callback-addresses without CELL, and subscribe-app with CELL and without --url, do nothing and exit 2', {
  rules: ['admin.callback-addresses-are-set', 'admin.subscribe-app-needs-the-url-in-a-cell'],
}, async (t) => {
  const database = await cloneTemplate()
  t.after(() => database.drop())
  const env = { DATABASE_URL: database.target, ...buildSealingEnv(RING) }

  const single = await runCommand(['callback-addresses'], env)
  const taking = await runCommand(['subscribe-app'], { ...env, CELL: 'br01' })

  assert.deepEqual([single.exitCode, taking.exitCode], [2, 2])
  assert.match(single.stderr, /^CELL is not set/)
  assert.match(taking.stderr, /^--url is required with CELL/)
})
