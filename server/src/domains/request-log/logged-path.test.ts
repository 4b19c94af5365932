import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { describePath } from './logged-path.ts'

const ID = '0198c0de-0000-7000-8000-000000000001'
const CHANNEL = '/api/v1/channels/:id'
const FACADE = '/upstream/*'

for (const [route, url, status, logged, path] of [
  [CHANNEL, `/api/v1/channels/${ID}`, 200, CHANNEL, `/api/v1/channels/${ID}`],
  [CHANNEL, `/api/v1/channels/${ID}?fields=5511987654321`, 200, CHANNEL, `/api/v1/channels/${ID}`],
  [CHANNEL, '/api/v1/channels/5511987654321', 400, CHANNEL, CHANNEL],
  [CHANNEL, '/api/v1/channels/hub_sk_secret', 400, CHANNEL, CHANNEL],
  [CHANNEL, '/api/v1/channels/ana@example.com', 400, CHANNEL, CHANNEL],
  [CHANNEL, `http://hub/api/v1/channels/${ID}`, 200, CHANNEL, CHANNEL],
  ['/api/v1/channels', '/api/v1/channels?to=5511987654321', 200, '/api/v1/channels', '/api/v1/channels'],
  [
    '/api/v1/webhooks/:id/replay/:deliveryId',
    `/api/v1/webhooks/${ID}/replay/x`,
    400,
    '/api/v1/webhooks/:id/replay/:deliveryId',
    `/api/v1/webhooks/${ID}/replay/:deliveryId`,
  ],
  [
    FACADE,
    '/upstream/v25.0/106540352242922/messages?a=b',
    200,
    '/upstream/:id/messages',
    '/upstream/v25.0/106540352242922/messages',
  ],
  [FACADE, '/upstream/5511987654321/messages', 404, '/upstream/:id/messages', '/upstream/:id/messages'],
  [FACADE, '/upstream/106540352242922', 401, '/upstream/:id', '/upstream/:id'],
  [FACADE, '/upstream/106540352242922/secrets_of_ana', 404, FACADE, FACADE],
  [FACADE, '/upstream/EAAsecret/messages', 404, FACADE, FACADE],
] as const) {
  test(`${url} of the route ${route} with status ${status} is logged as ${path}`, {
    rules: ['requests.path-holds-ids-only'],
  }, () => {
    const method = route === FACADE && url.includes('messages') ? 'POST' : 'GET'

    assert.deepEqual(describePath({ method, route, url, status }), { route: logged, path })
  })
}

test('a logged path has only the words of its route and ids, for any URL', {
  rules: ['requests.path-holds-ids-only'],
}, () => {
  const piece = fc.oneof(fc.constantFrom('/', '%2f', '?', '..', 'messages', '5511987654321', ID), fc.string())
  const words = /^\/(?:api|v1|channels|messages|:id|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\/)+$/i
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const url = `/api/v1/channels/${pieces.join('')}`
      assert.match(describePath({ method: 'GET', route: `${CHANNEL}/messages`, url, status: 200 }).path, words)
    }),
    { numRuns: 1000 },
  )
})
