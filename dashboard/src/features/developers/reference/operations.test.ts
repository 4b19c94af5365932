import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findOperation, type Operation } from './operations.ts'

const OPERATION: Operation = {
  id: 'replay Delivery',
  method: 'POST',
  path: '/api/v1/webhooks/{id}/replay/{deliveryId}',
  summary: '',
  tag: 'Webhooks & more',
  scope: 'webhooks:write',
}

test('a logged route is found in the reference by its method and its parameters', () => {
  const route = '/api/v1/webhooks/:id/replay/:deliveryId'

  assert.equal(findOperation([OPERATION], 'POST', route), OPERATION)
  assert.equal(findOperation([OPERATION], 'GET', route), undefined)
  assert.equal(findOperation([OPERATION], 'POST', '/api/v1/webhooks/:id'), undefined)
})
