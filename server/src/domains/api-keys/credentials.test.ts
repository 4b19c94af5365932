import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bearer, startHub } from '../../../test/hub.ts'
import { hashToken, newToken } from '../../kernel/crypto/tokens.ts'

const INVALID_CREDENTIALS: Record<string, Record<string, string>> = {
  'no credential': {},
  'an empty Authorization header': { authorization: '' },
  'another scheme': { authorization: 'Basic aHViOnBr' },
  'a bearer without a token': { authorization: 'Bearer' },
  'two tokens': { authorization: 'Bearer hub_pk_a hub_pk_b' },
  'a token that is too short': bearer('hub_pk_short'),
  'a well-formed token that was never issued': bearer(newToken('api_key')),
  'a session token as a bearer': bearer(newToken('session')),
  'an invitation as a bearer': bearer(newToken('invitation')),
}

test('a missing, malformed or unknown credential is 401 with a Bearer challenge', async (t) => {
  const hub = await startHub(t)

  for (const [what, headers] of Object.entries(INVALID_CREDENTIALS)) {
    const refused = await hub.anonymous.get('/api/v1/api-keys', { headers })

    assert.equal(refused.status, 401, what)
    assert.equal(refused.body.error.code, 'UNAUTHORIZED', what)
    assert.match(refused.headers.get('www-authenticate') ?? '', /^Bearer/, what)
  }
})

// The hash of the mistyped token is stored for a real key, so only the checksum can refuse it.
test('a token with a wrong checksum is refused before the database is queried', {
  rules: ['auth.missing-credential-is-401', 'auth.credential-has-a-checksum'],
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

test('a revoked key is refused from the next request on, in every process', {
  rules: ['key.revoked-key-is-refused', 'auth.missing-credential-is-401', 'config.processes-share-a-database'],
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

test('a key can revoke itself, and is refused afterwards', { rules: ['key.revoked-key-is-refused'] }, async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()

  const revoked = await acme.post(`/api/v1/api-keys/${acme.keyId}/revoke`)
  const after = await acme.get('/api/v1/api-keys')

  assert.equal(revoked.status, 200)
  assert.equal(after.status, 401)
})

test('a key is refused from its expiry on', { rules: ['key.expired-key-is-401'] }, async (t) => {
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

// Without the limit, a busy key would rewrite its row on every request.
test('last_used_at is updated at most once a minute', async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const { api_key, secret } = (await acme.post('/api/v1/api-keys', { name: 'ci', scopes: ['audit:read'] })).body.data
  const readLastUse = async () => {
    const list = await acme.get('/api/v1/api-keys')
    return list.body.data.api_keys.find(({ id }: { id: string }) => id === api_key.id).last_used_at
  }
  const use = () => hub.anonymous.get('/api/v1/audit-log', { headers: bearer(secret) })

  const unused = await readLastUse()
  await use()
  const first = await readLastUse()
  await hub.clock.advance('30 seconds')
  await use()
  const soon = await readLastUse()
  await hub.clock.advance('2 minutes')
  await use()
  const later = await readLastUse()

  assert.equal(unused, null)
  assert.equal(soon, first)
  assert.ok(Date.parse(later) - Date.parse(first) >= 150_000)
})

test('a refused request does not update last_used_at', async (t) => {
  const hub = await startHub(t)
  const acme = await hub.organization()
  const { api_key, secret } = (await acme.post('/api/v1/api-keys', { name: 'ci', scopes: ['audit:read'] })).body.data
  await acme.post(`/api/v1/api-keys/${api_key.id}/revoke`)

  await hub.anonymous.get('/api/v1/audit-log', { headers: bearer(secret) })

  const list = await acme.get('/api/v1/api-keys')
  const [record] = list.body.data.api_keys.filter(({ id }: { id: string }) => id === api_key.id)
  assert.equal(record.last_used_at, null)
})
