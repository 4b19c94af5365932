import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import { testDatabase } from '../../../../test/database.ts'
import { PASSWORD, readCookies, startHub, type TestHub } from '../../../../test/hub.ts'

const CLOSED = { SIGN_UP: 'closed', TRUSTED_PROXIES: '127.0.0.1/32' }

/** A hub that starts without an account, and the setup code in its log. */
async function startEmpty(t: TestContext, env: Record<string, string> = CLOSED) {
  const { sql } = await testDatabase()
  await sql`truncate users, organizations, setup_codes cascade`
  const hub = await startHub(t, { env, isOwn: true })
  return { hub, code: readCode(hub) }
}

function readCode({ logs }: TestHub): string | undefined {
  return /setup code ([A-Z]{5}(?:-[A-Z]{5}){3})"/.exec(logs.join(''))?.[1]
}

function signUp(hub: TestHub, setup_code?: string, ip = `10.${[...randomBytes(3)].join('.')}`) {
  const email = `${randomBytes(8).toString('hex')}@example.com`
  const account = { name: 'Ana', email, password: PASSWORD, organization_name: 'Acme' }
  const body = setup_code === undefined ? account : { ...account, setup_code }
  return hub.anonymous.post('/console/sign-up', body, { headers: { 'x-forwarded-for': ip } })
}

const countCodes = async ({ sql }: TestHub) => (await sql`select 1 from setup_codes`).length
const showSetup = async (hub: TestHub) => (await hub.anonymous.get('/console/setup')).body.data

test('a page learns how people get in, and nothing about organizations', {
  rules: ['signup.setup-reveals-no-organization'],
}, async (t) => {
  const { hub } = await startEmpty(t)
  const empty = await showSetup(hub)
  await hub.person()

  assert.deepEqual(empty, {
    sign_up: 'closed',
    first_run: true,
    sandbox: true,
    two_factor: 'optional',
    password_reset: false,
  })
  assert.deepEqual(await showSetup(hub), { ...empty, first_run: false })
})

test('the first account is created with the code of the log, once, and is the owner of its organization', {
  rules: ['signup.first-account-takes-a-setup-code', 'signup.first-account-uses-up-every-code'],
}, async (t) => {
  const { hub, code } = await startEmpty(t)
  assert.ok(code, hub.logs.join(''))

  const without = await signUp(hub)
  const wrong = await signUp(hub, 'ABCDE-ABCDE-ABCDE-ABCDE')
  const first = await signUp(hub, ` ${code.toLowerCase()} `)
  const again = await signUp(hub, code)

  assert.deepEqual([without.status, without.body.error.code], [404, 'NOT_FOUND'])
  assert.deepEqual([wrong.status, wrong.body.error.code], [400, 'INVALID_REQUEST'])
  assert.equal(first.status, 201, first.text)
  assert.equal(first.body.data.role, 'owner')
  const session = await hub.anonymous.with({ cookie: readCookies(first.headers) }).get('/console/session')
  assert.equal(session.status, 200)
  assert.deepEqual([again.status, again.body.error.code], [404, 'NOT_FOUND'])
  assert.equal(await countCodes(hub), 0)
})

test('exactly one of several concurrent first accounts with the same code is created', {
  rules: ['signup.first-account-uses-up-every-code'],
}, async (t) => {
  const { hub, code } = await startEmpty(t)

  const answers = await Promise.all(Array.from({ length: 5 }, () => signUp(hub, code)))

  assert.equal(answers.filter(({ status }) => status === 201).length, 1)
  assert.equal((await hub.sql`select 1 from users`).length, 1)
})

test('a wrong code leaves the right one valid, and is limited by address', {
  rules: ['signup.wrong-setup-code-is-400'],
}, async (t) => {
  const { hub, code } = await startEmpty(t)
  const statuses: number[] = []

  for (let i = 0; i < 21; i++) statuses.push((await signUp(hub, `WRONG-${i}`, '10.1.2.3')).status)
  const right = await signUp(hub, code)

  assert.deepEqual([...new Set(statuses.slice(0, 20))], [400])
  assert.equal(statuses[20], 429)
  assert.equal(right.status, 201)
})

test('each process prints a code while there is no account, and only its hash is stored', {
  rules: ['signup.first-account-takes-a-setup-code', 'signup.setup-code-is-a-hash'],
}, async (t) => {
  const { hub, code } = await startEmpty(t)
  const second = await startHub(t, { env: CLOSED, isOwn: true })
  const other = readCode(second)

  const stored = JSON.stringify(await hub.sql`select encode(code_hash, 'escape') as text from setup_codes`)
  const first = await signUp(hub, other)

  assert.ok(code && other && code !== other)
  assert.ok(!stored.includes(code) && !stored.includes(other))
  assert.equal(first.status, 201)
  assert.equal((await signUp(second, code)).status, 404)
})

test('with an account, or an open sign-up, no code is printed, and earlier ones are gone', {
  rules: ['signup.setup-code-is-a-hash'],
}, async (t) => {
  const { hub, code } = await startEmpty(t)
  await hub.person()

  const later = await startHub(t, { env: CLOSED, isOwn: true })
  const refused = await signUp(later, code)
  const { hub: open, code: none } = await startEmpty(t, { SIGN_UP: 'open', TRUSTED_PROXIES: '127.0.0.1/32' })

  assert.equal(readCode(later), undefined)
  assert.equal(refused.status, 404)
  assert.equal(await countCodes(later), 0)
  assert.equal(none, undefined)
  assert.equal((await signUp(open)).status, 201)
})
