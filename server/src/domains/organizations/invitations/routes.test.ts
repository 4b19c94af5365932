import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { ORIGIN, PASSWORD, startHub, type TestHub } from '../../../../test/hub.ts'
import { contend } from '../../../../test/lock-contention.ts'
import { dumpDatabase, listEncodings } from '../../../../test/stored-secrets.ts'
import { newToken } from '../../../kernel/crypto/tokens.ts'
import type { Tx } from '../../../kernel/db/pool.ts'
import { newId } from '../../../kernel/ids.ts'
import { ROLES } from '../../auth/scopes.ts'
import { MEMBERS_MAX, ORGANIZATIONS_MAX } from '../members/service.ts'

type Person = Awaited<ReturnType<TestHub['person']>>

function newEmail(): string {
  return `${randomBytes(8).toString('hex')}@example.com`
}

async function invite(by: Person, email: string, role = 'developer') {
  const answer = await by.post('/console/invitations', { email, role })
  assert.equal(answer.status, 201)
  const { invitation, invitation_url } = answer.body.data
  return { id: invitation.id as string, token: invitation_url.slice(`${ORIGIN}/join/`.length) as string, answer }
}

function join(hub: TestHub, token: string, form: Record<string, unknown> = { name: 'Bob', password: PASSWORD }) {
  return hub.anonymous.post(`/console/join/${token}`, form)
}

test('an invitation has a link that is shown once, for an e-mail and a role', {
  rules: ['invitation.newer-ends-the-older', 'invitation.link-shows-what-it-invites-to', 'invitation.is-audited'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const email = newEmail()

  const { answer, token, id } = await invite(ana, email.toUpperCase())
  const list = await ana.get('/console/invitations')
  const page = await hub.anonymous.get(`/console/join/${token}`)

  assert.match(token, /^hub_in_[0-9A-Za-z]{49}$/)
  assert.match(answer.body.data.warning, /once/)
  const { invitation } = answer.body.data
  assert.deepEqual(list.body.data.invitations, [invitation])
  assert.equal(invitation.email, email)
  assert.equal(invitation.role, 'developer')
  assert.equal(invitation.invited_by, 'Ana')
  assert.equal(Date.parse(invitation.expires_at) - Date.parse(invitation.created_at), 7 * 86_400_000)
  assert.ok(!list.text.includes(token))
  assert.deepEqual(page.body.data.invitation, {
    organization_name: "Ana's",
    language: 'en',
    email,
    role: 'developer',
    expires_at: invitation.expires_at,
  })
  const log = await ana.get(`/api/v1/audit-log?target_id=${id}`)
  assert.equal(log.body.data.entries[0].action, 'invitation.created')
  assert.deepEqual(log.body.data.entries[0].details, { email, role: 'developer' })
})

test('a person without an account joins with a name and a new password and is signed in', {
  rules: [
    'api.invalid-value-is-400-with-issues',
    'invitation.works-once-for-its-email',
    'invitation.joining-takes-a-password',
  ],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const email = newEmail()
  const { token } = await invite(ana, email, 'viewer')

  const joined = await join(hub, token)

  assert.equal(joined.status, 200)
  const { user, organization, role } = joined.body.data
  assert.equal(user.email, email)
  assert.equal(organization.id, ana.organizationId)
  assert.equal(role, 'viewer')
  assert.match(joined.headers.getSetCookie()[0] ?? '', /^hub_session=hub_ss_/)
  assert.equal((await hub.anonymous.post('/console/sign-in', { email, password: PASSWORD })).status, 200)
  assert.deepEqual((await ana.get('/console/invitations')).body.data.invitations, [])
  const log = await ana.get(`/api/v1/audit-log?action=member.added&target_id=${user.id}`)
  assert.deepEqual(log.body.data.entries[0].actor, { type: 'user', id: user.id, name: 'Bob' })
})

// The person who made the invitation has the link too.
test('a join without a name is refused alike with and without an account, and the link stays open', {
  rules: ['invitation.joining-takes-a-password', 'invitation.joining-requires-a-name'],
}, async (t) => {
  const hub = await startHub(t)
  const [ana, bob] = [await hub.person(), await hub.person()]
  const [known, unknown] = [await invite(ana, bob.email), await invite(ana, newEmail())]

  const answers = [
    await join(hub, known.token, { password: PASSWORD }),
    await join(hub, unknown.token, { password: PASSWORD }),
  ]

  for (const { status, body } of answers) {
    assert.equal(status, 400)
    assert.partialDeepStrictEqual(body.error.details, answers[0]?.body.error.details)
    assert.equal(body.error.details.issues[0].path, '/name')
  }
  assert.equal((await join(hub, known.token)).status, 200)
  assert.equal((await join(hub, unknown.token)).status, 200)
})

test('a link expires after seven days', { rules: ['invitation.lives-seven-days'] }, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const [kept, late] = [await invite(ana, newEmail()), await invite(ana, newEmail())]

  await hub.clock.advance('6 days')
  await hub.clock.advance('23 hours')
  const inTime = await join(hub, kept.token)
  await hub.clock.advance('1 hour')
  const tooLate = await join(hub, late.token)

  assert.equal(inTime.status, 200)
  assert.equal(tooLate.status, 404)
  assert.equal((await hub.anonymous.get(`/console/join/${late.token}`)).status, 404)
  assert.equal((await ana.delete(`/console/invitations/${late.id}`)).status, 404)
  assert.deepEqual((await ana.get('/console/invitations')).body.data.invitations, [])
})

