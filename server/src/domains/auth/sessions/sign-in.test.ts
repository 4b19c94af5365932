import assert from 'node:assert/strict'
import { createHook } from 'node:async_hooks'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { PASSWORD, readCookies, startHub, type TestHub } from '../../../../test/hub.ts'
import { hashPassword } from '../users/passwords.ts'

const WRONG = 'not a password in use'
const BEHIND_PROXY = { env: { TRUSTED_PROXIES: '127.0.0.1/32' } }

function signIn(hub: TestHub, email: string, password: string, ip = '203.0.113.1') {
  return hub.anonymous.post('/console/sign-in', { email, password }, { headers: { 'x-forwarded-for': ip } })
}

async function failTimes(hub: TestHub, count: number, email: string, ip?: string): Promise<void> {
  for (let i = 0; i < count; i++) assert.equal((await signIn(hub, email, WRONG, ip)).status, 401)
}

async function countLimitRows(hub: TestHub): Promise<number> {
  return (await hub.sql`select 1 from rate_limits where bucket like 'sign-in%'`).length
}

/** Returns the number of hashing tasks that the password library starts while `work` runs. */
async function countPasswordHashes(work: () => Promise<unknown>): Promise<number> {
  const kinds: string[] = []
  const hook = createHook({ init: (_id, kind) => void kinds.push(kind) })
  const during = async (measured: () => Promise<unknown>) => {
    kinds.length = 0
    hook.enable()
    await measured()
    hook.disable()
    return [...kinds]
  }
  const known = await during(() => Promise.resolve())
  const [task] = (await during(() => hashPassword(WRONG, null))).filter(
    (kind) => kind !== 'PROMISE' && !known.includes(kind),
  )
  const seen = await during(work)
  return seen.filter((kind) => kind === task).length
}

test('a sign-in returns the person, the organization and the role, and sets the cookie', {
  rules: ['session.cookie-is-protected', 'signin.takes-email-password-and-code', 'session.shows-who-is-signed-in'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()

  const signedIn = await signIn(hub, ana.email, PASSWORD)

  assert.equal(signedIn.status, 200)
  assert.deepEqual(signedIn.body.data, {
    user: { id: ana.userId, email: ana.email, email_verified: true, name: 'Ana', totp_enabled: false },
    organization: {
      id: ana.organizationId,
      name: "Ana's",
      language: 'en',
      time_zone: 'UTC',
      two_factor_required: false,
      deletes_at: null,
    },
    role: 'owner',
  })
  const [cookie] = signedIn.headers.getSetCookie()
  assert.match(cookie ?? '', /^hub_session=hub_ss_[0-9A-Za-z]{49}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/)
  const session = await hub.anonymous.get('/console/session', { headers: { cookie: readCookies(signedIn.headers) } })
  assert.deepEqual(session.body, signedIn.body)
})

test('on https the cookie is Secure and its name binds it to the host; a cookie with the other name is ignored', {
  rules: ['session.cookie-is-protected'],
}, async (t) => {
  const hub = await startHub(t, { env: { PUBLIC_URL: 'https://hub.example.com' } })
  const ana = await hub.person()

  const signedIn = await signIn(hub, ana.email, PASSWORD)

  const [cookie = ''] = signedIn.headers.getSetCookie()
  assert.match(cookie, /^__Host-hub_session=hub_ss_\w+; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/)
  const show = (sent: string) => hub.anonymous.get('/console/session', { headers: { cookie: sent } })
  const kept = readCookies(signedIn.headers)
  assert.deepEqual([(await show(kept)).status, (await show(kept.replace('__Host-', ''))).status], [200, 401])
})

test('the e-mail of a sign-in is case-insensitive', async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()

  const signedIn = await signIn(hub, ana.email.toUpperCase(), PASSWORD)

  assert.equal(signedIn.status, 200)
})

