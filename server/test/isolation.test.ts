import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACCESS_RULES } from '../src/app/http/access-rules.ts'
import { isUuid, newId } from '../src/kernel/ids.ts'
import { perMinute } from '../src/kernel/rate-limit/limit.ts'
import type { Answer, Client } from './client.ts'
import { startHub, type TestHub } from './hub.ts'
import { guardedRoutes } from './live-routes.ts'

type Owner = Awaited<ReturnType<TestHub['person']>>

const RECEIVER = { name: 'CRM', url: 'https://93.184.216.34/in' }

async function createWebhook(a: Owner): Promise<string> {
  return (await a.post('/api/v1/webhooks', RECEIVER)).body.data.webhook.id
}

async function createDelivery(a: Owner): Promise<string> {
  return (await a.post(`/api/v1/webhooks/${await createWebhook(a)}/test`)).body.data.delivery_id
}

/** Creates an object of organization A, by the path segment before the parameter. */
const CREATE: Record<string, (a: Owner, hub: TestHub) => Promise<string>> = {
  'api-keys': async (a) =>
    (await a.post('/api/v1/api-keys', { name: 'ci', scopes: ['audit:read'] })).body.data.api_key.id,
  channels: async (a) => (await a.post('/api/v1/channels', { name: 'Padaria' })).body.data.channel.id,
  messages: async (a, { sql }) => {
    const [channelId, id] = [newId(), newId()]
    await sql`
      insert into messages (organization_id, channel_id, id, direction, type, status, content)
      values (${a.organizationId}, ${channelId}, ${id}, 'inbound', 'text', 'received', '{"body":"x"}')`
    return id
  },
  contacts: async () => 'BR.1349',
  media: async () => '1234567890',
  groups: async () => 'Y2FwaV9ncm91cDox',
  'qr-codes': async () => '4TQWNX2GUYAKM1',
  templates: async () => '123456789012345',
  listeners: async (a) => (await a.post('/api/v1/listeners', {})).body.data.listener.id,
  organizations: async (a) => a.organizationId,
  erasures: async (a) => {
    const { body } = await a.post(`/console/organizations/${a.organizationId}/erasures`, { phone: '5511955500199' })
    return body.data.erasure.id
  },
  invitations: async (a) =>
    (await a.post('/console/invitations', { email: `${newId()}@example.com`, role: 'viewer' })).body.data.invitation.id,
  members: async (a, hub) => (await hub.person({ organizationId: a.organizationId, role: 'viewer' })).userId,
  sessions: async (a) => (await a.get('/console/sessions')).body.data.sessions[0].id,
  webhooks: createWebhook,
  deliveries: createDelivery,
  replay: createDelivery,
}

/** Valid bodies: an invalid one would be refused before the id is looked up. */
const BODY: Record<string, unknown> = {
  'PATCH /api/v1/channels/:id': { name: 'new' },
  'POST /api/v1/channels/:id/connection': { access_token: 'EAA', waba_id: '1', phone_number_id: '2' },
  'POST /api/v1/channels/:id/messages': { to: '5511900000000', type: 'text', text: { body: 'x' } },
  'POST /api/v1/channels/:id/messages/:message_id/read': {},
  'POST /api/v1/channels/:id/contacts/:user_id/messages': { type: 'text', text: { body: 'x' } },
  'POST /api/v1/channels/:id/groups/:group_id/messages': { type: 'text', text: { body: 'x' } },
  'POST /api/v1/channels/:id/marketing-messages': {
    to: '5511900000000',
    type: 'template',
    template: { name: 'a', language: { code: 'pt_BR' } },
  },
  'POST /api/v1/channels/:id/blocked': { people: ['5511900000000'] },
  'DELETE /api/v1/channels/:id/blocked': { people: ['5511900000000'] },
  'POST /api/v1/channels/:id/qr-codes': { prefilled_message: 'x' },
  'PATCH /api/v1/channels/:id/qr-codes/:code': { prefilled_message: 'x' },
  'PUT /api/v1/channels/:id/username': { username: 'padaria' },
  'POST /api/v1/channels/:id/templates': { name: 'a', language: 'pt_BR', category: 'UTILITY', components: [] },
  'PATCH /console/channels/:id/templates/:name': { hsm_id: '1', components: [] },
  'PATCH /api/v1/webhooks/:id': { name: 'new' },
  'POST /api/v1/webhooks/:id/recover': { since: '2026-01-01T00:00:00Z' },
  'POST /api/v1/listeners/:id/acknowledge': { delivery_ids: [newId()] },
  'PATCH /console/members/:id': { role: 'viewer' },
  'PATCH /console/organizations/:id/settings': { name: 'new' },
  'POST /console/organizations/:id/deletion': { name: 'new' },
  'POST /console/sandbox/channels/:id/messages': {
    customer: { phone: '5511955500199' },
    message: { type: 'text', text: { body: 'oi' } },
  },
  'POST /console/organizations/:id/erasures/preview': { phone: '5511955500199' },
  'POST /console/organizations/:id/erasures': { phone: '5511955500199' },
  'POST /console/sandbox/channels/:id/read': { customer: { phone: '5511955500199' } },
  'PUT /console/sandbox/channels/:id/faults': {
    phone_offline: true,
    callback_delay_ms: 0,
    duplicate: false,
    reorder: false,
    fail_with: null,
  },
  'POST /console/sandbox/channels/:id/quality': { rating: 'RED' },
  'POST /console/sandbox/channels/:id/templates/:template/review': { result: 'APPROVED' },
}

