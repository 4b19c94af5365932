import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '../../../../test/client.ts'
import { startHub, type TestHub } from '../../../../test/hub.ts'
import { newId } from '../../../kernel/ids.ts'
import { ROLES, type Role } from '../../auth/scopes.ts'

/** An organization with one member of each role. */
async function createCompany(hub: TestHub) {
  const owner = await hub.person()
  const { organizationId } = owner
  const join = (role: Role) => hub.person({ organizationId, role })
  return {
    organizationId,
    owner,
    admin: await join('admin'),
    developer: await join('developer'),
    viewer: await join('viewer'),
  }
}

async function listRoles(hub: TestHub, organizationId: string): Promise<Record<string, Role>> {
  const rows = await hub.sql<{ user_id: string; role: Role }[]>`
    select user_id, role
    from memberships
    where organization_id = ${organizationId}`
  return Object.fromEntries(rows.map(({ user_id, role }) => [user_id, role]))
}

test('every member lists the members of their own organization only', {
  rules: ['member.list-shows-everyone-to-everyone'],
}, async (t) => {
  const hub = await startHub(t)
  const { owner, viewer } = await createCompany(hub)
  await hub.person()

  const list = await viewer.get('/console/members')

  assert.equal(list.status, 200)
  const { members } = list.body.data
  assert.deepEqual(
    members.map(({ role }: { role: Role }) => role),
    ['owner', 'admin', 'developer', 'viewer'],
  )
  const [{ created_at: _createdAt, ...first }] = members
  assert.deepEqual(first, { id: owner.userId, name: 'Ana', email: owner.email, role: 'owner', totp_enabled: false })
  assert.doesNotMatch(list.text, /argon2|password|secret/)
})

test('a changed role applies from the next request on and is recorded', {
  rules: ['member.role-changes-up-to-own-role'],
}, async (t) => {
  const hub = await startHub(t)
  const { owner, developer } = await createCompany(hub)

  const changed = await owner.patch(`/console/members/${developer.userId}`, { role: 'viewer' })

  assert.equal(changed.status, 200)
  assert.equal(changed.body.data.member.id, developer.userId)
  assert.equal(changed.body.data.member.role, 'viewer')
  assert.equal((await developer.get('/console/session')).body.data.role, 'viewer')
  const log = await owner.get('/api/v1/audit-log?action=member.role_changed')
  const [entry] = log.body.data.entries
  assert.deepEqual(entry.actor, { type: 'user', id: owner.userId, name: 'Ana' })
  assert.deepEqual(entry.target, { type: 'user', id: developer.userId })
  assert.deepEqual(entry.details, {
    from: 'developer',
    to: 'viewer',
    changes: { role: { from: 'developer', to: 'viewer' } },
  })
  assert.equal(entry.request_id, changed.headers.get('x-request-id'))
})

test("a change to the member's current role succeeds and is not recorded", async (t) => {
  const hub = await startHub(t)
  const { owner, developer } = await createCompany(hub)

  const same = await owner.patch(`/console/members/${developer.userId}`, { role: 'developer' })
  const own = await owner.patch(`/console/members/${owner.userId}`, { role: 'owner' })

  assert.deepEqual([same.status, own.status], [200, 200])
  assert.equal(same.body.data.member.role, 'developer')
  const log = await owner.get('/api/v1/audit-log?action=member.role_changed')
  assert.deepEqual(log.body.data.entries, [])
})

test('an admin changes roles up to admin, and not those of owners', {
  rules: ['member.role-changes-up-to-own-role'],
}, async (t) => {
  const hub = await startHub(t)
  const { owner, admin, viewer } = await createCompany(hub)

  const promoted = await admin.patch(`/console/members/${viewer.userId}`, { role: 'admin' })
  const toOwner = await admin.patch(`/console/members/${viewer.userId}`, { role: 'owner' })
  const ofOwner = await admin.patch(`/console/members/${owner.userId}`, { role: 'viewer' })
  const ownOwner = await admin.patch(`/console/members/${admin.userId}`, { role: 'owner' })
  const removal = await admin.delete(`/console/members/${owner.userId}`)

  assert.equal(promoted.status, 200)
  for (const { status, body } of [toOwner, ofOwner, ownOwner, removal]) {
    assert.equal(status, 403)
    assert.equal(body.error.code, 'INSUFFICIENT_SCOPE')
  }
})

test('developers and viewers cannot change, remove or invite members', {
  rules: ['member.role-changes-up-to-own-role', 'member.removal-is-immediate', 'invitation.newer-ends-the-older'],
}, async (t) => {
  const hub = await startHub(t)
  const { developer, viewer } = await createCompany(hub)

  const answers = await Promise.all(
    [developer, viewer].flatMap((person) => [
      person.patch(`/console/members/${viewer.userId}`, { role: 'viewer' }),
      person.delete(`/console/members/${person === viewer ? developer.userId : viewer.userId}`),
      person.get('/console/invitations'),
      person.post('/console/invitations', { email: 'new@example.com', role: 'viewer' }),
      person.delete(`/console/invitations/${newId()}`),
    ]),
  )

  for (const { status } of answers) assert.equal(status, 403)
})

