import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer, Client } from '../../../../test/client.ts'
import { bearer } from '../../../../test/hub.ts'
import { createChannel } from '../../../../test/hub-with-upstream.ts'
import { newId } from '../../../kernel/ids.ts'
import { CHANNEL_TOKEN_SCOPES, type Role, type Scope } from '../../auth/scopes.ts'
import { startScene } from '../test/scene.ts'

type Route = { method: string; path: string; scope: Scope; success: number; body?: object }
type Ids = { id: string; deliveryId: string }

const ROUTES: Route[] = [
  { method: 'GET', path: 'deliveries', scope: 'webhooks:read', success: 200 },
  { method: 'GET', path: 'deliveries/:deliveryId', scope: 'webhooks:read', success: 200 },
  { method: 'POST', path: 'replay/:deliveryId', scope: 'webhooks:write', success: 202 },
  { method: 'POST', path: 'test', scope: 'webhooks:write', success: 202 },
  { method: 'POST', path: 'recover', scope: 'webhooks:write', success: 202, body: { since: '2026-01-01T00:00:00Z' } },
]

function send(client: Client, { method, path, body }: Route, { id, deliveryId }: Ids): Promise<Answer> {
  return client.send(method, `/api/v1/webhooks/${id}/${path.replace(':deliveryId', deliveryId)}`, { body })
}

/** An endpoint with one delivery that has come to its end. */
async function startSettled(t: Parameters<typeof startScene>[0]) {
  const scene = await startScene(t)
  const { id } = await scene.endpoint()
  await scene.publish({})
  await scene.hub.deliver()
  const { id: deliveryId } = await scene.only({ id })
  return { ...scene, ids: { id, deliveryId } }
}

for (const route of ROUTES) {
  const { method, path, scope, success } = route

  test(`${method} ${path} of an endpoint needs a credential, and of a key the scope ${scope} alone`, {
    rules: ['AUTH-06', 'AUTH-08', 'AUTH-09'],
  }, async (t) => {
    const { hub, acme, ids, log } = await startSettled(t)
    const other: Scope = scope === 'webhooks:read' ? 'webhooks:write' : 'webhooks:read'
    const keyOf = async (name: Scope) => {
      const { secret } = (await acme.post('/api/v1/api-keys', { name, scopes: [name] })).body.data
      return hub.anonymous.with(bearer(secret))
    }
    const before = await log(ids)

    const anonymous = await send(hub.anonymous, route, ids)
    const refused = await send(await keyOf(other), route, ids)
    const unchanged = await log(ids)
    const taken = await send(await keyOf(scope), route, ids)

    assert.deepEqual([anonymous.status, anonymous.body.error.code], [401, 'UNAUTHORIZED'])
    assert.deepEqual([refused.status, refused.body.error.code], [403, 'INSUFFICIENT_SCOPE'])
    assert.deepEqual(refused.body.error.details, { scope })
    assert.deepEqual(unchanged, before)
    assert.equal(taken.status, success, taken.text)
  })

  test(`${method} ${path} of an endpoint takes the session of ${scope === 'webhooks:read' ? 'a viewer' : 'a developer, and not of a viewer'}`, {
    rules: ['AUTH-07', 'D5-13'],
  }, async (t) => {
    const { hub, acme, ids } = await startSettled(t)
    const as = async (role: Role) =>
      (await send(await hub.person({ organizationId: acme.organizationId, role }), route, ids)).status

    assert.equal(await as('viewer'), scope === 'webhooks:read' ? 200 : 403)
    assert.equal(await as('developer'), success)
  })
}

test('the delivery routes refuse channel tokens', async (t) => {
  const { hub, acme, ids, log } = await startSettled(t)
  const { id: channelId } = await createChannel(acme)
  const token = await hub.channelToken(acme.organizationId, channelId, CHANNEL_TOKEN_SCOPES)
  const before = await log(ids)

  for (const route of ROUTES) {
    const refused = await send(token, route, ids)

    assert.deepEqual([refused.status, refused.body.error.code], [403, 'INSUFFICIENT_SCOPE'], route.path)
  }
  assert.deepEqual(await log(ids), before)
})

test('a path id that is not a UUID is 400, and nothing is replayed', { rules: ['WHE-32'] }, async (t) => {
  const { acme, ids, log } = await startSettled(t)
  const before = await log(ids)
  const wrong: [path: string, parameter: string][] = [
    [`${ids.id}/replay/last`, '/deliveryId'],
    [`${ids.id}/replay/${ids.deliveryId}0`, '/deliveryId'],
    [`first/replay/${ids.deliveryId}`, '/id'],
    [`7/replay/${newId()}`, '/id'],
  ]

  for (const [path, parameter] of wrong) {
    const refused = await acme.post(`/api/v1/webhooks/${path}`)

    assert.deepEqual([refused.status, refused.body.error.code], [400, 'INVALID_REQUEST'], path)
    assert.equal(refused.body.error.details.issues[0].path, parameter)
  }
  assert.deepEqual(await log(ids), before)
})

test('the routes of deliveries but that of tests share the 120 requests a minute of all routes of endpoints', {
  rules: ['LIM-01'],
}, async (t) => {
  const { hub, acme, ids } = await startSettled(t)
  const used = 120 - Number((await acme.get('/api/v1/webhooks')).headers.get('ratelimit-remaining'))
  // Nothing of this takes a minute, but a window that ended by chance would count from the start.
  await hub.sql`update rate_limits set window_ends_at = hub_now() + interval '1 minute' where bucket = 'webhooks'`

  const limited = ROUTES.filter(({ path }) => path !== 'test')
  const answers = []
  for (const route of limited) answers.push(await send(acme, route, ids))
  await hub.sql`update rate_limits set used = 120 where bucket = 'webhooks'`
  const refused = []
  for (const route of limited) refused.push(await send(acme, route, ids))

  for (const [index, { status, headers }] of answers.entries()) {
    assert.equal(status, limited[index]?.success)
    assert.equal(headers.get('ratelimit-limit'), '120')
    assert.equal(Number(headers.get('ratelimit-remaining')), 120 - used - index - 1)
  }
  for (const { status, body } of refused) assert.deepEqual([status, body.error.code], [429, 'RATE_LIMITED'])
})