/** The headers that a route requires. */
const LISTENER = { 'x-hub-listener-secret': 'whsec_another' }
const KEY = { 'idempotency-key': 'a-key-of-another-organization' }
const HEADERS: Record<string, Record<string, string>> = {
  'GET /api/v1/listeners/:id/stream': LISTENER,
  'POST /api/v1/listeners/:id/acknowledge': LISTENER,
  'DELETE /api/v1/listeners/:id': LISTENER,
  'POST /api/v1/channels/:id/messages': KEY,
  'POST /api/v1/channels/:id/contacts/:user_id/messages': KEY,
  'POST /api/v1/channels/:id/groups/:group_id/messages': KEY,
  'POST /api/v1/channels/:id/marketing-messages': KEY,
}

/** The token of such a link is the credential, so any client with the link may use it. */
const LINKS = [
  'GET /api/v1/connect/:token',
  'GET /api/v1/connect/:token/logo',
  'POST /api/v1/connect/:token',
  'GET /console/password-reset/:token',
  'GET /console/email-verification/:token',
  'GET /console/sign-up/:token',
  'POST /console/password-reset/:token',
  'POST /console/email-verification/:token',
  'POST /console/sign-up/:token',
  'GET /console/join/:token',
  'POST /console/join/:token',
]

/** Makes the routes of the sandbox exist. None of them may reach it with a foreign id. */
async function refuseControl(): Promise<never> {
  throw new Error('The simulator was called')
}

function listParameters(route: string): { collection: string; name: string }[] {
  return [...route.matchAll(/\/([^/]+)\/:(\w+)/g)].map(([, collection = '', name = '']) => ({ collection, name }))
}

function requireMaker(collection: string, route: string) {
  const make = CREATE[collection]
  if (!make) throw new Error(`${route} takes an id of ${collection}, but the isolation test cannot create one`)
  return make
}

async function createForeignIds(hub: TestHub, a: Owner, route: string): Promise<string[]> {
  return Promise.all(listParameters(route).map(({ collection }) => requireMaker(collection, route)(a, hub)))
}

function send(client: Client, route: string, ids: string[]): Promise<Answer> {
  const [method = '', pattern = ''] = route.split(' ')
  const path = ids.reduce((rest, id) => rest.replace(/:\w+/, id), pattern)
  return client.send(method, path, { body: BODY[route], headers: HEADERS[route] ?? {} })
}

/** A response without what differs by request: its id, its date and a renewed cookie. */
function revealed({ status, text, body, headers }: Answer) {
  const names = [...headers.keys()].filter((name) => name !== 'date' && name !== 'set-cookie')
  return { status, text: text.replace(body.error.request_id, ''), names }
}

/** Lists that organization A can read. */
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
  return Promise.all(
    lists.map(async (path) => {
      const { status, text } = await a.get(path)
      assert.equal(status, 200, `${path} answered ${text}`)
      // These requests themselves change when a session was last seen.
      return text.replace(/"(?:last_seen_at|expires_at)":"[^"]*"/g, '')
    }),
  )
}

test('an id of another organization is 404 like an unknown id, on every route that takes an id', {
  rules: ['error.absent-and-foreign-are-404', 'error.message-reveals-nothing', 'organization.is-the-tenant'],
}, async (t) => {
  const hub = await startHub(t, { env: { BILLING: 'off' }, installation: { simulator: refuseControl } })
  const a = await hub.person()
  const [b, key] = [await hub.person(), await hub.organization()]
  const routes = guardedRoutes(hub.app).filter((route) => route.includes(':') && !LINKS.includes(route))
  assert.ok(routes.length >= 5)

  for (const route of routes) {
    // The walk makes more requests than a minute allows.
    await hub.clock.advance('1 minute')
    const ids = await createForeignIds(hub, a, route)
    const before = await view(a)
    const clients = route.includes(' /console/') ? [b] : [b, key]
    for (const client of clients) {
      const foreign = await send(client, route, ids)
      const absent = await send(
        client,
        route,
        ids.map((id) => (isUuid(id) ? newId() : id)),
      )

      assert.equal(foreign.status, 404, `${route} answered ${foreign.text}`)
      assert.equal(foreign.body.error.code, 'NOT_FOUND', route)
      assert.deepEqual(revealed(foreign), revealed(absent), route)
    }
    assert.deepEqual(await view(a), before, route)
  }
})

test('the links that the isolation test leaves out are exactly the public routes with a parameter', async (t) => {
  const hub = await startHub(t)

  const publicRoutes = guardedRoutes(hub.app).filter((route) => {
    const access = ACCESS_RULES[route]
    return access !== undefined && 'public' in access && route.includes(':')
  })

  assert.deepEqual(publicRoutes.toSorted(), LINKS.toSorted())
})

test('a new route with an unknown kind of id fails the isolation test', async (t) => {
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
  await assert.rejects(createForeignIds(hub, a, route), /takes an id of widgets/)
})
