import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ROLES } from './generated/definitions.gen.ts'
import { hasScope, isAtLeast } from './role-scopes.ts'

test('a page allows a role its scopes, and no other', () => {
  assert.ok(hasScope('viewer', 'messages:read'))
  assert.ok(!hasScope('viewer', 'messages:send'))
  assert.ok(!hasScope('developer', 'api_keys:write'))
  assert.ok(!hasScope('admin', 'billing:write'))
  assert.ok(hasScope('owner', 'billing:write'))
})

test('a role is at least itself and every role below it', () => {
  const pairs = ROLES.flatMap((role) =>
    ROLES.filter((needed) => isAtLeast(role, needed)).map((needed) => `${role}>=${needed}`),
  )

  assert.equal(pairs.length, 10)
  assert.ok(isAtLeast('owner', 'viewer'))
  assert.ok(!isAtLeast('viewer', 'developer'))
})
