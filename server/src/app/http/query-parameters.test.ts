import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startHub, type TestHub } from '../../../test/hub.ts'
import { guardedRoutes } from '../../../test/live-routes.ts'
import { newId } from '../../kernel/ids.ts'

/** Valid bodies: a body is checked before the query. */
const BODIES: Record<string, object> = {
  'POST /api/v1/api-keys': { name: 'ci', scopes: ['audit:read'] },
  'POST /api/v1/channels': { name: 'Padaria' },
  'PATCH /api/v1/channels/:id': { name: 'Padaria' },
  'POST /api/v1/webhooks': { name: 'in', url: 'https://hooks.example.com/in' },
  'POST /console/sign-in': { email: 'ana@example.com', password: 'correct horse battery staple' },
  'POST /console/invitations': { email: 'bob@example.com', role: 'viewer' },
}

type Operation = { requestBody?: { required: boolean } }

/** The routes that a request without a body reaches, and those with a body above. */
function listRoutes(hub: TestHub): string[] {
  const { paths } = hub.app.swagger() as { paths: Record<string, Record<string, Operation>> }
  return guardedRoutes(hub.app).filter((route) => {
    const [method = '', path = ''] = route.split(' ')
    const operation = paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
    return !/^\/(upstream|graph)\//.test(path) && (!operation?.requestBody?.required || route in BODIES)
  })
}

test('an unknown query parameter is 400 on every route of /api/v1 and /console, with its name', {
  rules: ['api.unknown-query-parameters-are-400'],
}, async (t) => {
  const hub = await startHub(t)
  const owner = await hub.person()
  const routes = listRoutes(hub)
  assert.ok(routes.length > 35, `${routes.length} routes were walked`)

  for (const route of routes) {
    const [method = '', path = ''] = route.split(' ')
    const ownPath = path.replace('/organizations/:id', `/organizations/${owner.organizationId}`)
    const url = `${ownPath
      .replace(/:code/, 'A1')
      .replace(/:mediaId/, '1')
      .replace(/:\w+/g, () => newId())}?surprise=1`
    const headers = { 'idempotency-key': newId() }
    const answer = await owner.send(method, url, { headers, ...(BODIES[route] && { body: BODIES[route] }) })

    assert.equal(answer.status, 400, `${route} answered ${answer.text}`)
    assert.partialDeepStrictEqual(
      answer.body.error.details.issues,
      [{ path: '/surprise', message: 'is not a known property' }],
      route,
    )
  }
})

test('callbacks, pages, billing returns and probes take unknown query parameters', {
  rules: ['api.callbacks-take-any-query'],
}, async (t) => {
  const hub = await startHub(t)

  for (const path of ['/health', '/ready', '/openapi.json', '/docs', '/connect', '/connect/x', '/billing/return']) {
    const plain = await hub.anonymous.get(path)
    const answer = await hub.anonymous.get(`${path}?surprise=1`)

    assert.equal(answer.status, plain.status, path)
    assert.notEqual(answer.status, 400, path)
  }
  assert.equal((await hub.anonymous.post('/hooks/upstream?surprise=1', {})).status, 401)
})
