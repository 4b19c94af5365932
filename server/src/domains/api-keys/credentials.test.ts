import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bearer, startHub } from '../../../test/hub.ts'
import { hashToken, newToken } from '../../kernel/crypto/tokens.ts'

for (const [what, headers] of Object.entries<Record<string, string>>({
  'no credential': {},
  'an empty Authorization header': { authorization: '' },
  'another scheme': { authorization: 'Basic aHViOnBr' },
  'a bearer without a token': { authorization: 'Bearer' },
  'two tokens': { authorization: 'Bearer hub_pk_a hub_pk_b' },
  'a token that is too short': bearer('hub_pk_short'),
  'a well-formed token that nobody was given': bearer(newToken('api_key')),
  'a session token as a bearer': bearer(newToken('session')),
  'an invitation as a bearer': bearer(newToken('invitation')),
})) {
  test(`every endpoint refuses ${what}`, async (t) => {
    const hub = await startHub(t)
    const { keyId } = await hub.organization()

    const answers = await Promise.all([
      hub.anonymous.get('/api/v1/api-keys', { headers }),
      hub.anonymous.post('/api/v1/api-keys', { name: 'ci', scopes: ['audit:read'] }, { headers }),
      hub.anonymous.post(`/api/v1/api-keys/${keyId}/revoke`, undefined, { headers }),
    ])

    for (const { status, body, headers: answered } of answers) {
      assert.equal(status, 401)
      assert.equal(body.error.code, 'UNAUTHORIZED')
      assert.match(answered.get('www-authenticate') ?? '', /^Bearer/)
    }
  })
}

// The directory maps the mistyped token's hash to a real key here, so that only the checksum can refuse it.
test('a token with a wrong checksum is refused before the database is asked', {
  rules: ['AUTH-18', 'D5-02', 'ERR-17'],
}, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const mistyped = acme.key.slice(0, -1) + (acme.key.endsWith('0') ? '1' : '0')
  await hub.sql`
    insert into credential_hashes (token_hash, organization_id, credential_id)
    values (${hashToken(mistyped)}, ${acme.organizationId}, ${acme.keyId})`

  const refused = await hub.anonymous.get('/api/v1/api-keys', { headers: bearer(mistyped) })

  assert.equal(refused.status, 401)
})

test('a revocation holds for the next request, also at another hub on the same database', {
  rules: ['AUTH-13', 'AUTH-18', 'D2-12', 'KEY-05'],
}, async (t) => {
  const [hub, second] = [await startHub(t), await startHub(t)]
  const acme = await hub.organization()
  const { api_key, secret } = (await acme.post('/api/v1/api-keys', { name: 'ci', scopes: ['audit:read'] })).body.data
  const before = await second.anonymous.get('/api/v1/audit-log', { headers: bearer(secret) })

  await acme.post(`/api/v1/api-keys/${api_key.id}/revoke`)
  const here = await hub.anonymous.get('/api/v1/audit-log', { headers: bearer(secret) })
  const there = await second.anonymous.get('/api/v1/audit-log', { headers: bearer(secret) })

  assert.equal(before.status, 200)
  assert.equal(here.status, 401)
  assert.equal(there.status, 401)
})

test('a key that revokes itself is answered, and is refused from then on', { rules: ['AUTH-13'] }, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()

  const revoked = await acme.post(`/api/v1/api-keys/${acme.keyId}/revoke`)
  const after = await acme.get('/api/v1/api-keys')

  assert.equal(revoked.status, 200)
  assert.equal(after.status, 401)
})

test('a key works up to its expiry and not after', { rules: ['D5-54'] }, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const expires_at = new Date(hub.clock.now().getTime() + 3_600_000).toISOString()
  const created = await acme.post('/api/v1/api-keys', { name: 'ci', scopes: ['audit:read'], expires_at })
  const headers = bearer(created.body.data.secret)

  await hub.clock.advance('59 minutes')
  const before = await hub.anonymous.get('/api/v1/audit-log', { headers })
  await hub.clock.advance('1 minute')
  const after = await hub.anonymous.get('/api/v1/audit-log', { headers })

  assert.equal(before.status, 200)
  assert.equal(after.status, 401)
})

// Otherwise a busy key would rewrite its row on every request.
test('the time of last use moves with use, and once a minute at most', async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const { api_key, secret } = (await acme.post('/api/v1/api-keys', { name: 'ci', scopes: ['audit:read'] })).body.data
  const lastUse = async () => {
    const list = await acme.get('/api/v1/api-keys')
    return list.body.data.api_keys.find(({ id }: { id: string }) => id === api_key.id).last_used_at
  }
  const use = () => hub.anonymous.get('/api/v1/audit-log', { headers: bearer(secret) })

  const unused = await lastUse()
  await use()
  const first = await lastUse()
  await hub.clock.advance('30 seconds')
  await use()
  const soon = await lastUse()
  await hub.clock.advance('2 minutes')
  await use()
  const later = await lastUse()

  assert.equal(unused, null)
  assert.equal(soon, first)
  assert.ok(Date.parse(later) - Date.parse(first) >= 150_000)
})

test('a refused request does not count as use', async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const { api_key, secret } = (await acme.post('/api/v1/api-keys', { name: 'ci', scopes: ['audit:read'] })).body.data
  await acme.post(`/api/v1/api-keys/${api_key.id}/revoke`)

  await hub.anonymous.get('/api/v1/audit-log', { headers: bearer(secret) })

  const list = await acme.get('/api/v1/api-keys')
  const [record] = list.body.data.api_keys.filter(({ id }: { id: string }) => id === api_key.id)
  assert.equal(record.last_used_at, null)
})
