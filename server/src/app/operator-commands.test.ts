import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { printed, type Ran, runAdmin, sealingEnv } from '../../test/admin.ts'
import { targetOf, testDatabase, withServer } from '../../test/database.ts'
import { bearer, PASSWORD, startHub } from '../../test/hub.ts'
import { SCOPES } from '../domains/auth/scopes.ts'
import type { KeyRing } from '../kernel/crypto/key-ring.ts'
import { newId } from '../kernel/ids.ts'

const RING: KeyRing = [{ id: 'operator', bytes: randomBytes(32) }]
const INSTALLATION = { installation: { keyRing: () => RING } }

async function admin(...args: string[]): Promise<Ran> {
  const { target } = await testDatabase()
  return runAdmin({ DATABASE_URL: target, ...sealingEnv(RING) }, ...args)
}

function assertOneSentence({ stdout, stderr }: Ran): void {
  assert.equal(stdout, '')
  assert.match(stderr, /^[A-Z][^\n]*[.!?]\n$/)
  assert.doesNotMatch(stderr, /\bat .*:\d+:\d+|Error:/)
}

test('create-organization prints one line with a key of every scope, which a running hub takes at once', async (t) => {
  const hub = await startHub(t, INSTALLATION)

  const made = printed(await admin('create-organization', '--name', 'Acme'))

  assert.deepEqual(Object.keys(made), ['organization_id', 'api_key'])
  const acme = hub.anyone.with(bearer(made.api_key))
  const list = await acme.get('/api/v1/api-keys')
  assert.equal(list.status, 200)
  assert.deepEqual(list.body.data.api_keys[0].scopes, SCOPES)
  const log = await acme.get(`/api/v1/audit-log?target_id=${made.organization_id}`)
  assert.equal(log.body.data.entries[0].action, 'organization.created')
  assert.deepEqual(log.body.data.entries[0].actor, { type: 'operator', id: null, name: null })
  const created = await acme.post('/api/v1/api-keys', { name: 'ci', scopes: ['audit:read'] })
  assert.equal(created.status, 201)
})

test('invite prints a link with which a person joins in the role', async (t) => {
  const hub = await startHub(t, INSTALLATION)
  const { organizationId } = await hub.organization()
  const email = `${newId()}@example.com`

  const made = printed(await admin('invite', '--organization', organizationId, '--email', email, '--role', 'owner'))

  assert.deepEqual(Object.keys(made), ['invitation_id', 'invitation_url', 'expires_at'])
  const token = new URL(made.invitation_url).pathname.split('/').at(-1)
  const joined = await hub.anyone.post(`/console/join/${token}`, { name: 'Bob', password: PASSWORD })
  assert.equal(joined.status, 200)
  assert.equal(joined.body.data.role, 'owner')
  assert.equal(joined.body.data.user.email, email)
})

test('reset-password prints a new password, ends every session and turns the second factor off', async (t) => {
  const hub = await startHub(t, INSTALLATION)
  const ana = await hub.person()
  await hub.sql`update users set totp_secret = 'lost', totp_enabled_at = hub_now() where id = ${ana.userId}`

  const made = printed(await admin('reset-password', '--email', ana.email.toUpperCase()))

  assert.deepEqual(Object.keys(made), ['email', 'password'])
  assert.equal(made.email, ana.email)
  assert.equal((await ana.get('/console/session')).status, 401)
  const old = await hub.anyone.post('/console/sign-in', { email: ana.email, password: PASSWORD })
  const fresh = await hub.anyone.post('/console/sign-in', made)
  assert.deepEqual([old.status, fresh.status], [401, 200])
  assert.equal(fresh.body.data.user.totp_enabled, false)
  const log =
    await hub.sql`select 1 from audit_entries where action = 'user.password_reset' and target_id = ${ana.userId}`
  assert.equal(log.length, 1)
})

