import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Client } from '../../../test/client.ts'
import { bearer, startHub, type TestHub } from '../../../test/hub.ts'
import { ROLE_SCOPES, ROLES, SCOPES, type Scope } from '../auth/scopes.ts'

type Holder = { client: Client; scopes: readonly Scope[] }

const ATTEMPTS = fc.array(
  fc.record({ creator: fc.nat(), scopes: fc.uniqueArray(fc.constantFrom(...SCOPES), { minLength: 1 }) }),
  { minLength: 1, maxLength: 12 },
)

/** The creator gets a key if and only if it has api_keys:write and every scope that it grants. */
async function createKey(hub: TestHub, creator: Holder, scopes: Scope[]): Promise<Holder | undefined> {
  const answer = await creator.client.post('/api/v1/api-keys', { name: 'granted', scopes })
  const isAllowed = creator.scopes.includes('api_keys:write') && scopes.every((scope) => creator.scopes.includes(scope))
  assert.equal(answer.status, isAllowed ? 201 : 403)
  if (answer.status !== 201) return undefined
  const { api_key, secret } = answer.body.data
  assert.ok(api_key.scopes.every((scope: Scope) => creator.scopes.includes(scope)))
  return { client: hub.anonymous.with(bearer(secret)), scopes: api_key.scopes }
}

test('no sequence of created keys gives a key a scope that its creator lacks', {
  rules: ['D5-11'],
}, async (t) => {
  const hub = await startHub(t)

  await fc.assert(
    fc.asyncProperty(fc.subarray([...SCOPES], { minLength: 1 }), ATTEMPTS, async (first, attempts) => {
      const { organizationId: _organization, ...client } = await hub.organization(first)
      const holders: Holder[] = [{ client, scopes: first }]
      for (const { creator, scopes } of attempts) {
        const made = await createKey(hub, holders[creator % holders.length]!, scopes)
        if (made) holders.push(made)
      }
    }),
    { numRuns: 40 },
  )
})

test('a person grants only the scopes of their role', { rules: ['D5-11'] }, async (t) => {
  const hub = await startHub(t)
  const { organizationId } = await hub.organization()
  const people = await Promise.all(
    ROLES.map(async (role) => ({ client: await hub.person({ organizationId, role }), scopes: ROLE_SCOPES[role] })),
  )

  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...people),
      fc.uniqueArray(fc.constantFrom(...SCOPES), { minLength: 1 }),
      async (person, scopes) => {
        await createKey(hub, person, scopes)
      },
    ),
    { numRuns: 60 },
  )
})
