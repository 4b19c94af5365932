import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import type { Answer } from '../../../../test/client.ts'
import { ORIGIN, PASSWORD, startHub, type TestHub } from '../../../../test/hub.ts'
import { everythingStored, formsOf } from '../../../../test/stored.ts'

type Person = Awaited<ReturnType<TestHub['person']>>

/** A code that was not used yet: the clock goes to the next step first. */
async function freshCode(hub: TestHub, secret: string): Promise<string> {
  await hub.clock.advance('30 seconds')
  return codeNow(hub, secret)
}

function codeNow(hub: TestHub, secret: string): string {
  return new TOTP({ secret }).generate({ timestamp: hub.clock.now().getTime() })
}

async function enable(hub: TestHub, person: Person): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { secret } = (await person.post('/console/totp', { password: PASSWORD })).body.data
  const confirmed = await person.post('/console/totp/confirm', { code: codeNow(hub, secret) })
  return { secret, recoveryCodes: confirmed.body.data.recovery_codes }
}

function signIn(hub: TestHub, email: string, totp?: string, password = PASSWORD) {
  return hub.anonymous.post('/console/sign-in', { email, password, ...(totp && { totp }) })
}

test('a second factor is asked for only after a first code has confirmed it', {
  rules: ['D5-60', 'D5-84', 'D5-85'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()

  const begun = await ana.post('/console/totp', { password: PASSWORD })
  const before = await signIn(hub, ana.email)
  const { secret, otpauth_url } = begun.body.data
  const confirmed = await ana.post('/console/totp/confirm', { code: codeNow(hub, secret) })
  const after = await signIn(hub, ana.email)

  assert.equal(begun.status, 201)
  assert.match(otpauth_url, new RegExp(`^otpauth://totp/Hubline.*secret=${secret}`))
  assert.equal(before.status, 200)
  assert.equal(confirmed.status, 200)
  assert.equal(new Set(confirmed.body.data.recovery_codes).size, 10)
  assert.equal(after.status, 401)
  assert.deepEqual(after.body.error.details, { totp_required: true })
  assert.equal((await ana.get('/console/session')).body.data.user.totp_enabled, true)
})

test('with a second factor, signing in takes its current code and no other', {
  rules: ['D5-60', 'D5-62'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const { secret } = await enable(hub, ana)
  const wrong = codeNow(hub, new Secret().base32)

  const refused = await signIn(hub, ana.email, wrong)
  const wrongPassword = await signIn(hub, ana.email, await freshCode(hub, secret), 'a guess')
  const signedIn = await signIn(hub, ana.email, codeNow(hub, secret))

  assert.equal(refused.status, 401)
  assert.equal(wrongPassword.status, 401)
  assert.equal(wrongPassword.body.error.details, null)
  assert.equal(signedIn.status, 200)
})

test('the code that confirmed the second factor does not sign in too', { rules: ['D5-87'] }, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const { secret } = (await ana.post('/console/totp', { password: PASSWORD })).body.data
  const code = codeNow(hub, secret)
  await ana.post('/console/totp/confirm', { code })

  const refused = await signIn(hub, ana.email, code)

  assert.equal(refused.status, 401)
})

test('a code works once, also when it is used eight times at once', { rules: ['D5-87'] }, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const { secret } = await enable(hub, ana)
  const code = await freshCode(hub, secret)

  const answers = await Promise.all(Array.from({ length: 8 }, () => signIn(hub, ana.email, code)))

  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  assert.equal(answers.filter(({ status }) => status === 401).length, 7)
})

test('a recovery code works once, also when it is used eight times at once', { rules: ['D5-85'] }, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const { recoveryCodes } = await enable(hub, ana)
  const [first = '', second = ''] = recoveryCodes

  const answers = await Promise.all(Array.from({ length: 8 }, () => signIn(hub, ana.email, first)))
  const other = await signIn(hub, ana.email, second.toUpperCase())
  const again = await signIn(hub, ana.email, second)

  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  assert.equal(other.status, 200)
  assert.equal(again.status, 401)
})

test("one person's recovery code is nothing to another", async (t) => {
  const hub = await startHub(t)
  const [ana, bob] = [await hub.person(), await hub.person()]
  const { recoveryCodes } = await enable(hub, ana)
  await enable(hub, bob)

  const refused = await signIn(hub, bob.email, recoveryCodes[0])

  assert.equal(refused.status, 401)
})

