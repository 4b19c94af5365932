import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer, Client } from '../../../../test/client.ts'
import { createChannel } from '../../../../test/hub-with-upstream.ts'
import { createWebhook, readRow, startWithDns, URL } from './test/webhooks.ts'

type Route = { method: string; path: string; body?: unknown }

const ROUTES: Route[] = [
  { method: 'GET', path: '/api/v1/webhooks' },
  { method: 'POST', path: '/api/v1/webhooks', body: { name: 'other', url: URL } },
  { method: 'GET', path: '/api/v1/webhooks/:id' },
  { method: 'PATCH', path: '/api/v1/webhooks/:id', body: { name: 'new' } },
  { method: 'POST', path: '/api/v1/webhooks/:id/rotate-secret' },
  { method: 'DELETE', path: '/api/v1/webhooks/:id' },
]

function send(client: Client, { method, path, body }: Route, id: string): Promise<Answer> {
  return client.send(method, path.replace(':id', id), { body })
}

test('a session has a count for each organization that it acts for', {
  rules: ['limit.120-webhook-operations-a-minute'],
}, async (t) => {
  const hub = await startWithDns(t)
  const [ana, acme] = [await hub.person(), await hub.organization()]
  await hub.sql`
    insert into memberships (organization_id, user_id, role) values (${acme.organizationId}, ${ana.userId}, 'owner')`
  const elsewhere = { headers: { 'x-hub-organization': acme.organizationId } }
  await ana.get('/api/v1/webhooks')
  await hub.sql`update rate_limits set used = 120 where bucket = 'webhooks'`

  const refused = await ana.get('/api/v1/webhooks')
  const other = await ana.get('/api/v1/webhooks', elsewhere)

  assert.equal(refused.status, 429)
  assert.deepEqual([other.status, other.headers.get('ratelimit-remaining')], [200, '119'])
})

test('a deletion counts like the other routes of endpoints', {
  rules: ['limit.120-webhook-operations-a-minute'],
}, async (t) => {
  const hub = await startWithDns(t)
  const acme = await hub.organization()
  const { id } = await createWebhook(acme)

  const deleted = await acme.delete(`/api/v1/webhooks/${id}`)
  const listed = await acme.get('/api/v1/webhooks')

  const remaining = [deleted, listed].map(({ headers }) => headers.get('ratelimit-remaining'))
  assert.deepEqual(remaining, ['118', '117'])
})

test('all routes of endpoints share a limit of 120 requests a minute, separate from the rest of the API', {
  rules: ['limit.120-webhook-operations-a-minute'],
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
  const { version } = await readRow(hub, id)

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
  assert.equal((await readRow(hub, id)).version, version)
  assert.deepEqual([general.status, session.status, reopened.status], [200, 200, 200])
  assert.equal(general.headers.get('ratelimit-limit'), '600')
  assert.equal(general.headers.get('ratelimit-remaining'), '598')
})
