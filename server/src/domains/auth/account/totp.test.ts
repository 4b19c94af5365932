import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import type { Answer } from '../../../../test/client.ts'
import { ORIGIN, PASSWORD, startHub, type TestHub } from '../../../../test/hub.ts'
import { dumpDatabase, listEncodings } from '../../../../test/stored-secrets.ts'

type Person = Awaited<ReturnType<TestHub['person']>>

/** Advances the clock to the next step, so that the code is unused. */
async function freshCode(hub: TestHub, secret: string): Promise<string> {
  await hub.clock.advance('30 seconds')
  return codeNow(hub, secret)
}

function codeNow(hub: TestHub, secret: string): string {
  return new TOTP({ secret }).generate({ timestamp: hub.clock.now().getTime() })
}

async function enableTotp(hub: TestHub, person: Person): Promise<{ secret: string; recoveryCodes: string[] }> {
  const { secret } = (await person.post('/console/totp', { password: PASSWORD })).body.data
  const confirmed = await person.post('/console/totp/confirm', { code: codeNow(hub, secret) })
  return { secret, recoveryCodes: confirmed.body.data.recovery_codes }
}

function signIn(hub: TestHub, email: string, totp?: string, password = PASSWORD) {
  return hub.anonymous.post('/console/sign-in', { email, password, ...(totp && { totp }) })
}

test('a code follows the clock of the process, and not that of a database that is an hour off', {
  rules: ['factor.codes-follow-the-process-clock'],
}, async (t) => {
  const processClock = () => new Date(Date.now() - 3_600_000)
  const hub = await startHub(t, { processClock })
  const ana = await hub.person()
  const { secret } = (await ana.post('/console/totp', { password: PASSWORD })).body.data

  const confirmed = await ana.post('/console/totp/confirm', {
    code: new TOTP({ secret }).generate({ timestamp: processClock().getTime() }),
  })

  assert.equal(confirmed.status, 200)
})

test('a sign-in requires the second factor only after a first code confirmed it', {
  rules: [
    'factor.code-signs-in-once',
    'factor.setup-asks-for-the-password',
    'factor.confirmation-gives-recovery-codes',
  ],
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
  assert.partialDeepStrictEqual(after.body.error.details, { totp_required: true })
  assert.equal((await ana.get('/console/session')).body.data.user.totp_enabled, true)
})