test('guessing codes runs into the limit of signing in', { rules: ['D5-78'] }, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const { secret } = await enable(hub, ana)
  for (let i = 0; i < 10; i++) await signIn(hub, ana.email, codeNow(hub, new Secret().base32))

  const refused = await signIn(hub, ana.email, await freshCode(hub, secret))

  assert.equal(refused.status, 429)
})

// Six digits are few enough to try them all with a session that was left open.
test('guessing the code that confirms a second factor runs into the limit of signing in', {
  rules: ['D5-78'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const { secret } = (await ana.post('/console/totp', { password: PASSWORD })).body.data
  const confirm = (code: string) => ana.post('/console/totp/confirm', { code })
  for (let i = 0; i < 10; i++) assert.equal((await confirm(codeNow(hub, new Secret().base32))).status, 400)

  const refused = await confirm(codeNow(hub, secret))
  await hub.clock.advance('15 minutes')
  const later = await confirm(codeNow(hub, secret))

  assert.equal(refused.status, 429)
  assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  assert.equal(later.status, 200)
})

test('a code that confirms makes good the wrong ones before it', async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const { secret } = (await ana.post('/console/totp', { password: PASSWORD })).body.data
  const wrong = () => ana.post('/console/totp/confirm', { code: codeNow(hub, new Secret().base32) })
  for (let i = 0; i < 9; i++) assert.equal((await wrong()).status, 400)

  await ana.post('/console/totp/confirm', { code: codeNow(hub, secret) })
  const signedIn = []
  for (let i = 0; i < 3; i++) signedIn.push((await signIn(hub, ana.email, await freshCode(hub, secret))).status)

  assert.deepEqual(signedIn, [200, 200, 200])
})

/** The errors that the log has of a request. */
function errorsOf({ logs }: TestHub, { body }: Answer): string[] {
  return logs.filter((line) => line.includes(body.error.request_id) && JSON.parse(line).level === 'error')
}

// The person can only hear that the code is wrong; whoever keeps the keys must hear that it is not the person's fault.
test('a secret that cannot be read is an error in the log, without the secret, and recovery codes still sign in', async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const { secret, recoveryCodes } = await enable(hub, ana)
  const [row] = await hub.sql<{ totp_secret: string }[]>`select totp_secret from users where id = ${ana.userId}`
  const other = await startHub(t, { installation: { keyRing: () => [{ id: 'another', bytes: randomBytes(32) }] } })
  const code = await freshCode(hub, secret)

  const refused = await signIn(other, ana.email, code)
  const recovered = await signIn(other, ana.email, recoveryCodes[0])

  assert.equal(refused.status, 401)
  assert.deepEqual(refused.body.error.details, { totp_required: true })
  assert.equal(recovered.status, 200)
  const [line = '', ...others] = errorsOf(other, refused)
  assert.equal(others.length, 0)
  assert.match(JSON.parse(line).err.cause.message, new RegExp(`TOTP secret of ${ana.userId} cannot be opened`))
  for (const kept of [secret, row?.totp_secret ?? '', code, PASSWORD]) assert.ok(!line.includes(kept))
})

test('a wrong code beside a secret that can be read is no error in the log', async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  await enable(hub, ana)

  const refused = await signIn(hub, ana.email, codeNow(hub, new Secret().base32))

  assert.equal(refused.status, 401)
  assert.deepEqual(errorsOf(hub, refused), [])
})

test('a wrong code does not confirm, and one confirmation is enough', { rules: ['D5-85'] }, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()

  const unbegun = await ana.post('/console/totp/confirm', { code: '000000' })
  const { secret } = (await ana.post('/console/totp', { password: PASSWORD })).body.data
  const wrong = await ana.post('/console/totp/confirm', { code: codeNow(hub, new Secret().base32) })
  await ana.post('/console/totp/confirm', { code: codeNow(hub, secret) })
  const twice = await ana.post('/console/totp/confirm', { code: await freshCode(hub, secret) })
  const again = await ana.post('/console/totp', { password: PASSWORD })

  assert.deepEqual([unbegun.status, wrong.status, twice.status, again.status], [400, 400, 400, 400])
  assert.ok(![wrong, twice, again].some(({ text }) => text.includes(secret)))
})

