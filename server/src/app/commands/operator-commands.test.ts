import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { Simulator } from '@hubline/simulator'
import { buildSealingEnv, readPrinted } from '../../../test/admin.ts'
import { startOtherCell } from '../../../test/cells.ts'
import { testDatabase, toDatabaseUrl, withServer } from '../../../test/database.ts'
import { bearer, PASSWORD, startHub } from '../../../test/hub.ts'
import { readLink, startMailServer } from '../../../test/mail-server.ts'
import { startUpstream } from '../../../test/upstream.ts'
import { SCOPES } from '../../domains/auth/scopes.ts'
import { CATALOG } from '../../domains/billing/plans/catalog.ts'
import type { KeyRing } from '../../kernel/crypto/key-ring.ts'
import { newId } from '../../kernel/ids.ts'
import { type CommandResult, runCommand } from './run-command.ts'

const RING: KeyRing = [{ id: 'operator', bytes: randomBytes(32) }]
const INSTALLATION = { installation: { keyRing: () => RING } }

async function admin(...args: string[]): Promise<CommandResult> {
  return adminWith({}, ...args)
}

async function adminWith(env: Record<string, string>, ...args: string[]): Promise<CommandResult> {
  const { target } = await testDatabase()
  return runCommand(args, { DATABASE_URL: target, ...buildSealingEnv(RING), ...env })
}

/** The variables of a command for a running hub with this simulator. */
async function besideHubOf(t: TestContext, { payments }: Simulator): Promise<Record<string, string>> {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'hubline-admin-'))
  t.after(() => rm(DATA_DIR, { recursive: true }))
  const { secretKey, webhookSecret, url } = payments
  await writeFile(join(DATA_DIR, 'sandbox-payments.json'), JSON.stringify({ secretKey, webhookSecret }))
  return { DATA_DIR, SIMULATOR_PORT: new URL(url).port }
}

function assertOneSentence({ stdout, stderr }: CommandResult): void {
  assert.equal(stdout, '')
  assert.match(stderr, /^[A-Z][^\n]*[.!?]\n$/)
  assert.doesNotMatch(stderr, /\bat .*:\d+:\d+|Error:/)
}

test('create-organization prints a key with every scope, which a running hub accepts at once', {
  rules: ['admin.create-organization-prints-id-and-key', 'member.number-write-needs-developer'],
}, async (t) => {
  const hub = await startHub(t, INSTALLATION)

  const made = readPrinted(await admin('create-organization', '--name', 'Acme'))

  assert.deepEqual(Object.keys(made), ['organization_id', 'api_key'])
  const acme = hub.anonymous.with(bearer(made.api_key))
  const list = await acme.get('/api/v1/api-keys')
  assert.equal(list.status, 200)
  assert.deepEqual(list.body.data.api_keys[0].scopes, SCOPES)
  const log = await acme.get(`/api/v1/audit-log?target_id=${made.organization_id}`)
  assert.equal(log.body.data.entries[0].action, 'organization.created')
  assert.deepEqual(log.body.data.entries[0].actor, { type: 'operator', id: null, name: null })
  const created = await acme.post('/api/v1/api-keys', { name: 'ci', scopes: ['audit:read'] })
  assert.equal(created.status, 201)
})

test('subscribe-app registers the address of another process with --url, which must be an origin', {
  rules: ['admin.subscribe-app-registers-the-callback'],
}, async (t) => {
  const up = await startUpstream(t)
  const callbacks = await startOtherCell(t)
  const env = {
    UPSTREAM_URL: up.simulator.url,
    UPSTREAM_CONFIG_ID: '1',
    UPSTREAM_APP_ID: up.simulator.appId,
    UPSTREAM_APP_SECRET: up.simulator.appSecret,
    UPSTREAM_VERIFY_TOKEN: up.simulator.verifyToken,
  }

  const { callback_url } = readPrinted(await adminWith(env, 'subscribe-app', '--url', callbacks.url))
  const wrong = await adminWith(env, 'subscribe-app', '--url', callbacks.callbackUrl)

  assert.equal(callback_url, callbacks.callbackUrl)
  assert.deepEqual(
    callbacks.received.map(({ path }) => path.split('?')[0]),
    ['/hooks/upstream'],
  )
  assert.equal(wrong.exitCode, 2)
  assert.match(wrong.stderr, /^--url must be an origin/)
})