test('with a second factor, a sign-in takes only the current code', {
  rules: ['factor.code-signs-in-once', 'signin.takes-email-password-and-code'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const { secret } = await enableTotp(hub, ana)
  const wrong = codeNow(hub, new Secret().base32)

  const refused = await signIn(hub, ana.email, wrong)
  const wrongPassword = await signIn(hub, ana.email, await freshCode(hub, secret), 'a guess')
  const signedIn = await signIn(hub, ana.email, codeNow(hub, secret))

  assert.equal(refused.status, 401)
  assert.equal(wrongPassword.status, 401)
  assert.equal(wrongPassword.body.error.details.totp_required, undefined)
  assert.equal(signedIn.status, 200)
})

test('the code that confirmed the second factor does not work for a sign-in', {
  rules: ['factor.code-signs-in-once'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const { secret } = (await ana.post('/console/totp', { password: PASSWORD })).body.data
  const code = codeNow(hub, secret)
  await ana.post('/console/totp/confirm', { code })

  const refused = await signIn(hub, ana.email, code)

  assert.equal(refused.status, 401)
})

test('one of eight concurrent sign-ins with one code succeeds', {
  rules: ['factor.code-signs-in-once'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const { secret } = await enableTotp(hub, ana)
  const code = await freshCode(hub, secret)

  const answers = await Promise.all(Array.from({ length: 8 }, () => signIn(hub, ana.email, code)))

  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  assert.equal(answers.filter(({ status }) => [401, 429].includes(status)).length, 7)
})

test('one of eight concurrent sign-ins with one recovery code succeeds', {
  rules: ['factor.confirmation-gives-recovery-codes'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const { recoveryCodes } = await enableTotp(hub, ana)
  const [first = '', second = ''] = recoveryCodes

  const answers = await Promise.all(Array.from({ length: 8 }, () => signIn(hub, ana.email, first)))
  await hub.clock.advance('15 minutes')
  const other = await signIn(hub, ana.email, second.toUpperCase())
  const again = await signIn(hub, ana.email, second)

  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  assert.equal(other.status, 200)
  assert.equal(again.status, 401)
})

test('a recovery code does not work for another person', async (t) => {
  const hub = await startHub(t)
  const [ana, bob] = [await hub.person(), await hub.person()]
  const { recoveryCodes } = await enableTotp(hub, ana)
  await enableTotp(hub, bob)

  const refused = await signIn(hub, bob.email, recoveryCodes[0])

  assert.equal(refused.status, 401)
})

/** Behind a proxy, so that each attempt can come from an address of its own. */
function signInFrom(hub: TestHub, ip: string, credentials: { email: string; password?: string; totp?: string }) {
  const headers = { 'x-forwarded-for': ip }
  return hub.anonymous.post('/console/sign-in', { password: PASSWORD, ...credentials }, { headers })
}

test('after five wrong codes with the right password, from any addresses, even the right code is refused for 15 minutes', {
  rules: ['signin.limits-hold-for-every-password-prompt', 'factor.wrong-codes-are-limited'],
}, async (t) => {
  const hub = await startHub(t, { env: { TRUSTED_PROXIES: '127.0.0.1/32' } })
  const [ana, bob] = [await hub.person(), await hub.person()]
  const { secret, recoveryCodes } = await enableTotp(hub, ana)
  const bobs = await enableTotp(hub, bob)
  const { email } = ana

  const withoutCode = await signInFrom(hub, '203.0.113.30', { email })
  const wrongPassword = await signInFrom(hub, '203.0.113.30', { email, password: 'a guess', totp: '000000' })
  for (let i = 0; i < 5; i++) {
    const wrong = await signInFrom(hub, `203.0.113.${i}`, { email, totp: codeNow(hub, new Secret().base32) })
    assert.deepEqual([wrong.status, wrong.body.error.details.totp_required], [401, true])
  }
  const totp = await freshCode(hub, secret)
  const refused = await signInFrom(hub, '203.0.113.40', { email, totp })
  const recovery = await signInFrom(hub, '203.0.113.41', { email, totp: recoveryCodes[0]! })
  const changed = await ana.put('/console/password', { current_password: PASSWORD, new_password: 'a new one', totp })
  const other = await signInFrom(hub, '203.0.113.40', { email: bob.email, totp: codeNow(hub, bobs.secret) })
  await hub.clock.advance('15 minutes')
  const later = await signInFrom(hub, '203.0.113.40', { email, totp: codeNow(hub, secret) })

  assert.deepEqual([withoutCode.status, wrongPassword.status], [401, 401])
  for (const { status, body, headers } of [refused, recovery, changed]) {
    assert.deepEqual([status, body.error.code, headers.get('ratelimit-limit')], [429, 'RATE_LIMITED', '5'])
  }
  assert.deepEqual([other.status, later.status], [200, 200])
})

test('each wrong code with the right password is in the audit log, with the address that sent it', {
  rules: ['factor.wrong-code-is-audited'],
}, async (t) => {
  const hub = await startHub(t, { env: { TRUSTED_PROXIES: '127.0.0.1/32' } })
  const ana = await hub.person()
  const { secret } = await enableTotp(hub, ana)
  const { email } = ana

  await signInFrom(hub, '203.0.113.50', { email })
  await signInFrom(hub, '203.0.113.51', { email, totp: '000000', password: 'a guess' })
  await signInFrom(hub, '203.0.113.52', { email, totp: codeNow(hub, new Secret().base32) })
  await signInFrom(hub, '203.0.113.53', { email, totp: await freshCode(hub, secret) })

  const { entries } = (await ana.get('/api/v1/audit-log?action=user.totp_refused')).body.data
  assert.equal(entries.length, 1)
  const [{ actor, target, ip }] = entries
  assert.deepEqual([actor.id, target, ip], [ana.userId, { type: 'user', id: ana.userId }, '203.0.113.52'])
})

test('a right code resets the count of wrong ones', { rules: ['factor.wrong-codes-are-limited'] }, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const { secret } = await enableTotp(hub, ana)
  const wrong = () => signIn(hub, ana.email, codeNow(hub, new Secret().base32))

  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < 4; i++) assert.equal((await wrong()).status, 401)
    assert.equal((await signIn(hub, ana.email, await freshCode(hub, secret))).status, 200)
  }
})

// Without a limit, an attacker with an open session could try all codes of six digits.
test('wrong codes of a confirmation count against the sign-in limit', {
  rules: ['signin.limits-hold-for-every-password-prompt'],
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

test('a confirmation resets the count of wrong codes', async (t) => {
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

/** The errors that the hub logged for a request. */
function findLoggedErrors({ logs }: TestHub, { body }: Answer): string[] {
  return logs.filter((line) => line.includes(body.error.request_id) && JSON.parse(line).level === 'error')
}

// The client gets the error of a wrong code; the operator must see that the key ring lacks a key.
test('a secret that cannot be decrypted is logged as an error without the secret, and recovery codes still work', async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const { secret, recoveryCodes } = await enableTotp(hub, ana)
  const [row] = await hub.sql<{ totp_secret: string }[]>`select totp_secret from users where id = ${ana.userId}`
  const other = await startHub(t, { installation: { keyRing: () => [{ id: 'another', bytes: randomBytes(32) }] } })
  const code = await freshCode(hub, secret)

  const refused = await signIn(other, ana.email, code)
  const recovered = await signIn(other, ana.email, recoveryCodes[0])

  assert.equal(refused.status, 401)
  assert.partialDeepStrictEqual(refused.body.error.details, { totp_required: true })
  assert.equal(recovered.status, 200)
  const [line = '', ...others] = findLoggedErrors(other, refused)
  assert.equal(others.length, 0)
  assert.match(JSON.parse(line).err.cause.message, new RegExp(`TOTP secret of ${ana.userId} cannot be decrypted`))
  for (const value of [secret, row?.totp_secret ?? '', code, PASSWORD]) assert.ok(!line.includes(value))
})

test('a wrong code is not logged as an error', async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  await enableTotp(hub, ana)

  const refused = await signIn(hub, ana.email, codeNow(hub, new Secret().base32))

  assert.equal(refused.status, 401)
  assert.deepEqual(findLoggedErrors(hub, refused), [])
})

test('a wrong code does not confirm, and a second confirmation is refused', {
  rules: ['factor.confirmation-gives-recovery-codes'],
}, async (t) => {
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

test('one of several concurrent confirmations succeeds, and its recovery codes work', async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const { secret } = (await ana.post('/console/totp', { password: PASSWORD })).body.data
  const code = codeNow(hub, secret)

  const answers = await Promise.all(Array.from({ length: 6 }, () => ana.post('/console/totp/confirm', { code })))

  const confirmed = answers.filter(({ status }) => status === 200)
  assert.equal(confirmed.length, 1)
  assert.equal((await signIn(hub, ana.email, confirmed[0]?.body.data.recovery_codes[0])).status, 200)
})

// Confirming a newer secret would lock the person out: their phone has the older one.
test('a confirmation enables the secret that its code was made with, or fails', async (t) => {
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

test('disabling the second factor requires the password and a code', {
  rules: ['factor.disabling-needs-password-and-code'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const { secret, recoveryCodes } = await enableTotp(hub, ana)
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

test('disabling a second factor that is not enabled is refused and not recorded', async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()

  const refused = await ana.post('/console/totp/disable', { password: PASSWORD, totp: '000000' })

  assert.equal(refused.status, 400)
  const log = await ana.get('/api/v1/audit-log?action=user.totp_disabled')
  assert.equal(log.body.data.entries.length, 0)
})

test('with a second factor, a password change requires a code', {
  rules: ['password.change-ends-other-sessions'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const { secret } = await enableTotp(hub, ana)
  const change = { current_password: PASSWORD, new_password: 'another horse, another battery' }

  const without = await ana.put('/console/password', change)
  const changed = await ana.put('/console/password', { ...change, totp: await freshCode(hub, secret) })

  assert.equal(without.status, 401)
  assert.partialDeepStrictEqual(without.body.error.details, { totp_required: true })
  assert.equal(changed.status, 200)
})

test('the database stores the secret encrypted and recovery codes hashed, and no response shows them again', async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const { secret, recoveryCodes } = await enableTotp(hub, ana)
  const bytes = Buffer.from(Secret.fromBase32(secret).bytes)

  const stored = await dumpDatabase(hub.sql)
  const answers = await Promise.all(
    ['/console/session', '/console/members', '/console/sessions', '/api/v1/audit-log'].map((path) => ana.get(path)),
  )

  for (const text of [stored, ...answers.map((answer) => answer.text)]) {
    for (const form of [...listEncodings(secret), bytes.toString('hex')]) assert.ok(!text.includes(form))
    for (const form of recoveryCodes.flatMap(listEncodings)) assert.ok(!text.includes(form))
  }
  assert.equal((await ana.get('/console/session', { headers: { origin: ORIGIN } })).status, 200)
})

test('setting up a second factor requires the password', {
  rules: ['factor.setup-asks-for-the-password'],
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
