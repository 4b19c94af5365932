import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ORIGIN, PASSWORD, readCookies, startHub, type TestHub } from '../../../../test/hub.ts'
import { dumpDatabase, listEncodings } from '../../../../test/stored-secrets.ts'
import { newId } from '../../../kernel/ids.ts'

/** Signs the same person in again. */
async function openSession(hub: TestHub, email: string) {
  const signedIn = await hub.anonymous.post(
    '/console/sign-in',
    { email, password: PASSWORD },
    { headers: { 'user-agent': 'another browser' } },
  )
  const cookie = readCookies(signedIn.headers)
  return { cookie, ...hub.anonymous.with({ cookie, origin: ORIGIN }) }
}

async function addMember(hub: TestHub, userId: string, organizationId: string, role: string): Promise<void> {
  await hub.sql`insert into memberships (organization_id, user_id, role) values (${organizationId}, ${userId}, ${role})`
}

test('a sign-out ends this session at once, clears the cookie and keeps other sessions', {
  rules: ['session.sign-out-ends-it'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const other = await openSession(hub, ana.email)

  const signedOut = await ana.post('/console/sign-out')
  const after = await ana.get('/console/session')
  const elsewhere = await other.get('/console/session')

  assert.equal(signedOut.status, 200)
  assert.match(signedOut.headers.getSetCookie()[0] ?? '', /^hub_session=; Max-Age=0; Path=\/;.*HttpOnly; SameSite=Lax/)
  assert.equal(after.status, 401)
  assert.equal(elsewhere.status, 200)
})

test('a sign-out of a session that was due for renewal sets no new cookie', async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()

  await hub.clock.advance('2 minutes')
  const signedOut = await ana.post('/console/sign-out')

  assert.equal(signedOut.headers.getSetCookie().length, 1)
  assert.match(signedOut.headers.getSetCookie()[0] ?? '', /^hub_session=;/)
})

test('each use extends a session and its cookie to thirty days', {
  rules: ['session.lasts-30-days-from-last-use'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()

  await hub.clock.advance('29 days')
  const first = await ana.get('/console/session')
  await hub.clock.advance('29 days')
  const second = await ana.get('/console/session')
  await hub.clock.advance('30 days')
  const late = await ana.get('/console/session')

  assert.deepEqual([first.status, second.status, late.status], [200, 200, 401])
  assert.equal(readCookies(first.headers), ana.cookie)
  assert.match(first.headers.getSetCookie()[0] ?? '', /Max-Age=2592000/)
})

test('a job deletes expired sessions', async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  await hub.clock.advance('31 days')

  for (const job of hub.jobs) await job.run()

  const rows = await hub.sql`select 1 from sessions where user_id = ${ana.userId}`
  assert.equal(rows.length, 0)
})

test('a person lists only their own sessions, with the current one marked and without tokens', {
  rules: ['session.list-shows-own-and-ends-one'],
}, async (t) => {
  const hub = await startHub(t)
  const [ana, bob] = [await hub.person(), await hub.person()]
  const other = await openSession(hub, ana.email)

  const list = await ana.get('/console/sessions')

  assert.equal(list.status, 200)
  const { sessions } = list.body.data
  assert.equal(sessions.length, 2)
  assert.deepEqual(sessions.map(({ current }: { current: boolean }) => current).toSorted(), [false, true])
  const elsewhere = sessions.find(({ current }: { current: boolean }) => !current)
  assert.equal(elsewhere.user_agent, 'another browser')
  assert.equal(elsewhere.ip, '127.0.0.1')
  assert.deepEqual(Object.keys(elsewhere).sort(), [
    'created_at',
    'current',
    'expires_at',
    'id',
    'ip',
    'last_seen_at',
    'user_agent',
  ])
  assert.ok(!list.text.includes('hub_ss_'))
  assert.equal((await bob.get('/console/sessions')).body.data.sessions.length, 1)
  assert.equal((await other.get('/console/session')).status, 200)
})

