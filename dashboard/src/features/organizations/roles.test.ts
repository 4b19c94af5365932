import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listGrantable } from './roles.ts'

test('a person gives roles up to their own, and only admins and owners give any', () => {
  assert.deepEqual(listGrantable('viewer'), [])
  assert.deepEqual(listGrantable('developer'), [])
  assert.deepEqual(listGrantable('admin'), ['viewer', 'developer', 'admin'])
  assert.deepEqual(listGrantable('owner'), ['viewer', 'developer', 'admin', 'owner'])
})
