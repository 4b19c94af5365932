import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TOTP } from 'otpauth'
import { bearer, PASSWORD, startHub, type TestHub } from '../../../../test/hub.ts'
import { ACCESS_RULES } from '../../../app/http/access-rules.ts'
import { OPERATOR } from '../../audit/initiator.ts'
import { SCOPES } from '../../auth/scopes.ts'
import { openStream } from '../../live-updates/test/stream.ts'

type Person = Awaited<ReturnType<TestHub['person']>>

async function enableTotp(hub: TestHub, person: Person): Promise<string> {
  const { secret } = (await person.post('/console/totp', { password: PASSWORD })).body.data
  assert.equal((await person.post('/console/totp/confirm', { code: generateCode(hub, secret) })).status, 200)
  return secret
}

function generateCode(hub: TestHub, secret: string): string {
  return new TOTP({ secret }).generate({ timestamp: hub.clock.now().getTime() })
}

function path({ organizationId }: Person): string {
  return `/console/organizations/${organizationId}/settings`
}

/** An owner with a second factor whose organization requires one, and the secret. */
async function startRequired(t: Parameters<typeof startHub>[0]) {
  const hub = await startHub(t)
  const ana = await hub.person()
  const secret = await enableTotp(hub, ana)
  const bob = await hub.person({ organizationId: ana.organizationId, role: 'admin' })
  const require = () => ana.patch(path(ana), { two_factor_required: true })
  return { hub, ana, bob, secret, require }
}

test('a member without a second factor gets 403 for everything of an organization that requires one', {
  rules: ['factor.required-session-without-is-403', 'factor.requirement-holds-at-the-next-request'],
}, async (t) => {
  const { hub, ana, bob, require } = await startRequired(t)
  assert.equal((await bob.get('/api/v1/channels')).status, 200)

  assert.equal((await require()).status, 200)

  const routes = Object.entries(ACCESS_RULES).filter(
    ([, access]) => 'scope' in access || ('session' in access && !access.isPersonal),
  )
  assert.ok(routes.length > 60)
  for (const [route] of routes) {
    const [method = '', pattern = ''] = route.split(' ')
    const target = pattern.replace(/:\w+/g, ana.organizationId)
    // The limit of a session is lower than the number of routes.
    await hub.sql`delete from rate_limits`
    const { status, body, text } = await bob.send(method, target)
    if (status === 404 && method === 'GET' && pattern.startsWith('/console/sandbox')) continue
    assert.deepEqual([status, body.error?.code], [403, 'TWO_FACTOR_REQUIRED'], `${route} answered ${text}`)
  }
  assert.equal((await ana.get('/api/v1/channels')).status, 200)
})

test('the session, the account, other organizations and signing out stay open, and a second factor ends the refusal', {
  rules: ['factor.own-account-stays-open'],
}, async (t) => {
  const { hub, bob, require } = await startRequired(t)
  const other = await hub.person()
  await hub.sql.begin((tx) =>
    hub.context.members.add(tx, {
      organizationId: other.organizationId,
      userId: bob.userId,
      role: 'viewer',
      initiator: OPERATOR,
    }),
  )
  await require()

  const current = await bob.get('/console/session')
  const lists = [await bob.get('/console/sessions'), await bob.get('/console/organizations')]
  const elsewhere = await bob.get('/api/v1/channels', { headers: { 'x-hub-organization': other.organizationId } })
  const switched = await bob.put('/console/session/organization', { organization_id: other.organizationId })
  const inOther = await bob.get('/api/v1/channels')
  await bob.put('/console/session/organization', { organization_id: bob.organizationId })
  const refused = await bob.get('/api/v1/channels')
  await enableTotp(hub, bob)
  const opened = await bob.get('/api/v1/channels')

  const { user, organization } = current.body.data
  assert.deepEqual([user.totp_enabled, organization.two_factor_required], [false, true])
  for (const { status } of [current, ...lists, elsewhere, switched, inOther, opened]) assert.equal(status, 200)
  assert.equal(refused.status, 403)
  assert.equal((await bob.post('/console/sign-out')).status, 200)
})

test('an owner without a second factor cannot require one', {
  rules: ['error.conflict-says-what-to-do', 'factor.owner-without-one-cannot-require-it'],
}, async (t) => {
  const hub = await startHub(t)
  const ana = await hub.person()

  const refused = await ana.patch(path(ana), { two_factor_required: true, name: 'changed' })

  assert.deepEqual([refused.status, refused.body.error.code], [409, 'CONFLICT'])
  assert.match(refused.body.error.message, /your own account first/)
  assert.equal((await ana.get(path(ana))).body.data.settings.name, "Ana's")
})

test('a second factor cannot be disabled while an organization of the person requires it', {
  rules: ['factor.required-one-cannot-be-disabled'],
}, async (t) => {
  const { hub, ana, secret, require } = await startRequired(t)
  await require()
  const disable = async () => {
    await hub.clock.advance('30 seconds')
    return ana.post('/console/totp/disable', { password: PASSWORD, totp: generateCode(hub, secret) })
  }

  const refused = await disable()
  await ana.patch(path(ana), { two_factor_required: false })
  const disabled = await disable()

  assert.deepEqual([refused.status, refused.body.error.code], [409, 'CONFLICT'])
  assert.match(refused.body.error.message, /Ana's requires a second factor/)
  assert.equal(disabled.status, 200)
})

test('a requirement of the second factor and a concurrent end of it: one is refused', {
  rules: ['factor.owner-without-one-cannot-require-it', 'factor.required-one-cannot-be-disabled'],
}, async (t) => {
  const hub = await startHub(t)
  for (let round = 0; round < 4; round++) {
    const ana = await hub.person()
    const secret = await enableTotp(hub, ana)
    await hub.clock.advance('30 seconds')
    const proof = { password: PASSWORD, totp: generateCode(hub, secret) }

    const answers = await Promise.all([
      ana.patch(path(ana), { two_factor_required: true }),
      ana.post('/console/totp/disable', proof),
    ])

    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  }
})

test('an open stream of a member without a second factor ends at once, and another is refused', {
  rules: ['factor.requirement-ends-open-streams'],
}, async (t) => {
  const { hub, ana, bob, require } = await startRequired(t)
  const [stream, kept] = [await openStream(t, hub.url, bob), await openStream(t, hub.url, ana)]

  await require()
  await stream.end()

  const again = await bob.get(`/console/organizations/${ana.organizationId}/events`)
  assert.deepEqual([again.status, again.body.error.code], [403, 'TWO_FACTOR_REQUIRED'])
  await ana.post('/api/v1/channels', { name: 'Padaria' })
  assert.ok(await kept.find('channel.updated'))
})

test('keys and channel tokens work where a second factor is required', {
  rules: ['factor.requirement-does-not-concern-keys'],
}, async (t) => {
  const { hub, ana, require } = await startRequired(t)
  const { channel } = (await ana.post('/api/v1/channels', { name: 'Padaria' })).body.data
  const key = { organizationId: ana.organizationId, name: 'ci', scopes: [...SCOPES], expiresAt: null }
  const { token } = await hub.sql.begin((tx) => hub.context.apiKeys.issue(tx, { ...key, initiator: OPERATOR }))

  await require()

  for (const credential of [token, channel.token]) {
    const { status } = await hub.anonymous.get(`/api/v1/channels/${channel.id}`, { headers: bearer(credential) })
    assert.equal(status, 200)
  }
})
