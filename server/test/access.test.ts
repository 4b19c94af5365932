import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACCESS_RULES } from '../src/app/http/access-rules.ts'
import {
  CHANNEL_TOKEN_SCOPES,
  isAtLeast,
  ROLE_SCOPES,
  ROLES,
  type Role,
  SCOPES,
  type Scope,
} from '../src/domains/auth/scopes.ts'
import { newToken } from '../src/kernel/crypto/tokens.ts'
import { newId } from '../src/kernel/ids.ts'
import type { Answer, Client } from './client.ts'
import { assertErrorEnvelope, assertGraphError } from './error-envelope.ts'
import { bearer, startHub, type TestHub } from './hub.ts'
import { guardedRoutes } from './live-routes.ts'

/** Without quotas, whose refusals would look like missing access. */
const ENV = { BILLING: 'off' }

type Own = { channelId?: string; organizationId?: string }

/** Sends a request with unknown ids besides these: authorization comes before the lookup. */
async function send(client: Client, route: string, own: Own = {}): Promise<Answer> {
  const [method = '', pattern = ''] = route.split(' ')
  const path = pattern
    .replace('channels/:id', `channels/${own.channelId ?? newId()}`)
    .replace('organizations/:id', `organizations/${own.organizationId ?? newId()}`)
    .replace(/:\w+/g, () => newId())
  const answer = await client.send(method, path.replace('*', 'nothing'))
  if (answer.status >= 400) (isGraph(route) ? assertGraphError : assertErrorEnvelope)(answer)
  return answer
}

function isGraph(route: string): boolean {
  return route.includes(' /graph/')
}

function isAuthorized({ status, body }: Answer): boolean {
  return status !== 401 && body?.error?.code !== 'INSUFFICIENT_SCOPE'
}

/** The live routes whose access rule has the given member, such as `scope`, with that rule. */
function routesWith<Member extends string>(hub: TestHub, member: Member) {
  const rules = guardedRoutes(hub.app).map((route) => ({ route, access: ACCESS_RULES[route] }))
  const found = rules.filter(({ access }) => access && member in access)
  assert.ok(found.length > 2, `${found.length} routes have ${member}`)
  return found as { route: string; access: Extract<(typeof ACCESS_RULES)[string], Record<Member, unknown>> }[]
}

function listScopes({ scope, alsoScope }: { scope: Scope; alsoScope?: Scope }): Scope[] {
  return alsoScope ? [scope, alsoScope] : [scope]
}

/** A key for one route only, so that no key reaches its limit of 120 requests a minute. */
async function keyWith(hub: TestHub, organizationId: string, scopes: readonly (typeof SCOPES)[number][]) {
  const { context, sql, anonymous } = hub
  const { token } = await sql.begin((tx) =>
    context.auth.issue(tx, { organizationId, kind: 'api_key', name: 'walk', scopes, channelId: null, expiresAt: null }),
  )
  return anonymous.with(bearer(token))
}

test('every route that is not public refuses a missing and an invalid credential', {
  rules: ['auth.missing-credential-is-401', 'api.failure-is-one-error-member', 'api.request-id-is-in-every-response'],
}, async (t) => {
  const hub = await startHub(t, { env: ENV })
  const routes = guardedRoutes(hub.app).filter((route) => !('public' in (ACCESS_RULES[route] ?? {})))
  const kinds = ['api_key', 'channel_token'] as const
  const clients = [hub.anonymous, ...kinds.map((kind) => hub.anonymous.with(bearer(newToken(kind))))]
  assert.ok(routes.length > 30, `${routes.length} routes were walked`)

  for (const route of routes) {
    for (const client of clients) {
      const answer = await send(client, route)

      assert.equal(answer.status, 401, `${route} answered ${answer.text}`)
      assert.equal(answer.body.error.code, isGraph(route) ? 190 : 'UNAUTHORIZED', route)
    }
  }
})

test('every route with a scope accepts a key with only what its rule names, and refuses a key with all others', {
  rules: [
    'auth.reading-needs-read-writing-needs-write',
    'auth.endpoint-actions-count-as-writing',
    'auth.some-routes-need-a-scope-of-their-own',
  ],
}, async (t) => {
  const hub = await startHub(t, { env: ENV })
  const { organizationId } = await hub.organization()

  for (const { route, access } of routesWith(hub, 'scope')) {
    const needed = listScopes(access)
    const allowed = await send(await keyWith(hub, organizationId, needed), route)
    assert.ok(isAuthorized(allowed), `${route} answered ${allowed.text}`)

    for (const scope of needed) {
      const others = SCOPES.filter((other) => other !== scope)
      const refused = await send(await keyWith(hub, organizationId, others), route)

      assert.equal(refused.status, 403, `${route} answered ${refused.text}`)
      assert.equal(refused.body.error.code, 'INSUFFICIENT_SCOPE', route)
      assert.partialDeepStrictEqual(refused.body.error.details, { scope }, route)
    }
  }
})

test('every route accepts exactly the sessions whose role has its scope or rank', {
  rules: ['auth.api-accepts-keys-and-sessions'],
}, async (t) => {
  const hub = await startHub(t, { env: ENV })
  const { organizationId } = await hub.organization()
  const mayEnter = (role: Role, access: { scope: Scope } | { session: Role }) =>
    'scope' in access
      ? listScopes(access).every((scope) => ROLE_SCOPES[role].includes(scope))
      : isAtLeast(role, access.session)

  for (const role of ROLES) {
    for (const { route, access } of [...routesWith(hub, 'scope'), ...routesWith(hub, 'session')]) {
      // A new session for each route: some routes end it, and the limit is per person.
      const person = await hub.person({ organizationId, role })
      // Every member is a viewer, and a stream of the own organization does not end.
      const isForAll = 'session' in access && access.session === 'viewer'
      const answer = await send(person, route, isForAll ? {} : { organizationId })

      assert.equal(isAuthorized(answer), mayEnter(role, access), `${route} as ${role} answered ${answer.text}`)
    }
  }
})

test('a route accepts channel tokens only if its rule names them, on their own channel and with its scope', {
  rules: ['token.reaches-messages-media-and-templates', 'token.needs-the-scope-of-the-route'],
}, async (t) => {
  const hub = await startHub(t, { env: ENV })
  const acme = await hub.organization()
  const { id: channelId } = (await acme.post('/api/v1/channels', { name: 'Padaria' })).body.data.channel
  const tokenWith = (scopes: typeof CHANNEL_TOKEN_SCOPES) => hub.channelToken(acme.organizationId, channelId, scopes)

  for (const { route, access } of routesWith(hub, 'scope')) {
    const { scope, channelToken = false } = access
    const own = await send(await tokenWith(CHANNEL_TOKEN_SCOPES), route, { channelId })
    assert.equal(isAuthorized(own), channelToken, `${route} answered ${own.text}`)
    if (!channelToken) continue

    const foreign = await send(await tokenWith(CHANNEL_TOKEN_SCOPES), route)
    assert.equal(foreign.status, 404, `${route} answered ${foreign.text}`)

    const lesser = CHANNEL_TOKEN_SCOPES.filter((other) => other !== scope)
    const refused = await send(await tokenWith(lesser), route, { channelId })
    assert.equal(refused.body.error.code, 'INSUFFICIENT_SCOPE', `${route} answered ${refused.text}`)
  }
})