// Recovery codes that were shown and do not work would be noticed when it is too late.
test('of confirmations at once one counts, and the recovery codes it showed work', async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const { secret } = (await ana.post('/console/totp', { password: PASSWORD })).body.data
  const code = codeNow(hub, secret)

  const answers = await Promise.all(Array.from({ length: 6 }, () => ana.post('/console/totp/confirm', { code })))

  const confirmed = answers.filter(({ status }) => status === 200)
  assert.equal(confirmed.length, 1)
  assert.equal((await signIn(hub, ana.email, confirmed[0]?.body.data.recovery_codes[0])).status, 200)
})

// Otherwise a person would be locked out by a secret that their phone never saw.
test('what is confirmed is the secret that the code was made with, or nothing', async (t) => {
  const hub = await startHub(t)

  for (let round = 0; round < 10; round++) {
    const ana = await hub.person()
    const first = (await ana.post('/console/totp', { password: PASSWORD })).body.data.secret
    const code = codeNow(hub, first)

    const [confirmed] = await Promise.all([
      ana.post('/console/totp/confirm', { code }),
      ana.post('/console/totp', { password: PASSWORD }),
    ])

    if (confirmed.status === 200) {
      assert.equal((await signIn(hub, ana.email, await freshCode(hub, first))).status, 200)
    } else {
      assert.equal((await signIn(hub, ana.email)).status, 200)
    }
  }
})

test('turning the second factor off takes the password and a code', { rules: ['D5-86'] }, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const { secret, recoveryCodes } = await enable(hub, ana)
  const disable = (body: unknown) => ana.post('/console/totp/disable', body)

  const noCode = await disable({ password: PASSWORD })
  const wrongCode = await disable({ password: PASSWORD, totp: codeNow(hub, new Secret().base32) })
  const wrongPassword = await disable({ password: 'a guess', totp: await freshCode(hub, secret) })
  const still = await signIn(hub, ana.email)
  const disabled = await disable({ password: PASSWORD, totp: await freshCode(hub, secret) })
  const after = await signIn(hub, ana.email)

  assert.deepEqual([noCode.status, wrongCode.status, wrongPassword.status, still.status], [400, 401, 401, 401])
  assert.equal(disabled.status, 200)
  assert.equal(after.status, 200)
  const rows = await hub.sql`select 1 from recovery_codes where user_id = ${ana.userId}`
  assert.equal(rows.length, 0)
  assert.equal(recoveryCodes.length, 10)
})

test('a second factor that is not on cannot be turned off, and the log does not say that it was', async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()

  const refused = await ana.post('/console/totp/disable', { password: PASSWORD, totp: '000000' })

  assert.equal(refused.status, 400)
  const log = await ana.get('/api/v1/audit-log?action=user.totp_disabled')
  assert.equal(log.body.data.entries.length, 0)
})

test('with a second factor, a new password takes a code too', { rules: ['D5-83'] }, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const { secret } = await enable(hub, ana)
  const change = { current_password: PASSWORD, new_password: 'another horse, another battery' }

  const without = await ana.put('/console/password', change)
  const changed = await ana.put('/console/password', { ...change, totp: await freshCode(hub, secret) })

  assert.equal(without.status, 401)
  assert.deepEqual(without.body.error.details, { totp_required: true })
  assert.equal(changed.status, 200)
})

test('the secret is sealed in the database, recovery codes are hashed, and neither is shown again', async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const { secret, recoveryCodes } = await enable(hub, ana)
  const bytes = Buffer.from(Secret.fromBase32(secret).bytes)

  const stored = await everythingStored(hub.sql)
  const answers = await Promise.all(
    ['/console/session', '/console/members', '/console/sessions', '/api/v1/audit-log'].map((path) => ana.get(path)),
  )

  for (const text of [stored, ...answers.map((answer) => answer.text)]) {
    for (const form of [...formsOf(secret), bytes.toString('hex')]) assert.ok(!text.includes(form))
    for (const form of recoveryCodes.flatMap(formsOf)) assert.ok(!text.includes(form))
  }
  assert.equal((await ana.get('/console/session', { headers: { origin: ORIGIN } })).status, 200)
})

test('a second factor is not set up without the password, so that an open session cannot lock its owner out', {
  rules: ['D5-84'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()

  const missing = await ana.post('/console/totp')
  const wrong = await ana.post('/console/totp', { password: 'not the password' })
  const signedIn = await signIn(hub, ana.email)

  assert.equal(missing.status, 400)
  assert.equal(wrong.status, 401)
  assert.equal(signedIn.status, 200)
})