test('a wrong password and an unknown e-mail get identical responses', {
  rules: ['signin.unknown-email-looks-like-wrong-password'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()

  const wrong = await signIn(hub, ana.email, WRONG)
  const unknown = await signIn(hub, 'unknown@example.com', WRONG)

  assert.equal(wrong.status, 401)
  const bytes = [wrong, unknown].map(({ text, body }) => text.replace(body.error.request_id, ''))
  assert.equal(bytes[0], bytes[1])
  const names = [wrong, unknown].map(({ headers }) => [...headers.keys()])
  assert.deepEqual(names[0], names[1])
  assert.deepEqual(
    [wrong, unknown].flatMap(({ headers }) => headers.getSetCookie()),
    [],
  )
})

// Hashing takes most of the time of a sign-in: without it, the time would reveal which e-mails have an account.
test('a sign-in with an unknown e-mail computes as many password hashes as one with a known e-mail', {
  rules: ['signin.unknown-email-looks-like-wrong-password'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()

  const known = await countPasswordHashes(() => signIn(hub, ana.email, WRONG))
  const unknown = await countPasswordHashes(() => signIn(hub, 'unknown@example.com', WRONG))

  assert.equal(known, 1)
  assert.equal(unknown, 1)
})

test('a sign-up with a known e-mail computes as many password hashes as one with a new e-mail', {
  rules: ['signup.known-email-looks-like-other-400'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const signUp = (email: string) =>
    hub.anonymous.post('/console/sign-up', { name: 'Ana', email, password: PASSWORD, organization_name: 'Acme' })
  const statuses: number[] = []

  const known = await countPasswordHashes(async () => statuses.push((await signUp(ana.email)).status))
  const fresh = await countPasswordHashes(async () => statuses.push((await signUp(`new-${ana.email}`)).status))

  assert.deepEqual(statuses, [400, 201])
  assert.deepEqual([known, fresh], [1, 1])
})

test('after ten failures for one person from one address, even the right password is refused for 15 minutes', {
  rules: ['signin.guessing-is-limited'],
}, async (t) => {
  const hub = await startHub(t, BEHIND_PROXY)
  const [ana, bob] = [await hub.person(), await hub.person()]
  await failTimes(hub, 10, ana.email)

  const refused = await signIn(hub, ana.email, PASSWORD)
  const otherAddress = await signIn(hub, ana.email, PASSWORD, '203.0.113.2')
  const otherPerson = await signIn(hub, bob.email, PASSWORD)
  await hub.clock.advance('15 minutes')
  const later = await signIn(hub, ana.email, PASSWORD)

  assert.equal(refused.status, 429)
  assert.equal(refused.body.error.code, 'RATE_LIMITED')
  const seconds = Number(refused.headers.get('retry-after'))
  assert.ok(seconds >= 1 && seconds <= 900)
  assert.deepEqual([otherAddress.status, otherPerson.status, later.status], [200, 200, 200])
})

test('a rate-limited sign-in has the limit, the remaining attempts and the reset time in its headers', {
  rules: ['signin.refusal-carries-limit-headers'],
}, async (t) => {
  const hub = await startHub(t, BEHIND_PROXY)
  const ana = await hub.person()
  await failTimes(hub, 10, ana.email, '203.0.113.9')

  const { headers } = await signIn(hub, ana.email, PASSWORD, '203.0.113.9')

  assert.deepEqual([headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')], ['10', '0'])
  assert.equal(headers.get('ratelimit-reset'), headers.get('retry-after'))
})

test('the limit also applies to an unknown e-mail', async (t) => {
  const hub = await startHub(t, BEHIND_PROXY)
  await failTimes(hub, 10, 'unknown@example.com')

  const refused = await signIn(hub, 'Unknown@example.com', WRONG)

  assert.equal(refused.status, 429)
})

test('a successful sign-in resets the count of failures', { rules: ['signin.guessing-is-limited'] }, async (t) => {
  const hub = await startHub(t, BEHIND_PROXY)
  const ana = await hub.person()
  const ip = '203.0.113.3'

  await failTimes(hub, 9, ana.email, ip)
  const first = await signIn(hub, ana.email, PASSWORD, ip)
  await failTimes(hub, 9, ana.email, ip)
  const second = await signIn(hub, ana.email, PASSWORD, ip)

  assert.deepEqual([first.status, second.status], [200, 200])
})

test('at most ten of thirty concurrent attempts are compared with the password', {
  rules: ['signin.guessing-is-limited'],
}, async (t) => {
  const hub = await startHub(t, BEHIND_PROXY)
  const ana = await hub.person()

  const answers = await Promise.all(Array.from({ length: 30 }, () => signIn(hub, ana.email, WRONG, '203.0.113.4')))

  const statuses = answers.map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 401).length, 10)
  assert.equal(statuses.filter((status) => status === 429).length, 20)
})

test('one address that tries many e-mails is refused after a hundred attempts, and then writes no more rows', {
  rules: ['signin.guessing-is-limited', 'signin.past-the-limit-writes-nothing'],
}, async (t) => {
  const hub = await startHub(t, BEHIND_PROXY)
  const ip = '203.0.113.5'
  const tries = Array.from({ length: 100 }, (_, i) => `person-${i}@example.com`)
  for (const email of tries) assert.equal((await signIn(hub, email, WRONG, ip)).status, 401)

  const rowsBefore = await countLimitRows(hub)
  const refused = await signIn(hub, 'another@example.com', WRONG, ip)

  assert.equal(refused.status, 429)
  assert.deepEqual([refused.headers.get('ratelimit-limit'), refused.headers.get('ratelimit-remaining')], ['100', '0'])
  assert.equal(await countLimitRows(hub), rowsBefore)
})

test('all addresses of an IPv6 /64 count as one', { rules: ['signin.ipv6-counts-by-64'] }, async (t) => {
  const hub = await startHub(t, BEHIND_PROXY)
  const ana = await hub.person()
  for (let i = 0; i < 10; i++) {
    assert.equal((await signIn(hub, ana.email, WRONG, `2001:db8:0:1:${i}::${i}`)).status, 401)
  }

  const sameSubnet = await signIn(hub, ana.email, PASSWORD, '2001:db8:0:1:ffff::1')
  const otherSubnet = await signIn(hub, ana.email, PASSWORD, '2001:db8:0:2::1')

  assert.deepEqual([sameSubnet.status, otherSubnet.status], [429, 200])
})

test('attempts for one person from many addresses are refused after two hundred, for 15 minutes', {
  rules: ['signin.guessing-is-limited'],
}, async (t) => {
  const hub = await startHub(t, BEHIND_PROXY)
  const [ana, bob] = [await hub.person(), await hub.person()]
  const addresses = Array.from({ length: 20 }, (_, i) => `198.51.100.${i}`)
  await Promise.all(addresses.map((ip) => failTimes(hub, 10, ana.email, ip)))

  const refused = await signIn(hub, ana.email, PASSWORD, '198.51.100.200')
  const other = await signIn(hub, bob.email, PASSWORD, '198.51.100.200')
  await hub.clock.advance('15 minutes')
  const later = await signIn(hub, ana.email, PASSWORD, '198.51.100.200')

  assert.equal(refused.status, 429)
  assert.equal(refused.body.error.code, 'RATE_LIMITED')
  assert.deepEqual([other.status, later.status], [200, 200])
})

// Refused attempts must not count against the limits that are shared by other people and addresses.
test('refused attempts of two addresses lock out neither that person elsewhere nor other people at those addresses', {
  rules: ['signin.guessing-is-limited'],
}, async (t) => {
  const hub = await startHub(t, BEHIND_PROXY)
  const [ana, bob] = [await hub.person(), await hub.person()]
  const blocked = ['203.0.113.6', '203.0.113.7']
  for (const ip of blocked) {
    await failTimes(hub, 10, ana.email, ip)
    for (let i = 0; i < 100; i++) assert.equal((await signIn(hub, ana.email, WRONG, ip)).status, 429)
  }

  const elsewhere = await signIn(hub, ana.email, PASSWORD, '203.0.113.8')
  const others = await Promise.all(blocked.map((ip) => signIn(hub, bob.email, PASSWORD, ip)))

  assert.equal(elsewhere.status, 200)
  assert.deepEqual(
    others.map(({ status }) => status),
    [200, 200],
  )
})

for (const [what, body] of Object.entries<unknown>({
  'no password': { email: 'ana@example.com' },
  'no e-mail': { password: PASSWORD },
  'an invalid e-mail': { email: 'ana', password: PASSWORD },
  'a number as password': { email: 'ana@example.com', password: 12_345_678 },
  'an unknown property': { email: 'ana@example.com', password: PASSWORD, remember: true },
})) {
  test(`a sign-in with ${what} is INVALID_REQUEST`, async (t) => {
    const hub = await startHub(t)

    const refused = await hub.anonymous.post('/console/sign-in', body)

    assert.equal(refused.status, 400)
    assert.equal(refused.body.error.code, 'INVALID_REQUEST')
  })
}

test('a person without an organization gets an error that says so, only with the right password', async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  await hub.sql`delete from memberships where user_id = ${ana.userId}`

  const right = await signIn(hub, ana.email, PASSWORD)
  const wrong = await signIn(hub, ana.email, WRONG)

  assert.equal(right.status, 401)
  assert.match(right.body.error.message, /invitation/)
  assert.match(wrong.body.error.message, /is wrong/)
})

/** Keeps the queue of password hashes full until the work has ended. One address alone cannot fill it. */
async function withBusyHashes<T>(work: () => Promise<T>): Promise<T> {
  let asked = 0
  const ask = () => void hashPassword('x', `192.0.2.${asked++ % 10}`).catch(() => undefined)
  while (asked < 100) ask()
  let isOver = false
  const result = work().finally(() => {
    isOver = true
  })
  while (!isOver) {
    // On a busy machine more than one may have ended since.
    for (let i = 0; i < 20; i++) ask()
    await setImmediate()
  }
  return result
}

test('a sign-in is 503 OVERLOADED while too many passwords are being checked, and works afterwards', {
  rules: ['error.overload-is-503-and-changes-nothing'],
}, async (t) => {
  const hub = await startHub(t)
  const { email } = await hub.person()

  const refused = await withBusyHashes(() => signIn(hub, email, PASSWORD))
  while (!(await hashPassword('the last in the queue', null).catch(() => undefined))) await setImmediate()
  const accepted = await signIn(hub, email, PASSWORD)

  assert.deepEqual([refused.status, refused.body.error.code], [503, 'OVERLOADED'])
  assert.equal(refused.headers.get('retry-after'), '1')
  assert.equal(accepted.status, 200)
})
