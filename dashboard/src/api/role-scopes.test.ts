import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { hasScope, isAtLeast, ROLES, type Role, type Scope } from './role-scopes.ts'

type HubScopes = { ROLES: readonly string[]; ROLE_SCOPES: Record<Role, readonly string[]> }

const SCOPES: readonly Scope[] = [
  ...(['channels:write', 'messages:read', 'messages:send', 'templates:write'] as const),
  ...(['webhooks:write', 'api_keys:write', 'billing:write'] as const),
]

/** What the hub grants; its sources are no dependency of the dashboard. */
async function readHubScopes(): Promise<HubScopes> {
  return await import(join(import.meta.dirname, '../../../server/src/domains/auth/scopes.ts'))
}

test('a page allows a role what the hub allows it, and nothing else', async () => {
  const { ROLE_SCOPES } = await readHubScopes()

  for (const role of ROLES) {
    for (const scope of SCOPES)
      assert.equal(hasScope(role, scope), ROLE_SCOPES[role].includes(scope), `${role} ${scope}`)
  }
})

test('the roles have the order that they have in the hub', async () => {
  assert.deepEqual(ROLES, (await readHubScopes()).ROLES)
})

test('a role is at least itself and every role below it', () => {
  const pairs = ROLES.flatMap((role) =>
    ROLES.filter((needed) => isAtLeast(role, needed)).map((needed) => `${role}>=${needed}`),
  )

  assert.equal(pairs.length, 10)
  assert.ok(isAtLeast('owner', 'viewer'))
  assert.ok(!isAtLeast('viewer', 'developer'))
})
