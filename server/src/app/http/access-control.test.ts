import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fastify } from 'fastify'
import { bearer, ORIGIN, startHub } from '../../../test/hub.ts'
import { liveRoutes } from '../../../test/live-routes.ts'
import { type Role, SCOPES, type Scope } from '../../domains/auth/scopes.ts'
import { createSessionCookie } from '../../domains/auth/sessions/cookie.ts'
import { newToken } from '../../kernel/crypto/tokens.ts'
import { newId } from '../../kernel/ids.ts'
import { perMinute } from '../../kernel/rate-limit/limit.ts'
import { installAccessControl } from './access-control.ts'
import { ACCESS_RULES } from './access-rules.ts'
import type { Extension } from './http.ts'
import { createPublicLimits } from './public-limits.ts'
import { PUBLIC_LIMITS } from './rate-limits.ts'

/** Routes of a test are not in the OpenAPI document. */
const HIDDEN = { schema: { hide: true } }
const NEW_KEY = { name: 'ci', scopes: ['audit:read'] }

test('the access rules cover exactly the routes of the hub, public ones included', async (t) => {
  const hub = await startHub(t)

  const routes = liveRoutes(hub.app)

  assert.ok(routes.includes('POST /api/v1/api-keys/:id/revoke'))
  assert.deepEqual(routes.toSorted(), Object.keys(ACCESS_RULES).toSorted())
})

test('the hub does not start with a route without an access rule', async (t) => {
  const extension: Extension = {
    access: {},
    limit: perMinute('test', 100),
    routes: async (app) => void app.get('/forgotten', HIDDEN, async () => ({ data: {} })),
  }

  await assert.rejects(startHub(t, { extension }), /GET \/api\/v1\/forgotten has no access rule/)
})

test('a route outside the known prefixes needs an access rule too', async (t) => {
  const { context } = await startHub(t)
  const app = fastify()
  installAccessControl(app, {
    allowsGraphParameters: true,
    auth: context.auth,
    countPublicRequest: createPublicLimits(context),
    cookie: createSessionCookie(false),
    origins: new Set(),
    access: {},
  })

  assert.throws(() => app.get('/internal/dump', async () => 'all'), /GET \/internal\/dump has no access rule/)
})

test('the hub does not start with a public route that names a link and has no limit per link', async (t) => {
  const extension: Extension = {
    access: { 'GET /api/v1/gift/:token': { public: PUBLIC_LIMITS.page } },
    limit: perMinute('test', 100),
    routes: async (app) => void app.get('/gift/:token', HIDDEN, async () => ({ data: {} })),
  }

  await assert.rejects(startHub(t, { extension }), /GET \/api\/v1\/gift\/:token names a link and has no limit per link/)
})

test('the hub does not start with an access rule without a route', async (t) => {
  const extension: Extension = {
    access: { 'GET /api/v1/nowhere': { scope: 'audit:read' } },
    limit: perMinute('test', 100),
    routes: async () => {},
  }

  await assert.rejects(startHub(t, { extension }), /routes that do not exist: GET \/api\/v1\/nowhere/)
})

for (const query of [
  (token: string) => `access_token=${token}`,
  (token: string) => `api_key=${token}`,
  (token: string) => `limit=5&token=${token}`,
]) {
  test(`a credential in the query string (${query('…')}) is 401 with an explanation`, {
    rules: ['auth.query-token-is-401'],
  }, async (t) => {
    const hub = await startHub(t)
    const acme = await hub.organization()

    const refused = await hub.anonymous.get(`/api/v1/audit-log?${query(acme.key)}`)

    assert.equal(refused.status, 401)
    assert.match(refused.body.error.message, /query string is never accepted/)
    assert.ok(!refused.text.includes(acme.key))
  })
}

