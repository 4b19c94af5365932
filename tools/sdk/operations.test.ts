import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Document, Operation } from './document.ts'
import { listMethods, type Surface } from './operations.ts'

const LIST = {
  properties: { data: { properties: { things: { type: 'array', items: {} }, next_cursor: { type: 'string' } } } },
}

function operation(operationId: string, tag: string, more: Partial<Operation> = {}): Operation {
  const responses = { '200': { content: { 'application/json': { schema: LIST } } } }
  return { operationId, summary: 'Do it', tags: [tag], security: [{ api_key: [] }], responses, ...more }
}

function list(paths: Document['paths'], surface: Surface = 'public') {
  return listMethods({ paths, webhooks: {}, components: { schemas: {} } }, surface)
}

const NAMES: [string, string, string][] = [
  ['listApiKeys', 'API keys', 'apiKeys.list'],
  ['rotateWebhookSecret', 'Webhooks', 'webhooks.rotateSecret'],
  ['listDeliveries', 'Webhooks', 'webhooks.listDeliveries'],
  ['listAuditLog', 'Audit log', 'auditLog.list'],
  ['connectChannel', 'Connecting', 'channels.connect'],
  ['readProfileUpstream', 'Facade', 'upstream.readProfile'],
  ['downloadMediaUpstream', 'Facade', 'media.download'],
]

for (const [id, tag, expected] of NAMES) {
  test(`${id} of "${tag}" is ${expected}`, () => {
    const [method] = list({ '/api/v1/things': { get: operation(id, tag) } })

    assert.equal(`${method?.resource}.${method?.name}`, expected)
  })
}

test('an id is named after what stands before it', () => {
  const [method] = list({ '/api/v1/api-keys/{id}/x/{deliveryId}': { get: operation('get', 'API keys') } })

  assert.deepEqual(
    method?.pathParameters.map(({ argument }) => argument),
    ['apiKeyId', 'deliveryId'],
  )
})

test('a route that only a person, a link or a wildcard reaches is no method', () => {
  const methods = list({
    '/console/session': { get: operation('showSession', 'Console', { security: [{ session: [] }] }) },
    '/api/v1/connect/{token}': { get: operation('showConnectLink', 'Connecting', { security: [] }) },
    '/upstream/{resourcePath}': { get: operation('readUpstream', 'Facade') },
  })

  assert.deepEqual(methods, [])
})

test('a route under /console is a method for the dashboard, with a session or before it', () => {
  const paths = {
    '/console/session': { get: operation('showSession', 'Console', { security: [{ session: [] }] }) },
    '/console/sign-in': { post: operation('signIn', 'Console', { security: [] }) },
    '/api/v1/things': { get: operation('listThings', 'Things', { security: [{ api_key: [] }, { session: [] }] }) },
  }

  const methods = list(paths, 'console')

  assert.deepEqual(
    methods.map(({ resource, name, result }) => [resource, name, result.kind]),
    [
      ['console', 'showSession', 'list'],
      ['console', 'signIn', 'list'],
    ],
  )
})

test('two operations of one name stop the generator', () => {
  const paths = {
    '/api/v1/a': { get: operation('getThing', 'Things') },
    '/api/v1/b': { get: operation('get', 'Things') },
  }

  assert.throws(() => list(paths), /Two operations become things.get/)
})
