import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACCESS_RULES } from '../src/app/http/access-rules.ts'
import { newId } from '../src/kernel/ids.ts'
import { perMinute } from '../src/kernel/rate-limit/limit.ts'
import type { Answer, Client } from './client.ts'
import { startHub, type TestHub } from './hub.ts'
import { guardedRoutes } from './live-routes.ts'

type Owner = Awaited<ReturnType<TestHub['person']>>

const RECEIVER = { name: 'CRM', url: 'https://93.184.216.34/in' }

async function makeWebhook(a: Owner): Promise<string> {
  return (await a.post('/api/v1/webhooks', RECEIVER)).body.data.webhook.id
}

async function makeDelivery(a: Owner): Promise<string> {
  return (await a.post(`/api/v1/webhooks/${await makeWebhook(a)}/test`)).body.data.delivery_id
}

/** For each collection, how organization A comes to a thing in it. The word is what stands before the parameter. */
const MAKE: Record<string, (a: Owner, hub: TestHub) => Promise<string>> = {
  'api-keys': async (a) =>
    (await a.post('/api/v1/api-keys', { name: 'ci', scopes: ['audit:read'] })).body.data.api_key.id,
  channels: async (a) => (await a.post('/api/v1/channels', { name: 'Padaria' })).body.data.channel.id,
  invitations: async (a) =>
    (await a.post('/console/invitations', { email: `${newId()}@example.com`, role: 'viewer' })).body.data.invitation.id,
  members: async (a, hub) => (await hub.person({ organizationId: a.organizationId, role: 'viewer' })).userId,
  sessions: async (a) => (await a.get('/console/sessions')).body.data.sessions[0].id,
  webhooks: makeWebhook,
  deliveries: makeDelivery,
  replay: makeDelivery,
}

/** A body that would be right, for the routes that take one: a wrong one would be refused before the id is looked at. */
const BODY: Record<string, unknown> = {
  'PATCH /api/v1/channels/:id': { name: 'new' },
  'POST /api/v1/channels/:id/connection': { access_token: 'EAA', waba_id: '1', phone_number_id: '2' },
  'POST /api/v1/channels/:id/messages': { to: '5511900000000', type: 'text', text: { body: 'x' } },
  'POST /api/v1/channels/:id/templates': { name: 'a', language: 'pt_BR', category: 'UTILITY', components: [] },
  'PATCH /api/v1/webhooks/:id': { name: 'new' },
  'POST /api/v1/webhooks/:id/recover': { since: '2026-01-01T00:00:00Z' },
  'PATCH /console/members/:id': { role: 'viewer' },
}

/** The headers that a route requires. */
const HEADERS: Record<string, Record<string, string>> = {
  'POST /api/v1/channels/:id/messages': { 'idempotency-key': 'a-key-of-the-stranger' },
}

/** Whoever holds such a link may use it: the link is the credential, and it names no organization's id. */
const LINKS = [
  'GET /api/v1/connect/:token',
  'POST /api/v1/connect/:token',
  'GET /console/join/:token',
  'POST /console/join/:token',
]

function parametersOf(route: string): { collection: string; name: string }[] {
  return [...route.matchAll(/\/([^/]+)\/:(\w+)/g)].map(([, collection = '', name = '']) => ({ collection, name }))
}

function makerOf(collection: string, route: string) {
  const make = MAKE[collection]
  if (!make) throw new Error(`${route} takes an id of ${collection}, and the isolation test has none to send`)
  return make
}

async function foreignIds(hub: TestHub, a: Owner, route: string): Promise<string[]> {
  return Promise.all(parametersOf(route).map(({ collection }) => makerOf(collection, route)(a, hub)))
}

function send(client: Client, route: string, ids: string[]): Promise<Answer> {
  const [method = '', pattern = ''] = route.split(' ')
  const path = ids.reduce((rest, id) => rest.replace(/:\w+/, id), pattern)
  return client.send(method, path, { body: BODY[route], headers: HEADERS[route] ?? {} })
}

/** What an answer reveals, without what differs by request: its id, its date, and a cookie that is due for renewal. */
function revealed({ status, text, body, headers }: Answer) {
  const names = [...headers.keys()].filter((name) => name !== 'date' && name !== 'set-cookie')
  return { status, text: text.replace(body.error.request_id, ''), names }
}

/** Organization A as it sees itself. */
async function view(a: Owner): Promise<unknown> {
  const lists = [
    '/api/v1/api-keys',
    '/api/v1/channels',
    '/api/v1/webhooks',
    '/console/invitations',
    '/console/members',
    '/console/sessions',
    '/console/session',
  ]
  return Promise.all(lists.map(async (path) => (await a.get(path)).body))
}

test('an id of another organization is as absent as one that was never made, on every route that takes an id', {
  rules: ['AUTH-16', 'CHE-08', 'D4-14', 'D4-25', 'ERR-19', 'ERR-20', 'GEN-01'],
}, async (t) => {
  const hub = await startHub(t, { env: { BILLING: 'off' } })
  const a = await hub.person()
  const [b, key] = [await hub.person(), await hub.organization()]
  const routes = guardedRoutes(hub.app).filter((route) => route.includes(':') && !LINKS.includes(route))
  assert.ok(routes.length >= 5)

  for (const route of routes) {
    const ids = await foreignIds(hub, a, route)
    const before = await view(a)
    const strangers = route.includes(' /console/') ? [b] : [b, key]
    for (const stranger of strangers) {
      const foreign = await send(stranger, route, ids)
      const absent = await send(
        stranger,
        route,
        ids.map(() => newId()),
      )

      assert.equal(foreign.status, 404, `${route} answered ${foreign.text}`)
      assert.equal(foreign.body.error.code, 'NOT_FOUND', route)
      assert.deepEqual(revealed(foreign), revealed(absent), route)
    }
    assert.deepEqual(await view(a), before, route)
  }
})

test('the links that the walk leaves out are public routes, and exist', async (t) => {
  const hub = await startHub(t)

  const publicRoutes = guardedRoutes(hub.app).filter((route) => {
    const access = ACCESS_RULES[route]
    return access !== undefined && 'public' in access && route.includes(':')
  })

  assert.deepEqual(publicRoutes.toSorted(), LINKS.toSorted())
})

test('a new route whose kind of id the walk does not know is noticed', async (t) => {
  const access = { 'GET /api/v1/widgets/:id': { scope: 'audit:read' as const } }
  const hub = await startHub(t, {
    extension: {
      access,
      limit: perMinute('test', 100),
      routes: async (app) => void app.get('/widgets/:id', { schema: { hide: true } }, async () => ({ data: {} })),
    },
  })
  const a = await hub.person()
  const [route = ''] = guardedRoutes(hub.app).filter((live) => live.includes('widgets'))

  assert.equal(route, 'GET /api/v1/widgets/:id')
  await assert.rejects(foreignIds(hub, a, route), /takes an id of widgets/)
})