test('a cookie and a bearer together are refused, valid or not', {
  rules: ['auth.cookie-and-bearer-are-400'],
}, async (t) => {
  const hub = await startHub(t)
  const [acme, ana] = [await hub.organization(), await hub.person()]

  const both = await ana.get('/api/v1/api-keys', { headers: bearer(acme.key) })
  const bad = await ana.get('/api/v1/api-keys', { headers: bearer(newToken('api_key')) })
  const console = await ana.get('/console/session', { headers: bearer(acme.key) })

  for (const refused of [both, bad, console]) {
    assert.equal(refused.status, 400)
    assert.match(refused.body.error.message, /not both/)
  }
})

test('the console refuses API keys and channel tokens', {
  rules: ['auth.console-accepts-sessions-only'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const token = await hub.channelToken(acme.organizationId, newId(), ['messages:send'])

  const answers = await Promise.all([acme, token].map((client) => client.get('/console/session')))

  for (const { status, body } of answers) {
    assert.equal(status, 401)
    assert.match(body.error.message, /Sign in/)
  }
})

test('every guarded route that is not public is 401 without a credential', {
  rules: ['auth.credential-is-a-bearer', 'auth.missing-credential-is-401'],
}, async (t) => {
  const hub = await startHub(t)
  const closed = Object.entries(ACCESS_RULES).filter(([, access]) => !('public' in access))

  for (const [route] of closed) {
    const [method = '', path = ''] = route.split(' ')
    const refused = await hub.anonymous.send(method, path.replace(/:\w+/g, newId()))

    assert.equal(refused.status, 401, route)
    assert.equal(refused.body.error.code, route.includes(' /graph/') ? 190 : 'UNAUTHORIZED', route)
  }
})

test('every route of the API that is not public accepts the session of an owner', {
  rules: ['auth.api-accepts-keys-and-sessions'],
}, async (t) => {
  const hub = await startHub(t, { env: { BILLING: 'off' } })
  const owner = await hub.person()
  const routes = Object.entries(ACCESS_RULES).filter(
    ([route, access]) => / \/api\/v1\//.test(route) && 'scope' in access,
  )
  assert.ok(routes.length > 10)

  for (const [route] of routes) {
    const [method = '', path = ''] = route.split(' ')
    const { status, body } = await owner.send(method, path.replace(/:\w+/g, newId()))

    // The id does not exist and the body is missing: any response other than a refusal of access is fine.
    assert.ok([200, 201, 400, 404, 415].includes(status), `${route} answered ${status} ${body.error?.code}`)
  }
})

test('the credential is checked before the body', async (t) => {
  const hub = await startHub(t)

  const refused = await hub.anonymous.post('/api/v1/api-keys', undefined, {
    headers: { 'content-type': 'application/json' },
    raw: '{"name":',
  })

  assert.equal(refused.status, 401)
})

for (const [publicUrl, origins] of Object.entries({
  'http://localhost:8080': {
    allowed: ['http://localhost:8080', 'http://127.0.0.1:8080', 'http://[::1]:8080'],
    refused: ['http://localhost:8081', 'https://localhost:8080', 'http://localhost.evil.example:8080', 'null', ''],
  },
  'https://hub.example.com': {
    allowed: ['https://hub.example.com'],
    refused: ['http://hub.example.com', 'https://evil.example', 'https://localhost', 'http://127.0.0.1:8080'],
  },
})) {
  test(`an unsafe request with a session needs the Origin of PUBLIC_URL ${publicUrl}`, {
    rules: ['session.unsafe-request-needs-origin', 'session.loopback-names-are-one-origin'],
  }, async (t) => {
    const hub = await startHub(t, { env: { PUBLIC_URL: publicUrl } })
    const { cookie } = await hub.person()
    const post = (headers: Record<string, string>) =>
      hub.anonymous.post('/api/v1/api-keys', NEW_KEY, { headers: { cookie, ...headers } })

    const allowed = await Promise.all(origins.allowed.map((origin) => post({ origin })))
    const refused = await Promise.all([...origins.refused.map((origin) => post({ origin })), post({})])

    for (const { status } of allowed) assert.equal(status, 201)
    for (const { status, body } of refused) {
      assert.equal(status, 403)
      assert.equal(body.error.code, 'ORIGIN_NOT_ALLOWED')
    }
  })
}

test('reading with a session and writing with a key need no Origin', async (t) => {
  const hub = await startHub(t)
  const [acme, { cookie }] = [await hub.organization(), await hub.person()]

  const read = await hub.anonymous.get('/api/v1/api-keys', { headers: { cookie } })
  const foreignRead = await hub.anonymous.get('/api/v1/api-keys', {
    headers: { cookie, origin: 'https://evil.example' },
  })
  const write = await acme.post('/api/v1/api-keys', NEW_KEY, { headers: { origin: 'https://evil.example' } })

  assert.deepEqual([read.status, foreignRead.status, write.status], [200, 200, 201])
})

// A page of another site must not sign a person in to another account.
test('a sign-in or sign-up from another origin is refused', {
  rules: ['session.unsafe-request-needs-origin'],
}, async (t) => {
  const hub = await startHub(t)
  const headers = { origin: 'https://evil.example' }

  const signIn = await hub.anonymous.post('/console/sign-in', { email: 'a@example.com', password: 'x' }, { headers })
  const signUp = await hub.anonymous.post('/console/sign-up', {}, { headers })

  for (const { status, body } of [signIn, signUp]) {
    assert.equal(status, 403)
    assert.equal(body.error.code, 'ORIGIN_NOT_ALLOWED')
  }
})

/** One route for each scope, to test what a credential may do. */
const EVERY_SCOPE: Extension = {
  access: Object.fromEntries(SCOPES.map((scope) => [`GET /api/v1/needs/${scope.replace(':', '.')}`, { scope }])),
  limit: perMinute('test', 1000),
  routes: async (app) => {
    for (const scope of SCOPES) app.get(`/needs/${scope.replace(':', '.')}`, HIDDEN, async () => ({ data: {} }))
  },
}

const REFUSED: Record<Role, (scope: Scope) => boolean> = {
  owner: () => false,
  admin: (scope) => scope === 'billing:write',
  developer: (scope) => scope === 'billing:write' || scope === 'api_keys:write',
  viewer: (scope) => !scope.endsWith(':read'),
}

for (const [role, isRefused] of Object.entries(REFUSED) as [Role, (scope: Scope) => boolean][]) {
  test(`on /api/v1 a session of the role ${role} has that role's scopes`, {
    rules: ['member.admin-lacks-billing-write', 'member.developer-lacks-keys-and-billing', 'member.viewer-only-reads'],
  }, async (t) => {
    const hub = await startHub(t, { extension: EVERY_SCOPE })
    const { organizationId } = await hub.organization()
    const person = await hub.person({ organizationId, role })

    const statuses = await Promise.all(
      SCOPES.map(async (scope) => (await person.get(`/api/v1/needs/${scope.replace(':', '.')}`)).status),
    )

    assert.deepEqual(
      statuses,
      SCOPES.map((scope) => (isRefused(scope) ? 403 : 200)),
    )
  })
}

test('a key can call exactly the routes of its scopes', {
  rules: ['auth.missing-scope-is-403', 'auth.billing-reads-need-billing-read', 'key.list-shows-the-organizations-keys'],
}, async (t) => {
  const hub = await startHub(t, { extension: EVERY_SCOPE })
  const held: Scope[] = ['messages:send', 'billing:write', 'audit:read']
  const acme = await hub.organization(held)

  const statuses = await Promise.all(
    SCOPES.map(async (scope) => (await acme.get(`/api/v1/needs/${scope.replace(':', '.')}`)).status),
  )

  assert.deepEqual(
    statuses,
    SCOPES.map((scope) => (held.includes(scope) ? 200 : 403)),
  )
})

test('a HEAD request has the access rule of its GET', async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization(['audit:read'])

  const [anonymous, lacking, holding] = await Promise.all([
    hub.anonymous.send('HEAD', '/api/v1/audit-log'),
    acme.send('HEAD', '/api/v1/api-keys'),
    acme.send('HEAD', '/api/v1/audit-log'),
  ])

  assert.deepEqual([anonymous.status, lacking.status, holding.status], [401, 403, 200])
})