for (const [who, hasAccount] of Object.entries({ 'without an account': false, 'with an account': true })) {
  test(`one of ten concurrent uses of a link by a person ${who} succeeds`, async (t) => {
    const hub = await startHub(t)
    const ana = await hub.person()
    const { id, token } = await invite(ana, hasAccount ? (await hub.person()).email : newEmail())

    const lock = (tx: Tx) => tx`select 1 from invitations where id = ${id} for update`
    const work = () => Promise.all(Array.from({ length: 10 }, () => join(hub, token)))
    const answers = await contend(lock, { waiting: 5, work })
    const again = await join(hub, token)

    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    assert.equal(answers.filter(({ status }) => status === 404).length, 9)
    assert.equal(again.status, 404)
    assert.equal((await ana.get('/console/members')).body.data.members.length, 2)
  })
}

test('a link that was used, revoked or never issued is 404', {
  rules: ['error.absent-and-foreign-are-404', 'invitation.works-once-for-its-email'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const [used, revoked] = [await invite(ana, newEmail()), await invite(ana, newEmail())]
  await join(hub, used.token)
  await ana.delete(`/console/invitations/${revoked.id}`)

  const tokens = [used.token, revoked.token, newToken('invitation'), newToken('api_key'), 'x']
  const pages = await Promise.all(tokens.map((token) => hub.anonymous.get(`/console/join/${token}`)))
  const joins = await Promise.all(tokens.map((token) => join(hub, token)))

  for (const { status, body } of [...pages, ...joins]) {
    assert.equal(status, 404)
    assert.equal(body.error.message, 'Invitation not found.')
  }
})

// The link proves the invitation, not the identity.
test('a person with an account joins with its password and keeps its name', {
  rules: ['invitation.works-once-for-its-email', 'invitation.joining-takes-a-password'],
}, async (t) => {
  const hub = await startHub(t)
  const [ana, bob] = [await hub.person(), await hub.person()]
  const { token } = await invite(ana, bob.email, 'admin')

  const wrong = await join(hub, token, { name: 'Mallory', password: 'a guess at it' })
  const joined = await join(hub, token, { name: 'Mallory', password: PASSWORD })

  assert.equal(wrong.status, 401)
  assert.equal(joined.status, 200)
  assert.equal(joined.body.data.user.id, bob.userId)
  assert.equal(joined.body.data.user.name, 'Ana')
  assert.equal((await bob.get('/console/organizations')).body.data.organizations.length, 2)
})

test('wrong passwords sent with a link count against the sign-in limit', {
  rules: ['signin.limits-hold-for-every-password-prompt'],
}, async (t) => {
  const hub = await startHub(t)
  const [ana, bob] = [await hub.person(), await hub.person()]
  const { token } = await invite(ana, bob.email)
  for (let i = 0; i < 10; i++) await join(hub, token, { name: 'Bob', password: 'a guess at it' })

  const refused = await join(hub, token)

  assert.equal(refused.status, 429)
})

test("an invitation to a role above the inviter's own is 403", {
  rules: ['invitation.role-is-not-above-the-makers'],
}, async (t) => {
  const hub = await startHub(t)
  const owner = await hub.person()
  const admin = await hub.person({ organizationId: owner.organizationId, role: 'admin' })
  const inviteToEachRole = (person: Person) =>
    Promise.all(
      ROLES.map(async (role) => (await person.post('/console/invitations', { email: newEmail(), role })).status),
    )

  const [byAdmin, byOwner] = [await inviteToEachRole(admin), await inviteToEachRole(owner)]

  assert.deepEqual(byAdmin, [201, 201, 201, 403])
  assert.deepEqual(byOwner, [201, 201, 201, 201])
})

test('an invitation to a member is refused', async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()

  const refused = await ana.post('/console/invitations', { email: ana.email.toUpperCase(), role: 'viewer' })

  assert.equal(refused.status, 400)
})

