import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer, Client } from '../../../../test/client.ts'
import { newId } from '../../../kernel/ids.ts'
import { startWebhooks } from '../test/fixture.ts'

type Route = { method: string; path: string; success: number; body?: object }
type Ids = { id: string; deliveryId: string }

const ROUTES: Route[] = [
  { method: 'GET', path: 'deliveries', success: 200 },
  { method: 'GET', path: 'deliveries/:deliveryId', success: 200 },
  { method: 'POST', path: 'replay/:deliveryId', success: 202 },
  // The delivery is final, so it cannot be retried.
  { method: 'POST', path: 'deliveries/:deliveryId/retry', success: 404 },
  { method: 'POST', path: 'test', success: 202 },
  { method: 'POST', path: 'recover', success: 202, body: { since: '2026-01-01T00:00:00Z' } },
]

function send(client: Client, { method, path, body }: Route, { id, deliveryId }: Ids): Promise<Answer> {
  return client.send(method, `/api/v1/webhooks/${id}/${path.replace(':deliveryId', deliveryId)}`, { body })
}

/** An endpoint with one final delivery. */
async function startWithDelivery(t: Parameters<typeof startWebhooks>[0]) {
  const fixture = await startWebhooks(t)
  const { id } = await fixture.endpoint()
  await fixture.publish({})
  await fixture.hub.deliver()
  const { id: deliveryId } = await fixture.only({ id })
  return { ...fixture, ids: { id, deliveryId } }
}

test('a path id that is not a UUID is 400, and nothing is replayed', {
  rules: ['replay.malformed-ids-are-refused'],
}, async (t) => {
  const { acme, ids, log } = await startWithDelivery(t)
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

test('delivery routes, except tests, share the limit of 120 requests a minute with the routes of endpoints', {
  rules: ['limit.120-webhook-operations-a-minute'],
}, async (t) => {
  const { hub, acme, ids } = await startWithDelivery(t)
  const used = 120 - Number((await acme.get('/api/v1/webhooks')).headers.get('ratelimit-remaining'))
  // A window that ends during the test would restart the count.
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