test('create-organization buys a plan in the simulator, so that add-ons and the portal work', {
  rules: ['admin.create-organization-prints-id-and-key', 'admin.create-organization-buys-a-sandbox-plan'],
}, async (t) => {
  const { simulator } = await startUpstream(t)
  const hub = await startHub(t, { ...INSTALLATION, simulator })
  const { target } = await testDatabase()
  const env = { DATABASE_URL: target, ...buildSealingEnv(RING), ...(await besideHubOf(t, simulator)) }

  const made = readPrinted(await runCommand(['create-organization', '--name', 'Acme', '--plan', 'pro'], env))

  assert.deepEqual(Object.keys(made), ['organization_id', 'api_key'])
  const acme = hub.anonymous.with(bearer(made.api_key))
  const { subscription, quotas } = (await acme.get('/api/v1/subscription')).body.data
  assert.deepEqual([subscription.plan, subscription.status, quotas.channels.limit], ['pro', 'active', 20])
  const headers = { 'idempotency-key': newId() }
  assert.equal((await acme.post('/api/v1/subscription/addons', { total: 2 }, { headers })).status, 201)
  const portal = await acme.post('/api/v1/subscription/portal')
  assert.equal((await hub.anonymous.get(new URL(portal.body.data.portal_url).pathname)).status, 303)
})

test('setup-billing prints the prices, the portal and the callback to register at the provider', async (t) => {
  const { simulator } = await startUpstream(t)
  const { target } = await testDatabase()
  const { secretKey, webhookSecret, url } = simulator.payments
  const stripe = {
    BILLING: 'stripe',
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_URL: url,
  }
  const env = { DATABASE_URL: target, ...buildSealingEnv(RING), PUBLIC_URL: 'https://hub.example.com', ...stripe }

  const [first, again] = [
    readPrinted(await runCommand(['setup-billing'], env)),
    readPrinted(await runCommand(['setup-billing'], env)),
  ]

  assert.deepEqual(again, first)
  assert.deepEqual(Object.keys(first.prices).sort(), CATALOG.map(({ lookupKey }) => lookupKey).sort())
  assert.equal(first.callback_url, 'https://hub.example.com/hooks/billing')
  assert.ok(first.events.includes('invoice.paid'))
})

for (const [billing, plan, reason] of [
  ['off', 'pro', /BILLING is off/],
  ['stripe', 'pro', /BILLING is stripe/],
  ['sandbox', 'enterprise', /--plan must be one of free, starter, pro/],
] as const) {
  test(`create-organization on the plan ${plan} is refused with billing ${billing}`, async () => {
    const { target, sql } = await testDatabase()
    const keys = { STRIPE_SECRET_KEY: 'sk_test_none', STRIPE_WEBHOOK_SECRET: 'whsec_none' }
    const env = { DATABASE_URL: target, ...buildSealingEnv(RING), BILLING: billing, ...keys }
    const name = `Refused ${billing}`

    const ran = await runCommand(['create-organization', '--name', name, '--plan', plan], env)

    assert.equal(ran.exitCode, 2)
    assert.match(ran.stderr, reason)
    assert.equal((await sql`select 1 from organizations where name = ${name}`).length, 0)
  })
}

test('setup-billing with billing off prints one sentence', async () => {
  const { target } = await testDatabase()

  const ran = await runCommand(['setup-billing'], { DATABASE_URL: target, ...buildSealingEnv(RING), BILLING: 'off' })

  assert.equal(ran.exitCode, 1)
  assertOneSentence(ran)
  assert.match(ran.stderr, /Billing is off/)
})

test('invite prints a link with which a person joins in the role', {
  rules: ['admin.invite-prints-an-invitation'],
}, async (t) => {
  const hub = await startHub(t, INSTALLATION)
  const { organizationId } = await hub.organization()
  const email = `${newId()}@example.com`

  const made = readPrinted(await admin('invite', '--organization', organizationId, '--email', email, '--role', 'owner'))

  assert.deepEqual(Object.keys(made), ['invitation_id', 'invitation_url', 'expires_at'])
  const token = new URL(made.invitation_url).pathname.split('/').at(-1)
  const joined = await hub.anonymous.post(`/console/join/${token}`, { name: 'Bob', password: PASSWORD })
  assert.equal(joined.status, 200)
  assert.equal(joined.body.data.role, 'owner')
  assert.equal(joined.body.data.user.email, email)
})

test('invite with mail settings prints the link and sends it', {
  rules: ['admin.invite-prints-an-invitation', 'invitation.is-sent-by-mail'],
}, async (t) => {
  const server = await startMailServer(t)
  const hub = await startHub(t, INSTALLATION)
  const { organizationId } = await hub.organization()
  const email = `${newId()}@example.com`
  const args = ['invite', '--organization', organizationId, '--email', email, '--role', 'owner']

  const sent = readPrinted(await adminWith(server.env, ...args))
  server.behave('refuse-recipient')
  const refused = readPrinted(await adminWith(server.env, ...args))

  assert.equal(sent.mail_sent, true)
  assert.match(readLink(await server.receive(1)), /\/join\/hub_in_/)
  assert.equal(refused.mail_sent, false)
  assert.match(refused.invitation_url, /\/join\/hub_in_/)
})

