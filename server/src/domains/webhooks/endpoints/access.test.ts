import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer, Client } from '../../../../test/client.ts'
import { createChannel } from '../../../../test/hub-with-upstream.ts'
import { newId } from '../../../kernel/ids.ts'
import { CHANNEL_TOKEN_SCOPES, type Role, type Scope } from '../../auth/scopes.ts'
import { createWebhook, getWebhook, rowOf, startWithDns, URL } from './test/webhooks.ts'

type Route = { method: string; path: string; scope: Scope; body?: unknown; success: number }

const ROUTES: Route[] = [
  { method: 'GET', path: '/api/v1/webhooks', scope: 'webhooks:read', success: 200 },
  {
    method: 'POST',
    path: '/api/v1/webhooks',
    scope: 'webhooks:write',
    body: { name: 'other', url: URL },
    success: 201,
  },
  { method: 'GET', path: '/api/v1/webhooks/:id', scope: 'webhooks:read', success: 200 },
  { method: 'PATCH', path: '/api/v1/webhooks/:id', scope: 'webhooks:write', body: { name: 'new' }, success: 200 },
  { method: 'POST', path: '/api/v1/webhooks/:id/rotate-secret', scope: 'webhooks:write', success: 200 },
  { method: 'DELETE', path: '/api/v1/webhooks/:id', scope: 'webhooks:write', success: 200 },
]

function send(client: Client, { method, path, body }: Route, id: string): Promise<Answer> {
  return client.send(method, path.replace(':id', id), { body })
}

for (const route of ROUTES) {
  const { method, path, scope, success } = route

  test(`${method} ${path} needs a credential, and of a key the scope ${scope} alone`, {
    rules: ['AUTH-06', 'AUTH-08', 'AUTH-09'],
  }, async (t) => {
    const hub = await startWithDns(t)
    const acme = await hub.organization()
    const webhook = await createWebhook(acme)
    const other: Scope = scope === 'webhooks:read' ? 'webhooks:write' : 'webhooks:read'
    const keyOf = async (name: Scope) => {
      const { secret } = (await acme.post('/api/v1/api-keys', { name, scopes: [name] })).body.data
      return hub.anonymous.with({ authorization: `Bearer ${secret}` })
    }
    const [unscoped, scoped] = [await keyOf(other), await keyOf(scope)]

    const anonymous = await send(hub.anonymous, route, webhook.id)
    const refused = await send(unscoped, route, webhook.id)
    const unchanged = (await acme.get('/api/v1/webhooks')).body.data.webhooks
    const { version } = await rowOf(hub, webhook.id)
    const taken = await send(scoped, route, webhook.id)

    assert.deepEqual([anonymous.status, anonymous.body.error.code], [401, 'UNAUTHORIZED'])
    assert.deepEqual([refused.status, refused.body.error.code], [403, 'INSUFFICIENT_SCOPE'])
    assert.deepEqual(refused.body.error.details, { scope })
    assert.deepEqual([unchanged, version], [[webhook], 1])
    assert.equal(taken.status, success)
  })

  test(`${method} ${path} takes the session of ${scope === 'webhooks:read' ? 'a viewer' : 'a developer, and not of a viewer'}`, {
    rules: ['AUTH-07', 'D5-13'],
  }, async (t) => {
    const hub = await startWithDns(t)
    const acme = await hub.organization()
    const { id } = await createWebhook(acme)
    const as = async (role: Role) =>
      (await send(await hub.person({ organizationId: acme.organizationId, role }), route, id)).status

    assert.equal(await as('viewer'), scope === 'webhooks:read' ? 200 : 403)
    assert.equal(await as('developer'), success)
  })

  test(`${method} ${path} refuses channel tokens`, async (t) => {
    const hub = await startWithDns(t)
    const acme = await hub.organization()
    const { id: channelId } = await createChannel(acme)
    const webhook = await createWebhook(acme, { all_channels: false, channel_ids: [channelId] })
    const token = await hub.channelToken(acme.organizationId, channelId, CHANNEL_TOKEN_SCOPES)

    const refused = await send(token, route, webhook.id)

    assert.deepEqual([refused.status, refused.body.error.code], [403, 'INSUFFICIENT_SCOPE'])
    assert.deepEqual(await getWebhook(acme, webhook.id), webhook)
  })
}

// 404, not 403: another organization must not learn which ids exist.
for (const route of ROUTES.filter(({ path }) => path.includes(':id'))) {
  test(`${route.method} ${route.path} of another organization's endpoint is 404 like an unknown one`, {
    rules: ['WHE-11'],
  }, async (t) => {
    const hub = await startWithDns(t)
    const [acme, other] = [await hub.organization(), await hub.organization()]
    const webhook = await createWebhook(acme)
    await createWebhook(other)

    const foreign = await send(other, route, webhook.id)
    const absent = await send(other, route, newId())

    assert.deepEqual([foreign.status, foreign.body.error.code], [404, 'NOT_FOUND'])
    assert.equal(absent.status, 404)
    assert.equal(foreign.body.error.message, absent.body.error.message)
    assert.deepEqual(await getWebhook(acme, webhook.id), webhook)
    assert.equal((await rowOf(hub, webhook.id)).version, 1)
  })
}

test('all routes of endpoints share 120 requests a minute, of which the rest of the API takes none', {
  rules: ['LIM-01'],
}, async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()
  const ana = await hub.person({ organizationId: acme.organizationId, role: 'owner' })
  const { id } = await createWebhook(ana)
  await createChannel(acme)
  const shared = ROUTES.filter(({ method }) => method !== 'DELETE')
  const remaining: number[] = []
  for (let sent = 0; sent < 120; sent++) {
    const route = shared[sent % shared.length]
    if (!route) throw new Error('There is no route')
    remaining.push(Number((await send(acme, route, id)).headers.get('ratelimit-remaining')))
  }
  const { version } = await rowOf(hub, id)

  const refused = await Promise.all(ROUTES.map((route) => send(acme, route, id)))
  const [general, session] = [await acme.get('/api/v1/channels'), await ana.get('/api/v1/webhooks')]
  await hub.clock.advance('1 minute')
  const reopened = await acme.get('/api/v1/webhooks')

  assert.deepEqual(
    remaining,
    Array.from({ length: 120 }, (_, index) => 119 - index),
  )
  for (const { status, body, headers } of refused) {
    assert.deepEqual([status, body.error.code], [429, 'RATE_LIMITED'])
    assert.equal(headers.get('ratelimit-limit'), '120')
    assert.ok(Number(headers.get('retry-after')) >= 1)
  }
  assert.equal((await rowOf(hub, id)).version, version)
  assert.deepEqual([general.status, session.status, reopened.status], [200, 200, 200])
  assert.equal(general.headers.get('ratelimit-limit'), '600')
  assert.equal(general.headers.get('ratelimit-remaining'), '598')
})