test('an invitation with an invalid body is 400', async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()

  for (const body of [
    { role: 'viewer' },
    { email: 'bob', role: 'viewer' },
    { email: 'bob@example.com', role: 'king' },
    { email: 'bob@example.com', role: 'viewer', days: 30 },
  ]) {
    const refused = await ana.post('/console/invitations', body)

    assert.equal(refused.status, 400, JSON.stringify(body))
  }
})

test('a new invitation revokes the older one to the same e-mail', {
  rules: ['invitation.newer-ends-the-older'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const email = newEmail()
  const older = await invite(ana, email, 'admin')

  const newer = await invite(ana, email, 'viewer')

  assert.equal((await join(hub, older.token)).status, 404)
  assert.equal((await join(hub, newer.token)).body.data.role, 'viewer')
})

test('one link of several concurrent invitations to one e-mail works', async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const email = newEmail()

  const made = await Promise.all(Array.from({ length: 8 }, () => invite(ana, email)))

  const pages = await Promise.all(made.map(({ token }) => hub.anonymous.get(`/console/join/${token}`)))
  assert.equal(pages.filter(({ status }) => status === 200).length, 1)
  assert.equal((await ana.get('/console/invitations')).body.data.invitations.length, 1)
})

test('a revoked invitation is 404, and the revocation is recorded', {
  rules: ['invitation.newer-ends-the-older', 'invitation.is-audited'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const { id, token } = await invite(ana, newEmail())

  const revoked = await ana.delete(`/console/invitations/${id}`)
  const again = await ana.delete(`/console/invitations/${id}`)

  assert.deepEqual(revoked.body, { data: { revoked: true } })
  assert.equal(again.status, 404)
  assert.equal((await join(hub, token)).status, 404)
  const log = await ana.get(`/api/v1/audit-log?action=invitation.revoked&target_id=${id}`)
  assert.equal(log.body.data.entries.length, 1)
})

type Entry = { action: string; actor: { id: string }; target: { type: string }; details: object; request_id: string }

test('accepting and replacing an invitation are recorded', {
  rules: ['invitation.is-audited'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const email = newEmail()
  const older = await invite(ana, email)
  const newer = await invite(ana, email)
  const listEntries = async (id: string): Promise<Entry[]> =>
    (await ana.get(`/api/v1/audit-log?target_id=${id}`)).body.data.entries

  const joined = await join(hub, newer.token)

  const [ended, ...before] = await listEntries(older.id)
  assert.equal(before.length, 1)
  assert.equal(ended?.action, 'invitation.revoked')
  assert.equal(ended?.actor.id, ana.userId)
  assert.deepEqual(ended?.details, { replaced_by: newer.id })
  assert.equal(ended?.request_id, newer.answer.headers.get('x-request-id'))
  const [accepted, ...made] = await listEntries(newer.id)
  assert.equal(made.length, 1)
  assert.equal(accepted?.action, 'invitation.accepted')
  assert.equal(accepted?.actor.id, joined.body.data.user.id)
  assert.equal(accepted?.target.type, 'invitation')
  assert.equal(accepted?.request_id, joined.headers.get('x-request-id'))
})

test('one of ten concurrent uses of a link is recorded', async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const { id, token } = await invite(ana, newEmail())

  await Promise.all(Array.from({ length: 10 }, () => join(hub, token)))

  const log = await ana.get(`/api/v1/audit-log?action=invitation.accepted&target_id=${id}`)
  assert.equal(log.body.data.entries.length, 1)
})

test("another organization's invitations are not listed, and revoking one is 404", async (t) => {
  const hub = await startHub(t)
  const [ana, other] = [await hub.person(), await hub.person()]
  const { id, token } = await invite(ana, newEmail())

  const list = await other.get('/console/invitations')
  const foreign = await other.delete(`/console/invitations/${id}`)
  const absent = await other.delete(`/console/invitations/${newId()}`)

  assert.deepEqual(list.body.data.invitations, [])
  assert.equal(foreign.status, 404)
  assert.deepEqual({ ...foreign.body.error, request_id: '' }, { ...absent.body.error, request_id: '' })
  assert.equal((await join(hub, token)).status, 200)
})

test('the database stores only the hash of a link', async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  const { id, token } = await invite(ana, newEmail())

  const stored = await dumpDatabase(hub.sql)

  assert.ok(stored.includes(id))
  for (const form of listEncodings(token)) assert.ok(!stored.includes(form))
})