test('a revoked session ends at once, and a second revocation is 404', {
  rules: ['session.list-shows-own-and-ends-one'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const other = await openSession(hub, ana.email)
  const { sessions } = (await ana.get('/console/sessions')).body.data
  const { id } = sessions.find(({ current }: { current: boolean }) => !current)

  const revoked = await ana.delete(`/console/sessions/${id}`)
  const again = await ana.delete(`/console/sessions/${id}`)

  assert.equal(revoked.status, 200)
  assert.equal(again.status, 404)
  assert.equal((await other.get('/console/session')).status, 401)
  assert.equal((await ana.get('/console/session')).status, 200)
})

// A session belongs to a person, not to an organization.
test("another person's session is 404, even for an owner of their organization", {
  rules: ['session.list-shows-own-and-ends-one'],
}, async (t) => {
  const hub = await startHub(t)
  const owner = await hub.person()
  const member = await hub.person({ organizationId: owner.organizationId, role: 'viewer' })
  const [{ id }] = (await member.get('/console/sessions')).body.data.sessions

  const foreign = await owner.delete(`/console/sessions/${id}`)
  const absent = await owner.delete(`/console/sessions/${newId()}`)

  assert.equal(foreign.status, 404)
  assert.deepEqual({ ...foreign.body.error, request_id: '' }, { ...absent.body.error, request_id: '' })
  assert.equal((await member.get('/console/session')).status, 200)
})

test('a session acts for the organization that it was switched to', {
  rules: ['session.acts-for-its-current-organization'],
}, async (t) => {
  const hub = await startHub(t)
  const [ana, acme] = [await hub.person(), await hub.organization()]
  await addMember(hub, ana.userId, acme.organizationId, 'developer')

  const switched = await ana.put('/console/session/organization', { organization_id: acme.organizationId })
  const after = await ana.get('/console/session')
  const keys = await ana.get('/api/v1/api-keys')

  assert.equal(switched.status, 200)
  const { id, name } = switched.body.data.organization
  assert.deepEqual([id, name], [acme.organizationId, 'Acme'])
  assert.equal(switched.body.data.role, 'developer')
  assert.deepEqual(after.body, switched.body)
  assert.equal(keys.body.data.api_keys[0].id, acme.keyId)
})

test('a new session acts for the organization that the person used last', async (t) => {
  const hub = await startHub(t)
  const [ana, acme] = [await hub.person(), await hub.organization()]
  await addMember(hub, ana.userId, acme.organizationId, 'viewer')
  await ana.put('/console/session/organization', { organization_id: acme.organizationId })

  const again = await openSession(hub, ana.email)

  assert.equal((await again.get('/console/session')).body.data.organization.id, acme.organizationId)
})

test('switching to an organization that the person does not belong to is 404', {
  rules: ['session.acts-for-its-current-organization'],
}, async (t) => {
  const hub = await startHub(t)
  const [ana, acme] = [await hub.person(), await hub.organization()]

  const foreign = await ana.put('/console/session/organization', { organization_id: acme.organizationId })
  const absent = await ana.put('/console/session/organization', { organization_id: newId() })
  const malformed = await ana.put('/console/session/organization', { organization_id: `urn:uuid:${newId()}` })

  assert.equal(foreign.status, 404)
  assert.deepEqual({ ...foreign.body.error, request_id: '' }, { ...absent.body.error, request_id: '' })
  assert.equal(malformed.status, 400)
  assert.equal((await ana.get('/console/session')).body.data.organization.id, ana.organizationId)
})

test('a person lists their organizations with their role in each', {
  rules: ['member.organizations-are-listed-with-roles'],
}, async (t) => {
  const hub = await startHub(t)
  const [ana, acme] = [await hub.person(), await hub.organization()]
  await hub.organization()
  await addMember(hub, ana.userId, acme.organizationId, 'viewer')

  const list = await ana.get('/console/organizations')

  assert.deepEqual(list.body.data.organizations, [
    { id: acme.organizationId, name: 'Acme', role: 'viewer' },
    { id: ana.organizationId, name: "Ana's", role: 'owner' },
  ])
})

// A request that was meant for one organization must not act on another.
test("a session ends with its person's membership, and acts for another organization only if the request names it", async (t) => {
  const hub = await startHub(t)
  const [ana, acme] = [await hub.person(), await hub.organization()]
  await addMember(hub, ana.userId, acme.organizationId, 'owner')

  await hub.sql`delete from memberships where user_id = ${ana.userId} and organization_id = ${ana.organizationId}`
  const shown = await ana.get('/console/session')
  const made = await ana.post('/api/v1/api-keys', { name: 'stray', scopes: ['audit:read'] })
  const named = await ana.get('/console/session', { headers: { 'x-hub-organization': acme.organizationId } })

  assert.equal(shown.status, 401)
  assert.equal(made.status, 401)
  assert.equal(named.status, 200)
})

test('the database stores only the hash of a session token', async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  await ana.get('/console/session')

  const stored = await dumpDatabase(hub.sql)

  assert.ok(stored.includes(ana.userId))
  for (const form of listEncodings(ana.cookie.replace('hub_session=', ''))) assert.ok(!stored.includes(form))
})

test('a person keeps twenty sessions of concurrent sign-ins, and the longest unused ones end', {
  rules: ['session.person-has-at-most-20'],
}, async (t) => {
  const hub = await startHub(t)
  const [ana, other] = [await hub.person(), await hub.person()]
  const { userId, organizationId } = ana
  const client = { ip: '127.0.0.1', requestId: newId(), userAgent: null }
  const start = () =>
    hub.sql.begin((tx) => hub.context.sessions.start(tx, { userId, organizationId, client, hasSecondFactor: false }))
  const listIds = async () => {
    const rows = await hub.sql<{ id: string }[]>`select id from sessions where user_id = ${userId}`
    return rows.map(({ id }) => id)
  }
  await Promise.all(Array.from({ length: 18 }, start))
  await hub.clock.advance('2 minutes')
  await ana.get('/console/session')
  await hub.clock.advance('2 minutes')

  const before = await listIds()
  await Promise.all(Array.from({ length: 8 }, start))
  const after = await listIds()

  assert.equal(after.length, 20)
  assert.equal(before.filter((id) => after.includes(id)).length, 12)
  assert.equal((await ana.get('/console/session')).status, 200)
  assert.equal((await other.get('/console/session')).status, 200)
})