test('X-Hub-Organization selects another organization of the person for one request', {
  rules: ['session.header-names-another-organization'],
}, async (t) => {
  const hub = await startHub(t)
  const [acme, ana] = [await hub.organization(), await hub.person()]
  const role = 'viewer'
  await hub.sql`insert into memberships (organization_id, user_id, role)
    values (${acme.organizationId}, ${ana.userId}, ${role})`
  const headers = { 'x-hub-organization': acme.organizationId.toUpperCase() }

  const there = await ana.get('/console/session', { headers })
  const refused = await ana.post('/api/v1/api-keys', NEW_KEY, { headers })
  const home = await ana.get('/console/session')

  assert.equal(there.body.data.organization.id, acme.organizationId)
  assert.equal(there.body.data.role, role)
  assert.equal(refused.status, 403)
  assert.equal(home.body.data.organization.id, ana.organizationId)
})

test("X-Hub-Organization with another's or an unknown organization is 404, and a malformed one is 400", {
  rules: ['session.header-names-another-organization'],
}, async (t) => {
  const hub = await startHub(t)
  const [acme, other, ana] = [await hub.organization(), await hub.organization(), await hub.person()]
  const ask = (client: typeof hub.anonymous, id: string) =>
    client.get('/api/v1/api-keys', { headers: { 'x-hub-organization': id } })

  const foreign = await ask(ana, acme.organizationId)
  const unknown = await ask(ana, newId())
  const malformed = await ask(ana, 'acme')
  const keys = await Promise.all([acme.organizationId, other.organizationId, 'acme'].map((id) => ask(acme, id)))

  assert.equal(foreign.status, 404)
  assert.deepEqual({ ...foreign.body.error, request_id: '' }, { ...unknown.body.error, request_id: '' })
  assert.equal(malformed.status, 400)
  assert.deepEqual(
    keys.map(({ status }) => status),
    [200, 404, 400],
  )
})