// The role that access control read may have changed before the service locks the members.
for (const role of ROLES.filter((role) => role !== 'admin' && role !== 'owner')) {
  test(`an admin who became a ${role} during the request cannot change or remove members`, async (t) => {
    const hub = await startHub(t)
    const { organizationId, admin, viewer } = await createCompany(hub)
    const stale = {
      organizationId,
      scopes: [],
      channelId: null,
      initiator: { actor: { type: 'user' as const, id: admin.userId, name: 'Ana' }, ip: null, requestId: null },
      session: { id: newId(), userId: admin.userId, email: admin.email, role: 'admin' as const },
    }
    await hub.sql`update memberships set role = ${role} where user_id = ${admin.userId}`

    const change = hub.context.members.changeRole(stale, viewer.userId, 'viewer')
    await assert.rejects(change, { code: 'INSUFFICIENT_SCOPE' })
    const removal = hub.context.members.remove(stale, viewer.userId)
    await assert.rejects(removal, { code: 'INSUFFICIENT_SCOPE' })
  })
}

test('a role change with an invalid body is 400', async (t) => {
  const hub = await startHub(t)
  const { owner, viewer } = await createCompany(hub)

  for (const body of [{}, { role: 'king' }, { role: 'viewer', name: 'Bob' }]) {
    const refused = await owner.patch(`/console/members/${viewer.userId}`, body)

    assert.equal(refused.status, 400, JSON.stringify(body))
  }
})

test('a removed member loses access at once and keeps their other organizations', {
  rules: ['member.removal-is-immediate'],
}, async (t) => {
  const hub = await startHub(t)
  const { owner, developer } = await createCompany(hub)
  const elsewhere = await hub.person()
  await hub.sql`insert into memberships (organization_id, user_id, role)
    values (${owner.organizationId}, ${elsewhere.userId}, 'developer')`
  const headers = { 'x-hub-organization': owner.organizationId }

  await owner.delete(`/console/members/${developer.userId}`)
  const removed = await owner.delete(`/console/members/${elsewhere.userId}`)
  const again = await owner.delete(`/console/members/${elsewhere.userId}`)

  assert.equal(removed.status, 200)
  assert.deepEqual(removed.body, { data: { removed: true } })
  assert.equal(again.status, 404)
  assert.equal((await developer.get('/api/v1/api-keys')).status, 401)
  assert.equal((await elsewhere.get('/api/v1/api-keys', { headers })).status, 404)
  assert.equal((await elsewhere.get('/api/v1/api-keys')).status, 200)
})

test('a viewer can leave, and the removal is recorded', { rules: ['member.removal-is-immediate'] }, async (t) => {
  const hub = await startHub(t)
  const { owner, viewer } = await createCompany(hub)

  const left = await viewer.delete(`/console/members/${viewer.userId}`)

  assert.equal(left.status, 200)
  const log = await owner.get('/api/v1/audit-log?action=member.removed')
  const [entry] = log.body.data.entries
  assert.equal(entry.actor.id, viewer.userId)
  assert.deepEqual(entry.target, { type: 'user', id: viewer.userId })
  assert.deepEqual(entry.details, { role: 'viewer' })
})

test('the last owner cannot leave or take a lower role', { rules: ['member.last-owner-stays'] }, async (t) => {
  const hub = await startHub(t)
  const { owner, admin } = await createCompany(hub)

  const left = await owner.delete(`/console/members/${owner.userId}`)
  const demoted = await owner.patch(`/console/members/${owner.userId}`, { role: 'admin' })
  await owner.patch(`/console/members/${admin.userId}`, { role: 'owner' })
  const afterwards = await owner.patch(`/console/members/${owner.userId}`, { role: 'admin' })

  for (const { status, body } of [left, demoted]) {
    assert.equal(status, 400)
    assert.match(body.error.message, /last owner/i)
  }
  assert.equal(afterwards.status, 200)
})

test('concurrent demotions, removals and departures of two owners leave one owner', {
  rules: ['member.last-owner-stays'],
}, async (t) => {
  const hub = await startHub(t)
  type Person = Awaited<ReturnType<TestHub['person']>>
  const concurrentRequests: ((ana: Person, bob: Person) => Promise<Answer>[])[] = [
    (ana, bob) => [
      ana.patch(`/console/members/${bob.userId}`, { role: 'viewer' }),
      bob.patch(`/console/members/${ana.userId}`, { role: 'viewer' }),
    ],
    (ana, bob) => [ana.delete(`/console/members/${bob.userId}`), bob.delete(`/console/members/${ana.userId}`)],
    (ana, bob) => [ana.delete(`/console/members/${ana.userId}`), bob.delete(`/console/members/${bob.userId}`)],
    (ana, bob) => [
      ana.patch(`/console/members/${ana.userId}`, { role: 'admin' }),
      bob.delete(`/console/members/${bob.userId}`),
    ],
  ]

  for (let round = 0; round < 40; round++) {
    const ana = await hub.person()
    const bob = await hub.person({ organizationId: ana.organizationId, role: 'owner' })

    const answers = await Promise.all(concurrentRequests[round % concurrentRequests.length]!(ana, bob))

    const owners = Object.values(await listRoles(hub, ana.organizationId)).filter((role) => role === 'owner')
    assert.equal(owners.length, 1, `round ${round}`)
    assert.equal(answers.filter(({ status }) => status === 200).length, 1, `round ${round}`)
  }
})
