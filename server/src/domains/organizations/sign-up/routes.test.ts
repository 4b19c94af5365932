import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { PASSWORD, readCookies, startHub, type TestHub } from '../../../../test/hub.ts'

const BEHIND_PROXY = { TRUSTED_PROXIES: '127.0.0.1/32' }

function buildForm(over: Record<string, unknown> = {}): Record<string, unknown> {
  const email = `${randomBytes(8).toString('hex')}@example.com`
  return { name: 'Ana', email, password: PASSWORD, organization_name: 'Acme', ...over }
}

/** Each sign-up has its own address by default, because the number per address is limited. */
function signUp(hub: TestHub, body: unknown, ip = `10.${[...randomBytes(3)].join('.')}`) {
  return hub.anonymous.post('/console/sign-up', body, { headers: { 'x-forwarded-for': ip } })
}

test('a sign-up creates a person, their organization and a session', {
  rules: ['signup.creates-account-and-organization', 'session.shows-who-is-signed-in'],
}, async (t) => {
  const hub = await startHub(t, { env: BEHIND_PROXY })
  const ana = buildForm()

  const signedUp = await signUp(hub, ana, '203.0.113.9')

  assert.equal(signedUp.status, 201)
  const { user, organization, role } = signedUp.body.data
  assert.deepEqual(Object.keys(signedUp.body.data).sort(), ['organization', 'role', 'user'])
  assert.deepEqual(user, { id: user.id, email: ana.email, email_verified: false, name: 'Ana', totp_enabled: false })
  const settings = { language: 'en', time_zone: 'UTC', two_factor_required: false, deletes_at: null }
  assert.deepEqual(organization, { id: organization.id, name: 'Acme', ...settings })
  assert.equal(role, 'owner')
  const [cookie] = signedUp.headers.getSetCookie()
  assert.match(cookie ?? '', /^hub_session=hub_ss_[0-9A-Za-z]{49}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/)
  const me = hub.anonymous.with({ cookie: readCookies(signedUp.headers) })
  assert.deepEqual((await me.get('/console/session')).body, signedUp.body)
  const log = await me.get('/api/v1/audit-log')
  const actions = log.body.data.entries.map(({ action }: { action: string }) => action)
  assert.deepEqual(actions.toSorted(), ['member.added', 'organization.created', 'session.created'])
  for (const entry of log.body.data.entries) {
    assert.deepEqual(entry.actor, { type: 'user', id: user.id, name: 'Ana' })
    assert.equal(entry.ip, '203.0.113.9')
    assert.equal(entry.request_id, signedUp.headers.get('x-request-id'))
  }
})

test('on https the cookie of a sign-up is Secure', async (t) => {
  const hub = await startHub(t, { env: { ...BEHIND_PROXY, PUBLIC_URL: 'https://hub.example.com', SIGN_UP: 'open' } })

  const signedUp = await signUp(hub, buildForm())

  assert.match(signedUp.headers.getSetCookie()[0] ?? '', /; Secure/)
})

test('a sign-up is 404 where sign-up is closed', { rules: ['signup.closed-needs-an-invitation'] }, async (t) => {
  const hub = await startHub(t, { env: { ...BEHIND_PROXY, SIGN_UP: 'closed' } })
  const ana = buildForm()

  const refused = await signUp(hub, ana)

  assert.equal(refused.status, 404)
  assert.equal(refused.body.error.code, 'NOT_FOUND')
  assert.deepEqual(refused.headers.getSetCookie(), [])
  assert.equal((await hub.sql`select 1 from users where email = ${String(ana.email)}`).length, 0)
})

test('a known e-mail is refused in any case, and the error does not reveal it', {
  rules: ['signup.known-email-looks-like-other-400'],
}, async (t) => {
  const hub = await startHub(t, { env: BEHIND_PROXY })
  const ana = buildForm()
  await signUp(hub, ana)

  const same = await signUp(hub, ana)
  const upperCase = await signUp(hub, { ...ana, email: String(ana.email).toUpperCase(), organization_name: 'Other' })

  for (const refused of [same, upperCase]) {
    assert.equal(refused.status, 400)
    assert.ok(!refused.text.toLowerCase().includes(String(ana.email)))
    assert.doesNotMatch(refused.body.error.message, /taken|exists|registered/i)
    assert.partialDeepStrictEqual(refused.body.error.details, { issues: [] })
    assert.deepEqual(refused.headers.getSetCookie(), [])
  }
  const organizations = await hub.sql`
    select 1
    from memberships m
    join users u on u.id = m.user_id
    where u.email = ${String(ana.email)}`
  assert.equal(organizations.length, 1)
})

test('an e-mail is stored in lower case', async (t) => {
  const hub = await startHub(t, { env: BEHIND_PROXY })
  const ana = buildForm()

  const signedUp = await signUp(hub, { ...ana, email: String(ana.email).toUpperCase() })

  assert.equal(signedUp.body.data.user.email, ana.email)
})

test('one of twenty concurrent sign-ups with one e-mail creates an account and an organization', async (t) => {
  const hub = await startHub(t, { env: BEHIND_PROXY })
  const name = randomBytes(8).toString('hex')
  const ana = buildForm({ organization_name: name })

  const answers = await Promise.all(Array.from({ length: 20 }, () => signUp(hub, ana)))

  assert.equal(answers.filter(({ status }) => status === 201).length, 1)
  assert.equal(answers.filter(({ status }) => status === 400).length, 19)
  assert.equal((await hub.sql`select 1 from users where email = ${String(ana.email)}`).length, 1)
  assert.equal((await hub.sql`select 1 from organizations where name = ${name}`).length, 1)
})

test('one address creates at most twenty accounts an hour', {
  rules: ['signup.twenty-accounts-an-hour'],
}, async (t) => {
  const hub = await startHub(t, { env: BEHIND_PROXY })
  const ip = '203.0.113.20'
  for (let i = 0; i < 20; i++) assert.equal((await signUp(hub, buildForm(), ip)).status, 201)

  const refused = await signUp(hub, buildForm(), ip)
  const elsewhere = await signUp(hub, buildForm(), '203.0.113.21')
  await hub.clock.advance('1 hour')
  const later = await signUp(hub, buildForm(), ip)

  assert.equal(refused.status, 429)
  assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  assert.deepEqual([elsewhere.status, later.status], [201, 201])
})

const INVALID_FORMS: Record<string, Record<string, unknown>> = {
  'a name of spaces': { name: '  ' },
  'an organization without a name': { organization_name: '' },
  'an organization name of 101 characters': { organization_name: 'x'.repeat(101) },
  'an invalid e-mail': { email: 'ana at example' },
  'a password of seven characters': { password: 'x'.repeat(7) },
  'a password that is a number': { password: 12_345_678 },
  'an unknown property': { role: 'owner' },
}

test('a sign-up with an invalid form is INVALID_REQUEST', async (t) => {
  const hub = await startHub(t, { env: BEHIND_PROXY })

  for (const [what, over] of Object.entries(INVALID_FORMS)) {
    const refused = await signUp(hub, buildForm(over))

    assert.equal(refused.status, 400, what)
    assert.equal(refused.body.error.code, 'INVALID_REQUEST', what)
    assert.ok(refused.body.error.details.issues.length >= 1, what)
  }
})