test('guarded responses have rate limit headers, and an exceeded limit has Retry-After', {
  rules: ['limit.headers-show-the-window'],
}, async (t) => {
  const extension: Extension = {
    access: { 'GET /api/v1/scarce': { scope: 'audit:read' } },
    limit: perMinute('scarce', 2),
    routes: async (app) => void app.get('/scarce', HIDDEN, async () => ({ data: {} })),
  }
  const hub = await startHub(t, { extension })
  const acme = await hub.organization()

  const first = await acme.get('/api/v1/scarce')
  await acme.get('/api/v1/scarce')
  const third = await acme.get('/api/v1/scarce')
  await hub.clock.advance('1 minute')
  const later = await acme.get('/api/v1/scarce')

  assert.equal(first.headers.get('ratelimit-limit'), '2')
  assert.equal(first.headers.get('ratelimit-remaining'), '1')
  assert.equal(third.status, 429)
  assert.equal(third.body.error.code, 'RATE_LIMITED')
  assert.match(third.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  assert.equal(later.status, 200)
})

test('a truncated session cookie is 401', { rules: ['auth.missing-credential-is-401'] }, async (t) => {
  const hub = await startHub(t)
  const cookies = [
    'hub_session=',
    'hub_session=x',
    `hub_session=${newToken('session')}`,
    `hub_session=${newToken('api_key')}`,
  ]

  const answers = await Promise.all(
    cookies.map((cookie) => hub.anonymous.get('/console/session', { headers: { cookie, origin: ORIGIN } })),
  )

  for (const { status } of answers) assert.equal(status, 401)
})

// A browser sends this origin with the form of a page that has no referrer.
test('the form of a billing page may be posted with the origin null', async (t) => {
  const hub = await startHub(t)
  const headers = { origin: 'null', 'content-type': 'application/x-www-form-urlencoded' }

  const posted = await hub.anonymous.send('POST', '/billing/plan/unknown', { headers, raw: '' })
  const refused = await hub.anonymous.post(
    '/console/sign-in',
    { email: 'a@example.com', password: 'x' },
    { headers: { origin: 'null' } },
  )

  assert.notEqual(posted.status, 403)
  assert.equal(refused.status, 403)
})
