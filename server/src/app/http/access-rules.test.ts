import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeResolvedPaths } from '../../../test/api-document.ts'
import { CHANNEL_TOKEN_SCOPES, NEW_TOKEN_SCOPES, SCOPES } from '../../domains/auth/scopes.ts'
import { ACCESS_RULES } from './access-rules.ts'

type Operation = { 'x-scope'?: string; 'x-also-scope'?: string; responses: Record<string, Response> }
type Response = { content?: { 'application/json'?: { schema: { properties?: object } } } }

async function operations(): Promise<[string, Operation][]> {
  return Object.entries(await describeResolvedPaths<Operation>()).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`,
      operation,
    ]),
  )
}

test('there are seventeen scopes, nine of them for channel tokens, and eight for the token of a new channel', {
  rules: ['facade.needs-the-scope-of-each-route', 'key.scopes-are-seventeen', 'token.has-scopes-out-of-nine'],
}, () => {
  assert.deepEqual([...SCOPES].sort(), [
    'api_keys:read',
    'api_keys:write',
    'audit:read',
    'billing:read',
    'billing:write',
    'calls:write',
    'channels:read',
    'channels:write',
    'media:write',
    'messages:read',
    'messages:send',
    'number:write',
    'profile:write',
    'templates:read',
    'templates:write',
    'webhooks:read',
    'webhooks:write',
  ])
  assert.deepEqual([...NEW_TOKEN_SCOPES].sort(), [
    'calls:write',
    'channels:read',
    'media:write',
    'messages:read',
    'messages:send',
    'profile:write',
    'templates:read',
    'templates:write',
  ])
  assert.deepEqual(CHANNEL_TOKEN_SCOPES, [...NEW_TOKEN_SCOPES, 'number:write'])
})

test('every route under /api/v1 except connect links needs a read scope for GET and a write scope otherwise', {
  rules: ['auth.api-accepts-keys-and-sessions', 'auth.reading-needs-read-writing-needs-write'],
}, () => {
  // A preview has a body and changes nothing.
  const isReading = (route: string) => route.startsWith('GET ') || route.endsWith('/preview')
  for (const [route, access] of Object.entries(ACCESS_RULES)) {
    if (!route.includes(' /api/v1/') || route.includes('/connect/')) continue
    assert.ok('scope' in access, route)
    assert.equal(access.scope.endsWith(':read'), isReading(route), route)
  }
})

test('subscription, usage and preview need billing:read, the other billing routes billing:write', {
  rules: ['auth.billing-reads-need-billing-read'],
}, () => {
  const billing = Object.entries(ACCESS_RULES).filter(([route]) => /\/api\/v1\/(subscription|usage)\b/.test(route))

  assert.deepEqual(Object.fromEntries(billing), {
    'GET /api/v1/subscription': { scope: 'billing:read' },
    'GET /api/v1/usage': { scope: 'billing:read' },
    'GET /api/v1/usage/costs': { scope: 'billing:read' },
    'POST /api/v1/subscription/addons': { scope: 'billing:write', writesOutside: true },
    'POST /api/v1/subscription/addons/preview': { scope: 'billing:read' },
    'POST /api/v1/subscription/checkout': { scope: 'billing:write', writesOutside: true },
    'POST /api/v1/subscription/portal': { scope: 'billing:write', writesOutside: true },
  })
})

test('the OpenAPI document has the scopes of each access rule', {
  rules: ['auth.scope-per-route-is-one-table'],
}, async () => {
  const described = new Map(await operations())

  for (const [route, access] of Object.entries(ACCESS_RULES)) {
    const { scope, alsoScope } = 'scope' in access ? access : {}
    assert.equal(described.get(route)?.['x-scope'], scope, route)
    assert.equal(described.get(route)?.['x-also-scope'], alsoScope, route)
  }
})

/** They return a file in place of JSON. */
const FILES = [
  'GET /api/v1/channels/:id/media/:mediaId',
  'GET /api/v1/connect/:token/logo',
  'GET /console/messages/export',
  'GET /console/messages/:id/media',
  'GET /console/organizations/:id/export',
  'GET /console/organizations/:id/logo',
]

test('every successful response of the hub is an object with the single member data', {
  rules: ['api.success-is-one-data-member'],
}, async () => {
  for (const [route, { responses }] of await operations()) {
    // The facade returns responses of the upstream, and a stream has lines or events of JSON.
    if (/\/(upstream|graph)\//.test(route) || route.endsWith('/stream') || route.endsWith('/events')) continue
    if (FILES.includes(route)) continue
    const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'))
    assert.ok(successes.length > 0, route)
    for (const [, { content }] of successes) {
      assert.deepEqual(Object.keys(content?.['application/json']?.schema.properties ?? {}), ['data'], route)
    }
  }
})