test('migrate makes the tables of an empty database, and finds nothing to do the second time', async () => {
  const name = `hubline_test_${randomBytes(6).toString('hex')}`
  await withServer((server) => server.unsafe(`create database ${name}`))
  const env = { DATABASE_URL: targetOf(name), ...sealingEnv(RING) }

  const first = printed(await runAdmin(env, 'migrate'))
  const second = printed(await runAdmin(env, 'migrate'))
  const made = printed(await runAdmin(env, 'create-organization', '--name', 'Acme'))
  await withServer((server) => server.unsafe(`drop database ${name} with (force)`))

  assert.equal(first.applied[0], '0001-house.sql')
  assert.deepEqual(second, { applied: [] })
  assert.match(made.api_key, /^hub_pk_/)
})

for (const args of [['--help'], ['help'], [], ['invite', '--help']]) {
  test(`the help is printed for "admin ${args.join(' ')}", and needs no database`, async () => {
    const { exitCode, stdout, stderr } = await runAdmin({}, ...args)

    assert.equal(exitCode, 0)
    assert.equal(stderr, '')
    for (const command of ['create-organization --name', 'invite', 'migrate', 'reset-password', 'rotate-sealing-key']) {
      assert.ok(stdout.includes(command))
    }
  })
}

for (const args of [
  ['destroy-everything'],
  ['constructor'],
  ['__proto__'],
  ['create-organization'],
  ['create-organization', '--name'],
  ['create-organization', '--name', ''],
  ['create-organization', '--name', '  '],
  ['create-organization', '--name', 'x'.repeat(101)],
  ['create-organization', '--title', 'Acme'],
  ['create-organization', 'Acme'],
  ['invite', '--email', 'bob@example.com', '--role', 'viewer'],
  ['invite', '--organization', newId(), '--email', 'bob@example.com', '--role', 'king'],
  ['invite', '--organization', newId(), '--email', 'bob', '--role', 'viewer'],
  ['reset-password'],
  ['migrate', '--force'],
]) {
  test(`the words "admin ${args.join(' ').slice(0, 60)}" are refused with exit code 2`, async () => {
    const ran = await admin(...args)

    assert.equal(ran.exitCode, 2)
    assert.equal(ran.stdout, '')
    assert.match(ran.stderr, /^[^\n]+See: npm run admin -- help\n$/)
    assert.doesNotMatch(ran.stderr, /\bat .*:\d+:\d+/)
  })
}

test('an invitation to what is no e-mail address says so, makes nothing and ends with exit code 2', async (t) => {
  const hub = await startHub(t, INSTALLATION)
  const ana = await hub.person()

  for (const email of ['bob', 'bob@', 'bob@example.com, eva@example.com', 'Bob <bob@example.com>']) {
    const ran = await admin('invite', '--organization', ana.organizationId, '--email', email, '--role', 'viewer')

    assert.equal(ran.exitCode, 2, email)
    assert.equal(ran.stdout, '')
    assert.equal(ran.stderr, '--email is not an e-mail address. See: npm run admin -- help\n')
  }
  assert.deepEqual((await ana.get('/console/invitations')).body.data.invitations, [])
})

test('what cannot be done is said in one sentence, with exit code 1', async (t) => {
  const hub = await startHub(t, INSTALLATION)
  const ana = await hub.person()
  const invite = (organization: string, email: string) =>
    admin('invite', '--organization', organization, '--email', email, '--role', 'viewer')

  const failures = [
    await invite(newId(), 'bob@example.com'),
    await invite('acme', 'bob@example.com'),
    await invite(ana.organizationId, ana.email),
    await admin('reset-password', '--email', 'nobody@example.com'),
  ]

  for (const failure of failures) {
    assert.equal(failure.exitCode, 1)
    assertOneSentence(failure)
  }
})

test('a command that cannot reach its database, or is not configured, says so in one sentence', async () => {
  const away = { DATABASE_URL: 'postgres://hub:canary-password@127.0.0.1:1/hub', ...sealingEnv(RING) }

  const unreachable = await runAdmin(away, 'migrate')
  const unconfigured = await runAdmin({ DATABASE_URL: away.DATABASE_URL }, 'migrate')

  for (const failure of [unreachable, unconfigured]) {
    assert.equal(failure.exitCode, 1)
    assertOneSentence(failure)
    assert.ok(!failure.stderr.includes('canary-password'))
  }
  assert.match(unconfigured.stderr, /SEALING_KEYS is required/)
})
