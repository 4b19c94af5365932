import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { TOTP } from 'otpauth'
import { PASSWORD, startHub, type TestHub } from '../../../../test/hub.ts'
import { contend } from '../../../../test/lock-contention.ts'
import { NEW_PASSWORD, receiveToken, redeem, signIn, startHubWithMail } from './test/fixture.ts'

const MIGRATIONS = join(import.meta.dirname, '../../../../migrations')

type Person = Awaited<ReturnType<TestHub['person']>>

function generateCode(hub: TestHub, secret: string): string {
  return new TOTP({ secret }).generate({ timestamp: hub.clock.now().getTime() })
}

/** Sets a second factor on a hub without mail, which does not ask for a verified e-mail. */
async function occupy(hub: TestHub, person: Person): Promise<string> {
  const { secret } = (await person.post('/console/totp', { password: PASSWORD })).body.data
  assert.equal((await person.post('/console/totp/confirm', { code: generateCode(hub, secret) })).status, 200)
  return secret
}

test('a reset by mail removes a second factor that was set before the e-mail was verified', {
  rules: ['password.reset-removes-unproven-factor'],
}, async (t) => {
  const withoutMail = await startHub(t)
  const { hub, server } = await startHubWithMail(t)
  const attacker = await withoutMail.person(undefined, { isEmailVerified: false })
  const witness = await hub.person({ organizationId: attacker.organizationId, role: 'admin' })
  await occupy(withoutMail, attacker)

  const done = await redeem(hub, await receiveToken(hub, server, attacker.email))
  const signedIn = await signIn(hub, attacker.email, NEW_PASSWORD)

  assert.equal(done.status, 200)
  assert.equal(signedIn.status, 200)
  const { user } = signedIn.body.data
  assert.deepEqual([user.email_verified, user.totp_enabled], [true, false])
  assert.equal((await attacker.get('/console/session')).status, 401)
  assert.equal((await hub.sql`select 1 from recovery_codes where user_id = ${attacker.userId}`).length, 0)
  for (const action of ['user.totp_disabled', 'user.email_verified', 'user.password_reset']) {
    const log = await witness.get(`/api/v1/audit-log?action=${action}&target_id=${attacker.userId}`)
    assert.equal(log.body.data.entries.length, 1, action)
    assert.equal(log.body.data.entries[0].request_id, done.headers.get('x-request-id'))
  }
})

test('a factor that was set after the e-mail was verified stays, also after the address was taken back', {
  rules: ['password.reset-removes-unproven-factor', 'password.reset-ends-sessions-keeps-factor'],
}, async (t) => {
  const { hub, server } = await startHubWithMail(t)
  const ana = await hub.person(undefined, { isEmailVerified: false })
  await redeem(hub, await receiveToken(hub, server, ana.email), PASSWORD)
  const cookies = (await signIn(hub, ana.email, PASSWORD)).headers.getSetCookie()
  const cookie = cookies[0]?.split(';')[0] ?? ''
  const owner = { ...ana, ...hub.anonymous.with({ cookie, origin: 'http://localhost:8080' }) }
  const secret = await occupy(hub, owner)

  await redeem(hub, await receiveToken(hub, server, ana.email))
  const without = await signIn(hub, ana.email, NEW_PASSWORD)
  await hub.clock.advance('1 minute')
  const withCode = await signIn(hub, ana.email, NEW_PASSWORD, generateCode(hub, secret))

  assert.deepEqual([without.status, withCode.status], [401, 200])
  assert.equal(withCode.body.data.user.email_verified, true)
})

test('a factor that was set unverified is removed even if the e-mail was verified later', {
  rules: ['password.reset-removes-unproven-factor'],
}, async (t) => {
  const withoutMail = await startHub(t)
  const { hub, server } = await startHubWithMail(t)
  const attacker = await withoutMail.person(undefined, { isEmailVerified: false })
  await occupy(withoutMail, attacker)
  await hub.sql`update users set email_verified_at = hub_now() where id = ${attacker.userId}`

  await redeem(hub, await receiveToken(hub, server, attacker.email))

  assert.equal((await signIn(hub, attacker.email, NEW_PASSWORD)).status, 200)
})

// Otherwise an attacker whose request was let in before the reset would lock the account again.
test('a second factor that is confirmed while a reset ends the session is not set', {
  rules: ['password.reset-removes-unproven-factor'],
}, async (t) => {
  const withoutMail = await startHub(t)
  const { hub, server } = await startHubWithMail(t)
  const attacker = await withoutMail.person(undefined, { isEmailVerified: false })
  const { secret } = (await attacker.post('/console/totp', { password: PASSWORD })).body.data
  const token = await receiveToken(hub, server, attacker.email)

  const { confirmed, done } = await contend((tx) => tx`select 1 from users where id = ${attacker.userId} for update`, {
    waiting: 2,
    async work() {
      const done = redeem(hub, token)
      const confirmed = attacker.post('/console/totp/confirm', { code: generateCode(hub, secret) })
      return { done: await done, confirmed: await confirmed }
    },
  })

  assert.equal(done.status, 200)
  assert.ok([200, 401].includes(confirmed.status), String(confirmed.status))
  assert.equal((await signIn(hub, attacker.email, NEW_PASSWORD)).status, 200)
})

test('the migration marks an account with a second factor as verified, and a reset by mail leaves the factor on', {
  rules: ['factor.migration-trusts-existing-ones'],
}, async (t) => {
  const withoutMail = await startHub(t)
  const { hub, server } = await startHubWithMail(t)
  const ana = await withoutMail.person(undefined, { isEmailVerified: false })
  await occupy(withoutMail, ana)
  const file = (await readdir(MIGRATIONS)).find((name) => name.endsWith('-email-ownership.sql')) ?? ''
  const [statement = ''] = /^update users[^;]+/m.exec(await readFile(join(MIGRATIONS, file), 'utf8')) ?? []

  await hub.sql.unsafe(statement)
  const verified = await ana.get('/console/session')
  await redeem(hub, await receiveToken(hub, server, ana.email))

  assert.equal(verified.body.data.user.email_verified, true)
  assert.equal((await signIn(hub, ana.email, NEW_PASSWORD)).status, 401)
})