// A demoted member must not regain a role through an invitation that they made before.
test('a link is 404 if its inviter no longer has the role that it gives', async (t) => {
  const hub = await startHub(t)
  const owner = await hub.person()
  const admin = await hub.person({ organizationId: owner.organizationId, role: 'admin' })
  const invited = await admin.post('/console/invitations', { email: `${newId()}@example.com`, role: 'admin' })
  const token = invited.body.data.invitation_url.split('/').at(-1)

  await owner.patch(`/console/members/${admin.userId}`, { role: 'developer' })
  const shown = await hub.anonymous.get(`/console/join/${token}`)
  const joined = await hub.anonymous.post(`/console/join/${token}`, { name: 'Eva', password: PASSWORD })

  assert.equal(shown.status, 404)
  assert.equal(joined.status, 404)
})

test('the list of open invitations is read in pages, newest first, and its cursors belong to the organization', {
  rules: ['api.pages-have-a-cursor'],
}, async (t) => {
  const hub = await startHub(t)
  const [ana, other] = [await hub.person(), await hub.person()]
  const ids: string[] = []
  for (let made = 0; made < 5; made++) ids.unshift((await invite(ana, newEmail())).id)
  for (let made = 0; made < 2; made++) await invite(other, newEmail())
  await ana.delete(`/console/invitations/${ids.pop()}`)

  const first = await ana.get('/console/invitations?limit=3')
  const { next_cursor } = first.body.data
  const last = await ana.get(`/console/invitations?limit=3&cursor=${next_cursor}`)
  const foreign = (await other.get('/console/invitations?limit=1')).body.data.next_cursor

  const listed = [first, last].map(({ body }) => body.data.invitations.map(({ id }: { id: string }) => id))
  assert.deepEqual(listed, [ids.slice(0, 3), ids.slice(3)])
  assert.equal(last.body.data.next_cursor, null)
  for (const query of [`cursor=${foreign}`, 'limit=0', 'limit=101']) {
    assert.equal((await ana.get(`/console/invitations?${query}`)).status, 400, query)
  }
})

/** Adds people who never sign in. */
async function seedMembers({ sql }: TestHub, organizationId: string, count: number): Promise<void> {
  await sql`
    with people as (
      insert into users (id, email, name, password_hash)
      select id, id || '@example.com', 'Seeded', ''
      from (select hub_id() as id from generate_series(1, ${count})) seeded
      returning id
    )
    insert into memberships (organization_id, user_id, role)
    select ${organizationId}, id, 'viewer'
    from people`
}

test('an organization has at most 1,000 members and open invitations, also under concurrency', {
  rules: ['member.at-most-1000-with-invitations'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  // With Ana, three are left.
  await seedMembers(hub, ana.organizationId, MEMBERS_MAX - 4)
  const { token } = await invite(ana, newEmail())

  const lock = (tx: Tx) => tx`select 1 from organizations where id = ${ana.organizationId} for update`
  const post = () => ana.post('/console/invitations', { email: newEmail(), role: 'viewer' })
  const answers = await contend(lock, { waiting: 5, work: () => Promise.all(Array.from({ length: 5 }, post)) })
  const joined = await join(hub, token)
  const refused = await post()

  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 201, 403, 403, 403])
  assert.equal(joined.status, 200)
  const { code, details } = refused.body.error
  assert.deepEqual([refused.status, code], [403, 'QUOTA_EXCEEDED'])
  assert.partialDeepStrictEqual(details, { quota: 'members', limit: MEMBERS_MAX, used: MEMBERS_MAX })
})

test('an open invitation can be replaced when no other is left', {
  rules: ['member.at-most-1000-with-invitations'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()
  await seedMembers(hub, ana.organizationId, MEMBERS_MAX - 2)
  const email = newEmail()
  await invite(ana, email)

  const again = await ana.post('/console/invitations', { email, role: 'admin' })
  const other = await ana.post('/console/invitations', { email: newEmail(), role: 'admin' })

  assert.deepEqual([again.status, other.status], [201, 403])
})

test('a person belongs to at most 500 organizations, also under concurrency', {
  rules: ['member.of-at-most-500-organizations'],
}, async (t) => {
  const hub = await startHub(t)
  const bob = await hub.person()
  await hub.sql`
    with made as (
      insert into organizations (id, name)
      select hub_id(), 'Seeded'
      from generate_series(1, ${ORGANIZATIONS_MAX - 2})
      returning id
    )
    insert into memberships (organization_id, user_id, role)
    select id, ${bob.userId}, 'viewer'
    from made`
  const inviters = [await hub.person(), await hub.person()]
  const links = await Promise.all(inviters.map((ana) => invite(ana, bob.email)))

  const lock = (tx: Tx) => tx`select 1 from users where id = ${bob.userId} for update`
  const work = () => Promise.all(links.map(({ token }) => join(hub, token)))
  const answers = await contend(lock, { waiting: 2, work })
  const { body } = await bob.get('/console/organizations')

  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 403])
  assert.equal(body.data.organizations.length, ORGANIZATIONS_MAX)
})