test('reset-password prints a new password, ends every session and turns the second factor off', {
  rules: ['admin.reset-password-lets-a-person-in'],
}, async (t) => {
  const hub = await startHub(t, INSTALLATION)
  const ana = await hub.person()
  await hub.sql`update users set totp_secret = 'lost', totp_enabled_at = hub_now() where id = ${ana.userId}`

  const made = readPrinted(await admin('reset-password', '--email', ana.email.toUpperCase()))

  assert.deepEqual(Object.keys(made), ['email', 'password'])
  assert.equal(made.email, ana.email)
  assert.equal((await ana.get('/console/session')).status, 401)
  const old = await hub.anonymous.post('/console/sign-in', { email: ana.email, password: PASSWORD })
  const fresh = await hub.anonymous.post('/console/sign-in', made)
  assert.deepEqual([old.status, fresh.status], [401, 200])
  assert.equal(fresh.body.data.user.totp_enabled, false)
  const log =
    await hub.sql`select 1 from audit_entries where action = 'user.password_reset' and target_id = ${ana.userId}`
  assert.equal(log.length, 1)
})

test('migrate creates the tables of an empty database, and applies nothing the second time', {
  rules: ['admin.migrate-updates-the-schema'],
}, async () => {
  const name = `hubline_test_${randomBytes(6).toString('hex')}`
  await withServer((server) => server.unsafe(`create database ${name}`))
  const env = { DATABASE_URL: toDatabaseUrl(name), ...buildSealingEnv(RING) }

  const first = readPrinted(await runCommand(['migrate'], env))
  const second = readPrinted(await runCommand(['migrate'], env))
  const made = readPrinted(await runCommand(['create-organization', '--name', 'Acme'], env))
  await withServer((server) => server.unsafe(`drop database ${name} with (force)`))

  assert.equal(first.applied[0], '0001-house.sql')
  assert.deepEqual(second, { applied: [] })
  assert.match(made.api_key, /^hub_pk_/)
})

for (const args of [['--help'], ['-h'], ['help'], [], ['invite', '--help']]) {
  test(`"admin ${args.join(' ')}" prints the help without a database`, async () => {
    const { exitCode, stdout, stderr } = await runCommand(args, {})

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
  test(`"admin ${args.join(' ').slice(0, 60)}" exits with code 2`, async () => {
    const ran = await admin(...args)

    assert.equal(ran.exitCode, 2)
    assert.equal(ran.stdout, '')
    assert.match(ran.stderr, /^[^\n]+See: npm run admin -- help\n$/)
    assert.doesNotMatch(ran.stderr, /\bat .*:\d+:\d+/)
  })
}

test('invite with an invalid e-mail address exits with code 2 and creates no invitation', async (t) => {
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

test('a command that fails prints one sentence and exits with code 1', async (t) => {
  const hub = await startHub(t, INSTALLATION)
  const ana = await hub.person()
  const invite = (organization: string, email: string) =>
    admin('invite', '--organization', organization, '--email', email, '--role', 'viewer')

  const failures = [
    await invite(newId(), 'bob@example.com'),
    await invite('acme', 'bob@example.com'),
    await invite(ana.organizationId, ana.email),
    await admin('reset-password', '--email', 'unknown@example.com'),
  ]

  for (const failure of failures) {
    assert.equal(failure.exitCode, 1)
    assertOneSentence(failure)
  }
})

test('a command without a database or configuration prints one sentence', async () => {
  const away = { DATABASE_URL: 'postgres://hub:canary-password@127.0.0.1:1/hub', ...buildSealingEnv(RING) }

  const unreachable = await runCommand(['migrate'], away)
  const unconfigured = await runCommand(['migrate'], { DATABASE_URL: away.DATABASE_URL })

  for (const failure of [unreachable, unconfigured]) {
    assert.equal(failure.exitCode, 1)
    assertOneSentence(failure)
    assert.ok(!failure.stderr.includes('canary-password'))
  }
  assert.match(unconfigured.stderr, /SEALING_KEYS is required/)
})

test('list-deletions lists what waits, and cancel-deletion keeps an organization', {
  rules: ['organization.deletions-are-listed-by-operator'],
}, async (t) => {
  const hub = await startHub(t, INSTALLATION)
  const ana = await hub.person()
  const path = `/console/organizations/${ana.organizationId}/deletion`
  const { deletes_at } = (await ana.post(path, { name: "Ana's" })).body.data

  const listed = readPrinted(await admin('list-deletions'))
  const canceled = readPrinted(await admin('cancel-deletion', '--organization', ana.organizationId))
  const none = await admin('cancel-deletion', '--organization', ana.organizationId)

  const own = listed.deletions.filter((row: { organization_id: string }) => row.organization_id === ana.organizationId)
  assert.deepEqual(own, [
    { organization_id: ana.organizationId, name: "Ana's", deletes_at, began_at: null, shut_off_at: null },
  ])
  assert.deepEqual(canceled, { canceled: true })
  assertOneSentence(none)
  const log = await ana.get('/api/v1/audit-log?action=organization.deletion_canceled')
  assert.equal(log.body.data.entries[0].actor.type, 'operator')
})
